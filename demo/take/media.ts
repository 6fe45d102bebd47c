import type { Agidb, Match } from '../../src/runtimes/browser/index.js'
import { element } from '../element.js'
import { senseOf } from './kinds.js'

/** Remembers a picture or a sound with its name; the file is kept with the memory, and goes with it. */
export async function rememberMedium(db: Agidb, file: File): Promise<string> {
  const sense = senseOf(file)!
  const text = file.name.replace(/\.[^.]+$/, '').replace(/[_-]+/g, ' ')
  const context = { source: file.name, at: new Date(file.lastModified), keep: 'original' } as const
  return db.observeMultimodal({ text, [sense]: file }, context)
}

/** The pictures and sounds of a memory, to see and to hear, with a caption that can be changed. */
export async function keptMedia(db: Agidb, match: Match, changed: () => void): Promise<HTMLElement[]> {
  const shown = await Promise.all(
    (await db.listMedia(match.id)).map(async ({ sense, type }) => {
      const blob = await new Response(await db.media(match.id, sense), { headers: { 'Content-Type': type } }).blob()
      const src = URL.createObjectURL(blob)
      if (sense === 'audio') return element('audio', { src, controls: '', 'aria-label': match.text })
      const picture = element('img', { src, alt: match.text })
      picture.addEventListener('load', () => URL.revokeObjectURL(src))
      return picture
    }),
  )
  if (shown.length === 0) return []
  const caption = element('input', { value: match.text, required: '', 'aria-label': 'Caption', autocomplete: 'off' })
  const form = element('form', { class: 'caption' }, caption, element('button', { class: 'small' }, 'Save caption'))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void db.update(match.id, { text: caption.value }).then(changed)
  })
  const note =
    'Found by its caption. To search by what it shows or sounds like takes a model, which this page does not ship: ' +
    'see agidb/onnx.'
  return [...shown, form, element('p', { class: 'note' }, note)]
}
