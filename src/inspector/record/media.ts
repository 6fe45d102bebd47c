import type { Episode } from '../../api/episode.js'
import { isSense } from '../../api/encoder.js'
import type { Database } from '../../api/scope.js'
import { element } from '../dom/element.js'

/**
 * The pictures, sounds and videos that were kept with a memory.
 *
 * @param gone fires when they are shown no more, and their bytes can go
 */
export async function media(
  db: Database,
  { id, senses = [] }: Episode,
  gone: AbortSignal,
): Promise<HTMLElement | undefined> {
  if (senses.length === 0) return undefined
  // A page can show nothing else of the application's own modalities.
  const kept = (await db.listMedia(id)).filter(
    ({ sense, type }) => isSense(sense) || /^(image|audio|video)\//.test(type),
  )
  const shown = await Promise.all(
    kept.map(async ({ sense, type }) => {
      const url = URL.createObjectURL(await new Response(await db.media(id, sense)).blob())
      const letGo = () => URL.revokeObjectURL(url)
      if (gone.aborted) letGo()
      else gone.addEventListener('abort', letGo, { once: true })
      // Of a video there may be one picture.
      const isPicture = sense === 'image' || type.startsWith('image/')
      const [tag, what] =
        sense === 'audio' || type.startsWith('audio/') ? (['audio', 'sound'] as const) : (['video', 'video'] as const)
      const made = isPicture
        ? element('img', { src: url, alt: 'The picture that was kept with it' })
        : element(tag, { src: url, controls: '', 'aria-label': `The ${what} that was kept with it` })
      // A sound or video is read as it is played, so its bytes stay while it is shown.
      if (isPicture) made.addEventListener('load', letGo, { once: true })
      return made
    }),
  )
  return shown.length === 0 ? undefined : element('div', { class: 'media' }, ...shown)
}
