import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = new URL('../../', import.meta.url)

/** A page of the site, made of a page of Markdown. */
export interface Page {
  /** The Markdown, relative to the repository: `docs/recall.md`. */
  readonly source: string
  /** The page of the site: `recall.html`. */
  readonly path: string
  readonly title: string
  readonly markdown: string
}

/** A group of links in the navigation. */
export interface Group {
  readonly title: string
  readonly links: readonly { readonly question: string; readonly path: string }[]
}

/** Pages of the repository beside `docs`, and where they stand in the site. */
const BESIDE: Readonly<Record<string, string>> = {
  'README.md': 'index.html',
  'CHANGELOG.md': 'changelog.html',
  'CONTRIBUTING.md': 'contributing.html',
  'SECURITY.md': 'security.html',
}

/** Where a page of Markdown stands in the site; `undefined` for what is no page of it. */
export function pathOf(source: string): string | undefined {
  const own = BESIDE[source]
  if (own !== undefined) return own
  const name = /^docs\/([\w-]+)\.md$/.exec(source)?.[1]
  return name === 'README' ? 'guide.html' : name && `${name}.html`
}

/** All pages. */
export function readPages(): Page[] {
  const docs = readdirSync(new URL('docs/', ROOT)).filter((name) => name.endsWith('.md'))
  return [...Object.keys(BESIDE), ...docs.map((name) => `docs/${name}`)].map((source) => {
    const markdown = readFileSync(new URL(source, ROOT), 'utf8')
    const title = /^# (.+)$/m.exec(markdown)?.[1] ?? source
    return { source, path: pathOf(source)!, title, markdown }
  })
}

/** The navigation: the questions of `docs/README.md`, in its groups. */
export function readGroups(pages: readonly Page[]): Group[] {
  const { markdown } = pages.find(({ source }) => source === 'docs/README.md')!
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [title] = part.split('\n', 1)
      const rows = [...part.matchAll(/^\| (.+?) \| \[[^\]]*\]\(([\w.-]+\.md)\) \|$/gm)]
      return { title, links: rows.map(([, question, name]) => ({ question, path: pathOf(`docs/${name}`)! })) }
    })
}

/** A file of the repository. */
export function fileOf(path: string): string {
  return fileURLToPath(new URL(path, ROOT))
}
