import { isSense, ownOf, type Sense } from '../../api/encoder.js'
import { crc32c } from '../../base/crc32c.js'
import { encodeUtf8 } from '../../base/utf8.js'
import type { SenseIds, SignatureSpace } from './space.js'

/** What an encoder makes of pictures: `docs/format.md` calls it kind 5. */
export const imageSpace = perceivedSpace('image', 5, 'images')

/** What an encoder makes of sounds: `docs/format.md` calls it kind 6. */
export const audioSpace = perceivedSpace('audio', 6, 'sounds')

/** What an encoder makes of videos: `docs/format.md` calls it kind 7. */
export const videoSpace = perceivedSpace('video', 7, 'videos')

/** The names of the spaces of modalities of the application's own: which is whose depends on the encoders alone. */
const OWN = ['own.0', 'own.1', 'own.2', 'own.3'] as const

/**
 * What encoders make of the application's own modalities, as many as a memory can have at a time. Their signatures are
 * stored behind that of a video, each with the mark of its modality and encoder.
 */
export const ownSpaces = OWN.map((kind, i) => perceivedSpace(kind, 8 + i, kind))

/** The space of a sense in a memory with these encoders; `undefined` where it has none for it. */
export function spaceOf(sense: string, senses: SenseIds): Sense | (typeof OWN)[number] | undefined {
  return isSense(sense) ? sense : OWN[ownOf(senses).indexOf(sense)]
}

/** The sense of a space, or of a signal of that name. */
export function senseOf(kind: string, senses: SenseIds): string {
  return ownOf(senses)[(OWN as readonly string[]).indexOf(kind)] ?? kind
}

/**
 * What marks the signatures of a sense by an encoder, hexadecimal: its id, and before it, of a modality of the
 * application's own, a checksum of its name, so that none is taken for that of another.
 */
export function makerOf(sense: string, encoder: string): string {
  return isSense(sense) ? encoder : crc32c(encodeUtf8(sense)).toString(16).padStart(8, '0') + encoder
}

/** The signatures of what was perceived by a sense. They come with the episode and are not made of its text. */
function perceivedSpace<S extends Sense | (typeof OWN)[number]>(kind: S, tag: number, part: string): SignatureSpace<S> {
  return {
    kind,
    tag,
    part,
    ...(!isSense(kind) && { storedWith: 'video' }),
    identifiedBy: 'mark',
    encodedBytes: 0,
    isPerceived: true,
    search: { isLarge: true },
    weigh: { tellsOf: 'meaning', signals: [{ name: kind, weight: 0.6 }] },
    maker({ senses = {} }) {
      const sense = senseOf(kind, senses)
      const id = senses[sense]
      return id === undefined ? undefined : { id: makerOf(sense, id) }
    },
    ask: ({ perceived, senses }) => ({ [kind]: perceived[senseOf(kind, senses)] }),
  }
}
