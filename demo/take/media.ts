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

/** What a picture or sound of a card can do. */
export interface MediumActions {
  /** Called once its caption was changed. */
  readonly changed: () => void
  /** Asks for others like it. */
  readonly like: (medium: File) => void
}

/** The pictures and sounds of a memory, to see and to hear, with a caption that can be changed. */
export async function keptMedia(db: Agidb, match: Match, { changed, like }: MediumActions): Promise<HTMLElement[]> {
  const shown = await Promise.all(
    (await db.listMedia(match.id)).map(async ({ sense, type }) => {
      const blob = await new Response(await db.media(match.id, sense), { headers: { 'Content-Type': type } }).blob()
      const src = URL.createObjectURL(blob)
      const more = element('button', { type: 'button', class: 'small' }, 'More like it')
      more.addEventListener('click', () => like(new File([blob], match.text, { type })))
      if (sense === 'audio')
        return element('div', {}, element('audio', { src, controls: '', 'aria-label': match.text }), more)
      const picture = element('img', { src, alt: match.text })
      picture.addEventListener('load', () => URL.revokeObjectURL(src))
      return element('div', {}, picture, more)
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
    'Found by its caption, and by where its colours lie or how strong its tones are. To find it by what it shows ' +
    'takes a model, which this page does not ship: see agidb/onnx.'
  return [...shown, form, element('p', { class: 'note' }, note)]
}
