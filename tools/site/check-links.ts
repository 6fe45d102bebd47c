import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Links of the pages in a folder that lead to no file of it, or to no anchor of that file. */
export function brokenLinks(folder: string): string[] {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))
  const anchors = new Map<string, ReadonlySet<string>>()
  const anchorsOf = (page: string) => {
    let known = anchors.get(page)
    if (known === undefined) {
      const ids = readFileSync(join(folder, page), 'utf8').matchAll(/\sid="([^"]*)"/g)
      anchors.set(page, (known = new Set(Array.from(ids, ([, id]) => id))))
    }
    return known
  }
  return pages.flatMap((page) => {
    const links = readFileSync(join(folder, page), 'utf8').matchAll(
      /<(?:a|link|img|script)\s[^>]*?(?:href|src)="([^"]*)"/g,
    )
    return [...new Set(Array.from(links, ([, link]) => link.replaceAll('&#38;', '&').replaceAll('&amp;', '&')))]
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [path, anchor] = link.split('#')
        const target = path === '' ? page : join(dirname(page), decodeURIComponent(path).replace(/\?.*/, ''))
        if (!existsSync(join(folder, target))) return true
        // Those of the reference are made and checked by TypeDoc.
        return anchor !== undefined && anchor !== '' && !page.startsWith('api/') && !anchorsOf(target).has(anchor)
      })
      .map((link) => `${page}: ${link}`)
  })
}
