import { Agidb } from '../../../src/runtimes/browser/index.js'
import { anchorOf } from '../anchor.js'

type Memory = Awaited<ReturnType<typeof Agidb.open>>

const input = document.querySelector<HTMLInputElement>('#query')!
const answers = document.querySelector<HTMLElement>('#answers')!
/** Pages that are shown, each by the passage of it that answers best. */
const MOST = 6
/** Passages that are searched for: several may be of one page. */
const PASSAGES = 30
/** Characters of a passage that are shown. */
const EXCERPT = 180

let opening: Promise<Memory> | undefined

/** The documentation as a memory of this page. It is fetched when somebody begins to ask. */
async function documentation(): Promise<Memory> {
  const [db, response] = await Promise.all([
    Agidb.open({ storage: 'memory', extract: 'none' }),
    fetch(new URL('search.agidb', document.baseURI)),
  ])
  if (response.body === null || !response.ok) throw new Error(`the index cannot be fetched: ${response.status}`)
  await db.import(response.body)
  return db
}

/** The number of the newest question: an answer to an earlier one is not shown. */
let newest = 0

async function answer(): Promise<void> {
  const question = input.value.trim()
  const own = ++newest
  if (question === '') return show([])
  opening ??= documentation()
  if (answers.hidden) show(['Reading the documentation …'])
  try {
    const db = await opening
    const found = await db.entries.search(question, { k: PASSAGES, childrenK: 0 })
    if (own !== newest) return
    const pages = found.filter(
      ({ entry }, i) => found.findIndex(({ entry: { source } }) => source === entry.source) === i,
    )
    show(pages.length === 0 ? ['Nothing answers that.'] : pages.slice(0, MOST).map(({ entry }) => linkTo(entry)))
  } catch (error) {
    opening = undefined
    if (own === newest) show([`The search failed: ${error instanceof Error ? error.message : String(error)}`])
  }
}

function linkTo(entry: Awaited<ReturnType<Memory['entries']['search']>>[number]['entry']): HTMLElement {
  const link = document.createElement('a')
  const above = entry.path === '' ? [] : entry.path.split(' > ')
  const headings = entry.heading === undefined || above.at(-1) === entry.heading ? above : [...above, entry.heading]
  const last = headings.at(-1)
  const isPage = headings.length < 2
  const page = entry.source ?? 'index.html'
  link.href = last === undefined || isPage ? page : `${page}#${anchorOf(last)}`
  const place = document.createElement('strong')
  place.textContent = headings.join(' › ') || page
  const text = plain(entry.content)
  link.append(place, document.createElement('br'), text.length > EXCERPT ? `${text.slice(0, EXCERPT)} …` : text)
  return link
}

/** The text of a passage without the marks of Markdown. */
function plain(markdown: string): string {
  return markdown
    .replace(/^#+ .*\n+/, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<!--.*?-->|:?-{3,}:?|[`*|]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

function show(rows: readonly (string | HTMLElement)[]): void {
  answers.replaceChildren(
    ...rows.map((row) => {
      if (typeof row !== 'string') return row
      const paragraph = document.createElement('p')
      paragraph.textContent = row
      return paragraph
    }),
  )
  answers.hidden = rows.length === 0
}

/** Answers what is typed into the field of a page. */
export function startSearch(): void {
  let waiting: ReturnType<typeof setTimeout> | undefined
  input.addEventListener('input', () => {
    clearTimeout(waiting)
    waiting = setTimeout(() => void answer(), 150)
  })
  input.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return
    input.value = ''
    void answer()
  })
  input.form!.addEventListener('submit', (event) => {
    event.preventDefault()
    void answer()
  })
}
