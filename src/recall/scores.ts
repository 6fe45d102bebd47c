import type { Indexes } from '../indexes/indexes.js'
import { Gathering } from '../indexes/gathering.js'
import type { FetchSignatures } from '../indexes/signatures.js'
import type { Arena, Query } from '../kernel/port.js'

/** The arenas that can be asked for the scores of some slots. */
export interface Scorers {
  readonly text: Scorer
  readonly structured: Scorer
  readonly latent: Scorer | undefined
  readonly sentence: Scorer | undefined
}

export type Scorer = Pick<Arena, 'score'>

/** All arenas of the indexes: for memories of which they keep the rows, from which a few slots are scored in no time. */
export function scorersOf({ text, structured, latents, sentences }: Indexes): Scorers {
  return { text, structured, latent: latents?.arena, sentence: sentences?.arena }
}

/**
 * Scores given slots with the signatures of these alone: in a memory that is too large for its rows, to read some from the
 * storage is quicker than to go through all columns.
 */
export async function withScorers<T>(indexes: Indexes, fetch: FetchSignatures | undefined, slots: Uint32Array, use: (scorers: Scorers) => T): Promise<T> {
  if (fetch === undefined || indexes.hasRows) return use(scorersOf(indexes))
  const { kernel, latents, sentences } = indexes
  const gathered = { text: new Gathering(slots.length), latent: latents && new Gathering(slots.length), sentence: sentences && new Gathering(slots.length) }
  await fetch(slots, (slot, { text, latent, sentence }) => {
    if (text !== undefined) gathered.text.add(slot, text)
    if (latent !== undefined) gathered.latent?.add(slot, latent)
    if (sentence !== undefined) gathered.sentence?.add(slot, sentence)
  })
  const [text, latent, sentence] = [gathered.text, gathered.latent, gathered.sentence].map((some) => {
    const arena = some && kernel.arena()
    arena?.setMany(some!.slots, some!.signatures)
    return arena
  })
  try {
    return use({ text: text!, latent, sentence, structured: indexes.structured })
  } finally {
    for (const arena of [text, latent, sentence]) arena?.free()
  }
}

/** Signatures from which on a scan asks at the heaviest dimensions alone. */
export const LARGE = 32_768
/** Dimensions asked at, times signatures: so that the scan takes about as long, however many there are. */
const WORK = 2 ** 28
/** With 512 dimensions 99.8 % of the ten best are among the hundred that the scan finds, with 1,024 practically all (`bench:speed -- --only heaviest`, of 100,000 turns). */
const DIMENSIONS = { least: 512, most: 1024 }

/** At how many dimensions an arena of so many signatures is to be asked; `undefined`: at all. */
export function dimensionsFor(signatures: number, query: Query): number | undefined {
  if (signatures < LARGE || query.planes === undefined) return undefined
  return Math.max(DIMENSIONS.least, Math.min(DIMENSIONS.most, Math.floor(WORK / signatures)))
}
