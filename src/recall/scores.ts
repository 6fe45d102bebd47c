import type { Indexes } from '../indexes/indexes.js'
import { Gathering } from '../indexes/gathering.js'
import type { FetchSignatures, ReadKind } from '../indexes/signatures.js'
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

/** Signatures of a kind for which memory stays, at most: 1 KiB each. Most questions ask for 1,000 to 4,000. */
const KEPT = 8_192

/** What was gathered for the last question: memory that stays for the next, unless that comes before it is done. */
let spare: Record<ReadKind, Gathering> | undefined

/**
 * Scores given slots with the signatures of these alone: in a memory that is too large for its rows, to read some from the
 * storage is quicker than to go through all columns.
 */
export async function withScorers<T>(indexes: Indexes, fetch: FetchSignatures | undefined, slots: Uint32Array, use: (scorers: Scorers) => T): Promise<T> {
  if (fetch === undefined || indexes.hasRows) return use(scorersOf(indexes))
  const { kernel, latents, sentences } = indexes
  const gathered = spare ?? { text: new Gathering(), latent: new Gathering(), sentence: new Gathering() }
  spare = undefined
  gathered.text.begin(slots.length)
  gathered.latent.begin(latents === undefined ? 0 : slots.length)
  gathered.sentence.begin(sentences === undefined ? 0 : slots.length)
  await fetch(slots, (slot, kind, bytes, at) => gathered[kind].add(slot, bytes, at))
  const arenaFor = (kind: ReadKind) => {
    const arena = kernel.arena()
    arena.setMany(gathered[kind].slots, gathered[kind].signatures)
    return arena
  }
  const [text, latent, sentence] = [arenaFor('text'), latents && arenaFor('latent'), sentences && arenaFor('sentence')]
  spare = slots.length <= KEPT ? gathered : undefined
  try {
    return use({ text, latent, sentence, structured: indexes.structured })
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
