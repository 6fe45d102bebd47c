import type { Episode } from '../../api/episode.js'
import type { Database } from '../../api/scope.js'
import { element } from '../dom/element.js'

/** The pictures and sounds that were kept with a memory. */
export async function media(db: Database, { id, senses = [] }: Episode): Promise<HTMLElement | undefined> {
  if (senses.length === 0) return undefined
  const kept = await db.listMedia(id)
  const shown = await Promise.all(
    kept.map(async ({ sense }) => {
      const url = URL.createObjectURL(await new Response(await db.media(id, sense)).blob())
      const made =
        sense === 'image'
          ? element('img', { src: url, alt: 'The picture that was kept with it' })
          : element('audio', { src: url, controls: '', 'aria-label': 'The sound that was kept with it' })
      // A sound is read as it is played, so its bytes stay until the page lets go of them.
      if (sense === 'image') made.addEventListener('load', () => URL.revokeObjectURL(url), { once: true })
      return made
    }),
  )
  return shown.length === 0 ? undefined : element('div', { class: 'media' }, ...shown)
}
