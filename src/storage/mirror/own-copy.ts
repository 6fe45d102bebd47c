import type { Signatures, StoredEpisode } from '../../api/storage.js'

/**
 * An episode in arrays of its own: what storage hands over are often views that are valid for a moment, or that keep a
 * whole piece of a file.
 */
export function ownCopy(episode: StoredEpisode): StoredEpisode {
  return { ...episode, row: episode.row.slice(), signatures: ownSignatures(episode.signatures) }
}

/** Signatures in arrays of their own. */
export function ownSignatures(signatures: Signatures): Signatures {
  return Object.fromEntries(Object.entries(signatures).map(([kind, bytes]) => [kind, bytes!.slice()]))
}
