import { checkKeys, checkNumber, checkWhole, invalid } from '../../api/check.js'
import type { FitSurpriseOptions, FittedSurprise, SurprisePair, SurpriseProfile } from '../../api/sensory.js'
import { curveAt } from '../../base/curve.js'

/** Pairs that a fit needs at least. */
const FEWEST = 20
/** Of an external measure, so that differences stay finite. */
const LARGEST = 1e300

/** The curve of a profile at a surprise: linear between its points, level beyond them. */
export function calibrated(
  { surprise, expected }: Pick<SurpriseProfile, 'surprise' | 'expected'>,
  value: number,
): number {
  return curveAt(surprise, expected, value)
}

/**
 * Fits agidb's surprise to an external measure of it, such as one of a model of the brain, by the same frames in the
 * order of time: a curve that never descends, by isotonic regression, and the threshold on it that best tells the
 * frames of high external surprise (Youden's J, 1950). The error is cross-validated on parts of the series that lie
 * together, since neighbours in time are alike.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` on fewer than 20 pairs or 2 a fold, numbers out of range, or a measure
 * that is the same everywhere
 */
export function fitSurpriseProfile(pairs: readonly SurprisePair[], options: FitSurpriseOptions = {}): FittedSurprise {
  checkKeys('fitSurpriseProfile', options, ['quantile', 'folds'])
  const { quantile = 0.8, folds = 5 } = options
  checkNumber('quantile', quantile, 0.01, 0.99)
  checkWhole('folds', folds, 2, 100)
  checkPairs(pairs, Math.max(FEWEST, 2 * folds))
  let [zero, one] = [Infinity, -Infinity]
  for (const { external } of pairs) [zero, one] = [Math.min(zero, external), Math.max(one, external)]
  if (zero === one)
    throw invalid(`the external surprise is ${zero} in every pair; there is nothing to fit`, { what: 'pairs' })
  const scaled = pairs.map(({ surprise, external }) => ({ surprise, external: (external - zero) / (one - zero) }))
  return {
    profile: fit(scaled, quantile),
    scale: { zero, one },
    crossValidated: crossValidate(scaled, quantile, folds),
  }
}

function checkPairs(pairs: readonly SurprisePair[], fewest: number): void {
  if (!Array.isArray(pairs) || pairs.length < fewest) {
    throw invalid(`pairs must be an array of at least ${fewest} { surprise, external }, in the order of time`, {
      what: 'pairs',
    })
  }
  pairs.forEach((pair: SurprisePair | undefined, i) => {
    checkKeys(`pairs[${i}]`, pair, ['surprise', 'external'])
    checkNumber(`pairs[${i}].surprise`, pair?.surprise, 0, 1)
    checkNumber(`pairs[${i}].external`, pair?.external, -LARGEST, LARGEST)
  })
  if (pairs.every(({ surprise }) => surprise === pairs[0].surprise)) {
    throw invalid(`the surprise is ${pairs[0].surprise} in every pair; there is nothing to fit`, { what: 'pairs' })
  }
}

function fit(pairs: readonly SurprisePair[], quantile: number): SurpriseProfile {
  const curve = isotonic(pairs)
  return {
    ...curve,
    threshold: bestThreshold(
      pairs.map(({ surprise }) => calibrated(curve, surprise)),
      highOnes(pairs, quantile),
    ),
  }
}

interface Block {
  surprise: number
  external: number
  weight: number
}

/**
 * The curve nearest to the pairs that never descends: neighbours out of order are pooled until none are (pool adjacent
 * violators, Ayer et al. 1955). Each pool becomes a point in its middle (centred isotonic regression, Oron and Flournoy
 * 2017), so that the curve climbs between pools instead of jumping.
 */
function isotonic(pairs: readonly SurprisePair[]): Pick<SurpriseProfile, 'surprise' | 'expected'> {
  const sorted = [...pairs].sort((a, b) => a.surprise - b.surprise)
  const blocks: Block[] = []
  for (const { surprise, external } of sorted) {
    // Equal surprises are one point, whatever is measured there.
    if (blocks.at(-1)?.surprise === surprise) pool(blocks[blocks.length - 1], { surprise, external, weight: 1 })
    else blocks.push({ surprise, external, weight: 1 })
  }
  const pools: Block[] = []
  for (const block of blocks) {
    pools.push(block)
    while (pools.length > 1 && pools[pools.length - 2].external >= pools[pools.length - 1].external) {
      const last = pools.pop()!
      pool(pools[pools.length - 1], last)
    }
  }
  // All the same: a level line.
  if (pools.length === 1)
    return {
      surprise: [sorted[0].surprise, sorted[sorted.length - 1].surprise],
      expected: [pools[0].external, pools[0].external],
    }
  return { surprise: pools.map(({ surprise }) => surprise), expected: pools.map(({ external }) => external) }
}

function pool(into: Block, { surprise, external, weight }: Block): void {
  const sum = into.weight + weight
  into.surprise = into.surprise === surprise ? surprise : (into.surprise * into.weight + surprise * weight) / sum
  into.external = (into.external * into.weight + external * weight) / sum
  into.weight = sum
}

/** Which pairs have an external surprise over the quantile; where that is none, those that have the highest. */
function highOnes(pairs: readonly SurprisePair[], quantile: number): boolean[] {
  const sorted = pairs.map(({ external }) => external).sort((a, b) => a - b)
  const at = sorted[Math.floor(quantile * sorted.length)]
  const highest = sorted[sorted.length - 1]
  return pairs.map(({ external }) => (at < highest ? external > at : external === highest))
}

/**
 * The threshold over which the high ones are, most of them, and the others not: the middle between two values, the
 * lowest of equally good ones.
 */
function bestThreshold(values: readonly number[], high: readonly boolean[]): number {
  const order = values.map((_, i) => i).sort((a, b) => values[a] - values[b])
  const highs = high.filter(Boolean).length
  let [below, best, threshold] = [{ high: 0, low: 0 }, 0, values[order[0]]]
  order.forEach((i, at) => {
    below = { high: below.high + Number(high[i]), low: below.low + Number(!high[i]) }
    const next = values[order[at + 1]]
    if (next === undefined || next === values[i]) return
    const youden = below.low / (values.length - highs) - below.high / highs
    if (youden > best) [best, threshold] = [youden, (values[i] + next) / 2]
  })
  return threshold
}

function crossValidate(
  pairs: readonly SurprisePair[],
  quantile: number,
  folds: number,
): FittedSurprise['crossValidated'] {
  const high = highOnes(pairs, quantile)
  let [squares, squaresOfMean] = [0, 0]
  const right = { high: 0, low: 0 }
  for (let fold = 0; fold < folds; fold++) {
    const [from, to] = [Math.floor((fold * pairs.length) / folds), Math.floor(((fold + 1) * pairs.length) / folds)]
    const seen = [...pairs.slice(0, from), ...pairs.slice(to)]
    const profile = fit(seen, quantile)
    const mean = seen.reduce((sum, { external }) => sum + external, 0) / seen.length
    for (let i = from; i < to; i++) {
      const expected = calibrated(profile, pairs[i].surprise)
      squares += (expected - pairs[i].external) ** 2
      squaresOfMean += (mean - pairs[i].external) ** 2
      if (expected > profile.threshold === high[i]) right[high[i] ? 'high' : 'low']++
    }
  }
  const highs = high.filter(Boolean).length
  return {
    error: Math.sqrt(squares / pairs.length),
    errorOfMean: Math.sqrt(squaresOfMean / pairs.length),
    skill: 1 - squares / squaresOfMean,
    balancedAccuracy: (right.high / highs + right.low / (pairs.length - highs)) / 2,
  }
}
