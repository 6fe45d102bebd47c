import type { Group, Page } from './pages.js'
import { escape, type Rendered } from './render.js'

/** A whole page of the site. */
export function layOut(page: Page, { html, sections }: Rendered, groups: readonly Group[]): string {
  const link = (path: string, text: string) =>
    `<li><a href="${path}"${path === page.path ? ' aria-current="page"' : ''}>${escape(text)}</a></li>`
  const navigation = groups
    .map(({ title, links }) => {
      const list = links.map(({ path, question }) => link(path, question)).join('\n')
      const isOpen = links.some(({ path }) => path === page.path) || page.path === 'index.html'
      return `<details${isOpen ? ' open' : ''}><summary>${escape(title)}</summary><ul>\n${list}\n</ul></details>`
    })
    .join('\n')
  const onThisPage = sections.map(({ anchor, html }) => `<li><a href="#${anchor}">${html}</a></li>`).join('\n')
  const title = page.path === 'index.html' ? 'agidb: a memory for AI agents' : `${page.title} · agidb`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<link rel="icon" href="assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="assets/style.css">
<script type="module" src="assets/main.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="home" href="index.html">agidb</a>
<form role="search" class="search">
<label for="query">Ask the documentation</label>
<input id="query" type="search" autocomplete="off" placeholder="How do I forget a person?">
<div id="answers" role="status" hidden></div>
</form>
<ul class="top"><li><a href="guide.html">Guide</a></li><li><a href="api/index.html">API</a></li>
<li><a href="changelog.html">Changes</a></li></ul>
</header>
<div class="columns">
<nav aria-label="Questions">
${navigation}
</nav>
<main id="content">
${html}</main>
${sections.length < 2 ? '' : `<aside aria-label="On this page"><h2>On this page</h2><ul>\n${onThisPage}\n</ul></aside>`}
</div>
</body>
</html>
`
}
