import type { Indexes } from '../../indexes/indexes.js'
import type { SpaceKind } from '../../encoding/spaces/spaces.js'
import type { FetchSignatures } from '../../indexes/signatures.js'
import { type Batch, type Kernel, NO_SCORE, type Query } from '../../kernel/port.js'

/**
 * Scores the signatures of the slots that are looked at, in their order, of so many at least; {@link NO_SCORE} where
 * there is none.
 */
export type Scorer = (query: Query, least: number) => Int32Array

/** What can be asked for the scores of some slots, by space; absent for a space without signatures. */
export type Scorers = Readonly<Partial<Record<SpaceKind, Scorer>>>

/**
 * All arenas of the indexes: for memories of which they keep the rows, from which a few slots are scored in no time.
 */
export function scorersOf({ signatures }: Indexes, slots: Uint32Array): Scorers {
  return Object.fromEntries(
    signatures.arenas.map(({ kind, arena }): [SpaceKind, Scorer] => [
      kind,
      (query, least) => arena.score(query, slots.subarray(0, least)),
    ]),
  )
}

/** Signatures of a kind for which memory stays, at most: 1 KiB each. Most questions ask for 1,000 to 4,000. */
const MAX_READ = 8_192

/** Memory for what is read for the next question; away while one is answered. */
const spare = new WeakMap<Kernel, Map<SpaceKind, Read>>()

/**
 * Scores slots with the signatures of these alone: in a memory that is too large for its rows, to read some from the
 * storage is quicker than to go through all columns.
 *
 * @param placeOf answers the place of a slot among them.
 * @param asksScanned whether what was scanned for is asked again, which whole columns answer sooner.
 */
export async function withScorers<T>(
  indexes: Indexes,
  fetch: FetchSignatures | undefined,
  slots: Uint32Array,
  placeOf: (slot: number) => number,
  use: (scorers: Scorers) => T,
  asksScanned = false,
): Promise<T> {
  const { kernel, signatures, arenas } = indexes
  const scorers = scorersOf(indexes, slots)
  const isHere = !indexes.text.bring && (arenas.hasRows || (asksScanned && arenas.isWhole))
  if (fetch === undefined || isHere) return use(scorers)
  const reads = spare.get(kernel) ?? new Map<SpaceKind, Read>()
  spare.delete(kernel)
  try {
    const read: Partial<Record<SpaceKind, Scorer>> = {}
    for (const { kind, space } of signatures.arenas) {
      if (!space.search.isLarge) continue
      if (!reads.has(kind)) reads.set(kind, new Read(kernel))
      reads.get(kind)!.begin(slots.length)
      read[kind] = reads.get(kind)!.scorer
    }
    await fetch(slots, (slot, kind, bytes, at) => reads.get(kind)!.add(placeOf(slot), bytes, at))
    return use({ ...scorers, ...read })
  } catch (error) {
    indexes.noteFull(error)
    throw error
  } finally {
    if (slots.length <= MAX_READ && !spare.has(kernel)) spare.set(kernel, reads)
    else for (const { batch } of reads.values()) batch.free()
  }
}

/** Signatures that were read, in any order. */
class Read {
  readonly batch: Batch
  /** How many slots are looked at. */
  #slots = 0
  /** The places of those whose signatures came, in their order. */
  readonly #rows: number[] = []

  constructor(kernel: Kernel) {
    this.batch = kernel.batch()
  }

  begin(slots: number): void {
    this.batch.begin(slots)
    this.#slots = slots
    this.#rows.length = 0
  }

  add(row: number, bytes: Uint8Array, at: number): void {
    this.batch.add(bytes, at)
    this.#rows.push(row)
  }

  readonly scorer: Scorer = (query) => {
    const found = this.batch.score(query)
    const scores = new Int32Array(this.#slots).fill(NO_SCORE)
    for (let i = 0; i < found.length; i++) scores[this.#rows[i]] = found[i]
    return scores
  }
}

/**
 * Arenas of so many signatures and more are scanned at the heaviest dimensions of a query; smaller ones at all. In a
 * memory of more episodes candidates are looked at twice: see `first-look.ts`.
 */
export const LARGE_MEMORY = 4_096
/** What a scan finds in arenas of fewer signatures is scored at all dimensions: see `candidates/find-nearest.ts`. */
export const REFINED_UNDER = 32_768
/** Dimensions asked at, times signatures: so that the scan takes about as long, however many there are. */
const WORK = 2 ** 28
/**
 * Of the ten best of 100,000 turns practically all are among the hundred that a scan at 512 dimensions finds; of a
 * million at 256 it is 98 % by text and 95 % by meaning (`bench:speed -- --only heaviest`), and the words find most of
 * the others.
 */
const DIMENSIONS = { least: 256, most: 512 }

/** At how many dimensions an arena of so many signatures is to be asked; `undefined`: at all. */
export function dimensionsFor(signatures: number, query: Query): number | undefined {
  if (signatures < LARGE_MEMORY || query.planes === undefined) return undefined
  return Math.max(DIMENSIONS.least, Math.min(DIMENSIONS.most, Math.floor(WORK / signatures)))
}
