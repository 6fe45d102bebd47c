import { quantile, type Row } from './section.js'

/** One that takes part in a race. */
export interface Contender {
  readonly name: string
  /** As of {@link Row}. */
  readonly key?: string
  /** Answers one query, and how long that took in ms where it is not for the race to measure. */
  readonly run: (query: number) => number | void | Promise<number | void>
}

/** Milliseconds of each contender in each round. */
export interface Samples {
  /** After a larger buffer than any cache was read. */
  readonly cold: number[][]
  /** Straight after a run for another query. */
  readonly warm: number[][]
}

/** Different queries there must be: an arena remembers what it counted for the last one. More than rounds. */
export const QUERIES = 64
/** Larger than the largest cache there is. */
const EVICT_BYTES = 512 << 20
/** Rounds before those that count, in which the compilers finish. */
const TRIED = 2

/**
 * How long each contender takes. They take turns in random order, so that what else the machine does falls on all
 * alike.
 */
export async function race(contenders: readonly Contender[], rounds: number, clock: () => number): Promise<Samples> {
  const [cold, warm] = [contenders.map((): number[] => []), contenders.map((): number[] => [])]
  const evict = new Float64Array(EVICT_BYTES / 8).fill(1)
  let read = 0
  for (let round = -TRIED; round < rounds; round++) {
    for (const i of shuffled(contenders.map((_, i) => i))) {
      for (let i = 0; i < evict.length; i += 8) read += evict[i]
      for (const [samples, query] of [
        [cold, round + QUERIES],
        [warm, round + QUERIES + QUERIES / 2],
      ] as const) {
        const started = clock()
        const own = await contenders[i].run(query % QUERIES)
        if (round >= 0) samples[i].push(own ?? clock() - started)
      }
    }
  }
  if (read === 0) throw new Error('the caches were not emptied')
  return { cold, warm }
}

/** The median of each contender's milliseconds, and of its ratios to the first within a round. */
export function raced(contenders: readonly Contender[], samples: readonly (readonly number[])[]): Row[] {
  const [base] = samples
  return contenders.map(({ name, key }, i) => ({
    name,
    key,
    value: quantile(samples[i], 0.5),
    unit: 'ms',
    ratio: quantile(
      samples[i].map((ms, round) => ms / base[round]),
      0.5,
    ),
  }))
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)
}
