import type { EntryTree } from '../../src/runtimes/browser/index.js'
import { bar } from '../bar.js'
import { element } from '../element.js'
import { counted, percent } from '../format.js'
import { press } from '../mind/form.js'
import type { Panel, Setting } from '../mind/panel.js'
import { renew } from '../mind/renew.js'
import { isDocument, readDocument } from './read.js'

/** Characters of a passage that stand for it in an outline. */
const SHORT = 90

/** What was read: documents with their outlines, a folder at a time, and what of them matters most. */
export function documentsPanel({ db, act }: Setting): Panel {
  const folder = element('input', { type: 'file', webkitdirectory: '', 'aria-label': 'A folder of documents' })
  const progress = element('p', { class: 'note', role: 'status' })
  const sources = element('ul', { class: 'names', 'aria-label': 'Documents' })
  const outline = element('section', { 'aria-label': 'Outline', tabindex: '-1', hidden: '' })
  const core = element('ol', { class: 'items', 'aria-label': 'What matters most' })
  let shown: string | undefined

  folder.addEventListener('change', () => {
    const files = Array.from(folder.files ?? []).filter(isDocument)
    void act(async () => {
      let added = 0
      for (const [i, file] of files.entries()) {
        progress.textContent = `Reading ${i + 1} of ${counted(files.length, 'document', 'documents')}.`
        added += (await readDocument(db, file)).added
      }
      const read = counted(files.length, 'document', 'documents')
      progress.textContent = `${counted(added, 'entry', 'entries')} came from ${read}.`
    }).then(() => (folder.value = ''))
  })

  const show = async () => {
    const [all, identity] = await Promise.all([db.entries.sources(), db.entries.identity()])
    renew(
      sources,
      ...all.map(({ source, entries }) =>
        element(
          'li',
          {},
          press(`${source} (${entries})`, source, () => void act(() => open(source))),
        ),
      ),
    )
    renew(
      core,
      ...identity.core.map(({ entry, salience }) =>
        element('li', {}, weight(salience), element('span', {}, said(entry.heading, entry.content))),
      ),
    )
    if (shown !== undefined) await look(shown)
  }

  const open = async (source: string) => {
    shown = source
    await look(source)
    outline.focus()
  }

  const look = async (source: string) => {
    const tree = await db.entries.tree(source)
    outline.hidden = tree.length === 0
    outline.replaceChildren(element('h3', {}, source), element('ul', { class: 'outline' }, ...tree.map(branch)))
  }

  return {
    name: 'Documents',
    about: 'Markdown and pages of HTML, by their sections and passages. A question finds them beside what was said.',
    body: [
      element('label', { class: 'labelled' }, element('span', {}, 'Add a folder'), folder),
      progress,
      sources,
      outline,
      element('h3', {}, 'What matters most'),
      core,
    ],
    show,
  }
}

/** An entry with those below it. */
function branch({ entry, children }: EntryTree): HTMLLIElement {
  const line = said(entry.heading, entry.content)
  if (children.length === 0) return element('li', { class: entry.type }, line)
  return element(
    'li',
    { class: entry.type },
    element(
      'details',
      { open: '', 'data-key': entry.id },
      element('summary', {}, line),
      element('ul', {}, ...children.map(branch)),
    ),
  )
}

function weight(salience: number): HTMLElement {
  return element(
    'span',
    { class: 'weight' },
    bar(salience),
    element('span', { class: 'share' }, element('span', { class: 'unseen' }, 'salience '), percent(salience)),
  )
}

function said(heading: string | undefined, content: string): string {
  const line = heading ?? content.replace(/\s+/g, ' ').trim()
  return line.length > SHORT ? `${line.slice(0, SHORT)}…` : line
}
