import type { Episode, Observation } from '../../api/episode.js'
import type { SensoryFrame } from '../../api/sensory.js'
import { perceivedSignatures } from '../../encoding/perceived-signatures.js'
import type { Kernel } from '../../kernel/port.js'
import { mediaPieces, putPiece } from '../episodes/media-pieces.js'
import type { MediaRecord } from '../../records/kinds/media.js'
import { wordless } from '../../records/wordless.js'
import type { Draft } from '../draft.js'
import type { Medium } from '../translations/keeping.js'
import { latentsOf, sensedBy } from './latents.js'

/** An episode that a frame became, with all that goes along. */
export interface Promoted extends Required<Pick<Draft<unknown>, 'episodes' | 'perceived' | 'media'>> {
  readonly episode: Episode
  /** The pieces that {@link Promoted.media} stores. */
  readonly pieces: readonly MediaRecord[]
}

/** What a frame says, as an observation; without words, what it was perceived by. */
export function observationOf(frame: SensoryFrame): Observation {
  const { triples, speaker, session, source, at } = frame
  return {
    text: frame.text ?? wordless(latentsOf(frame).map(({ modality }) => modality)),
    at,
    ...(triples !== undefined && { triples }),
    ...(speaker !== undefined && { speaker }),
    ...(session !== undefined && { session }),
    ...(source !== undefined && { source }),
  }
}

/**
 * The episode that is made of a frame: of each picture or sound it has the sense, the signature of the latent, and what
 * is kept of it.
 *
 * @param prepared the episode by its observation
 * @param kept what the frame has of the pictures and sounds themselves
 */
export function promoted(kernel: Kernel, prepared: Episode, frame: SensoryFrame, kept: readonly Medium[]): Promoted {
  const sensed = sensedBy(frame)
  if (sensed.length === 0)
    return { episode: prepared, episodes: [prepared], perceived: new Map(), media: [], pieces: [] }
  const episode: Episode = { ...prepared, senses: sensed.map(({ modality }) => modality) }
  const pieces = mediaPieces(kernel, episode, kept)
  return {
    episode,
    episodes: [episode],
    perceived: new Map([[episode.id, perceivedSignatures(kernel, sensed)]]),
    media: pieces.map(putPiece),
    pieces,
  }
}
