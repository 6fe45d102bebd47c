import type { Sense } from '../../api/encoder.js'
import type { SignatureSpace } from './space.js'

/** What an encoder makes of pictures: `docs/format.md` calls it kind 5. */
export const imageSpace = perceivedSpace('image', 5, 'images')

/** What an encoder makes of sounds: `docs/format.md` calls it kind 6. */
export const audioSpace = perceivedSpace('audio', 6, 'sounds')

/** What an encoder makes of videos: `docs/format.md` calls it kind 7. */
export const videoSpace = perceivedSpace('video', 7, 'videos')

/** The signatures of what was perceived by a sense. They come with the episode and are not made of its text. */
function perceivedSpace<S extends Sense>(kind: S, tag: number, part: string): SignatureSpace<S> {
  return {
    kind,
    tag,
    part,
    identifiedBy: 'mark',
    encodedBytes: 0,
    isPerceived: true,
    // Without rows, so that memories of text alone keep as many rows of their texts as before.
    search: { isLarge: false },
    weigh: { tellsOf: 'meaning', signals: [{ name: kind, weight: 0.6 }] },
    maker({ senses }) {
      const id = senses?.[kind]
      return id === undefined ? undefined : { id }
    },
    ask: ({ made }) => ({ [kind]: made[kind] }),
  }
}
