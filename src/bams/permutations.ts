import { pairAt } from './dissimilarities.js'
import { Random } from './random.js'

/** Of statistics that are equal but for the last bits. */
const NEAR = 1e-12

/** The outcome of a permutation test. */
export interface PermutationTest {
  /** How likely a statistic at least as high is where the stimuli are matched at random; one-sided. */
  readonly p: number
  /** How many orders were tried. */
  readonly permutations: number
  /** Whether these are all orders that there are. */
  readonly exact: boolean
}

/**
 * Tests a statistic of a matrix against orders of its stimuli (Mantel 1967). All orders are tried where there are no
 * more than `permutations`; otherwise so many random ones, and the given order counts as one of them (Phipson and Smyth
 * 2010).
 */
export function permutationTest(
  values: Float64Array,
  stimuli: number,
  statistic: (values: Float64Array) => number,
  { permutations, seed }: { readonly permutations: number; readonly seed: number },
): PermutationTest {
  const observed = statistic(values) - NEAR
  const shuffled = new Float64Array(values.length)
  const reaches = (order: Uint32Array): boolean => {
    let at = 0
    for (let i = 0; i < stimuli; i++)
      for (let j = i + 1; j < stimuli; j++) shuffled[at++] = values[pairAt(order[i], order[j], stimuli)]
    return statistic(shuffled) >= observed
  }
  const all = factorial(stimuli)
  let reached = 0
  if (all <= permutations) {
    for (const order of orders(stimuli)) reached += Number(reaches(order))
    return { p: reached / all, permutations: all, exact: true }
  }
  const random = new Random(seed)
  const order = new Uint32Array(stimuli)
  for (let i = 0; i < permutations; i++) {
    random.shuffle(order)
    reached += Number(reaches(order))
  }
  return { p: (reached + 1) / (permutations + 1), permutations, exact: false }
}

function factorial(n: number): number {
  let product = 1
  for (let i = 2; i <= n; i++) product *= i
  return product
}

/** All orders of 0 to n − 1, each from the last by one exchange (Heap 1963). */
function* orders(n: number): Generator<Uint32Array> {
  const order = Uint32Array.from({ length: n }, (_, i) => i)
  const counts = new Uint32Array(n)
  yield order
  for (let i = 1; i < n; ) {
    if (counts[i] < i) {
      const j = i % 2 === 0 ? 0 : counts[i]
      ;[order[i], order[j]] = [order[j], order[i]]
      yield order
      counts[i]++
      i = 1
    } else counts[i++] = 0
  }
}
