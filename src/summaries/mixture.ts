import { exp, log } from '../base/exponential.js'
import { principalCoordinates } from './principal.js'

/** Dimensions in which the mixture is fitted: as many as RAPTOR reduces to (Sarthi et al., 2024). */
const DIMENSIONS = 10
/**
 * Rounds of expectation and maximization at most, and the gain of log-likelihood a vector below which they end: that of
 * scikit-learn's GaussianMixture, with which RAPTOR clusters.
 */
const [ROUNDS, LEAST_GAIN] = [60, 1e-3]
/** Probability below which a vector does not belong to a cluster, as in RAPTOR. */
const LEAST_MEMBERSHIP = 0.1
/** The narrowest a cluster may be, as a share of the spread of all vectors: a single vector is no cluster. */
const NARROWEST = 0.02
/** Logarithm of a share that does not count beside the largest one: less than the last bit of it. */
const LEAST_LOG = -40
/** Counts of clusters that are tried beyond the best. */
const PATIENCE = 3
const LOG_TAU = log(2 * Math.PI)

/** A mixture of round Gaussians. */
interface Mixture {
  readonly means: readonly Float64Array[]
  readonly variances: Float64Array
  readonly weights: Float64Array
}

/** One cluster: which vectors belong to it, and how surely. */
export interface SoftCluster {
  /** Ascending. */
  readonly members: readonly number[]
  /** Of each member, {@link LEAST_MEMBERSHIP} to 1; those of a vector in all clusters sum to at most 1. */
  readonly probabilities: readonly number[]
}

/**
 * Soft clusters of vectors, as RAPTOR makes them: a mixture of Gaussians over reduced vectors, with the number of
 * clusters that the Bayesian information criterion chooses (Schwarz, 1978). A vector may belong to several. Nothing is
 * drawn at random: each mixture begins from vectors that lie farthest from each other, so that the same vectors give
 * the same bits everywhere.
 *
 * @param vectors of one length
 * @param most the most clusters
 * @returns the clusters by their first member; one of all vectors where they do not fall apart
 */
export function softClusters(vectors: readonly ArrayLike<number>[], most: number): SoftCluster[] {
  if (vectors.length === 0) return []
  const points = principalCoordinates(vectors, Math.min(DIMENSIONS, vectors.length - 1))
  const centres = apart(points, Math.min(most, vectors.length))
  let best = expected(points, fitted(points, centres.slice(0, 1)))
  let least = criterion(points, best.logLikelihood, 1)
  let tried = 1
  for (let count = 2; count <= centres.length && tried <= PATIENCE; count++, tried++) {
    const found = expected(points, fitted(points, centres.slice(0, count)))
    const value = criterion(points, found.logLikelihood, count)
    if (value < least) [best, least, tried] = [found, value, 0]
  }
  return clustersOf(best.shares)
}

/** The points from which mixtures begin: the one farthest from the middle, then each time the one farthest from all. */
function apart(points: readonly Float64Array[], count: number): Float64Array[] {
  const distances = points.map((point) => distance(point, new Float64Array(point.length)))
  const chosen: Float64Array[] = []
  while (chosen.length < count) {
    let farthest = 0
    for (let i = 1; i < points.length; i++) if (distances[i] > distances[farthest]) farthest = i
    if (chosen.length > 0 && distances[farthest] === 0) break
    chosen.push(points[farthest])
    for (let i = 0; i < points.length; i++) {
      const near = distance(points[i], points[farthest])
      distances[i] = chosen.length === 1 ? near : Math.min(distances[i], near)
    }
  }
  return chosen
}

/** Fits a mixture by expectation and maximization. */
function fitted(points: readonly Float64Array[], centres: readonly Float64Array[]): Mixture {
  const middle = new Float64Array(points[0].length)
  for (const point of points) for (let i = 0; i < middle.length; i++) middle[i] += point[i] / points.length
  const spread = points.reduce((sum, point) => sum + distance(point, middle), 0) / points.length
  const dimensions = Math.max(1, middle.length)
  const narrowest = Math.max((NARROWEST * spread) / dimensions, Number.MIN_VALUE)
  let mixture: Mixture = {
    means: centres,
    variances: new Float64Array(centres.length).fill(Math.max(narrowest, spread / dimensions / centres.length)),
    weights: new Float64Array(centres.length).fill(1 / centres.length),
  }
  let before = -Infinity
  for (let round = 0; round < ROUNDS; round++) {
    const { shares, logLikelihood } = expected(points, mixture)
    if (logLikelihood - before < LEAST_GAIN * points.length) break
    before = logLikelihood
    mixture = maximized(points, shares, mixture, narrowest)
  }
  return mixture
}

/** How surely each point belongs to each Gaussian, and how likely the points are. */
function expected(
  points: readonly Float64Array[],
  { means, variances, weights }: Mixture,
): { readonly shares: readonly Float64Array[]; readonly logLikelihood: number } {
  // The logarithm of the density in the middle of each Gaussian.
  const peaks = Float64Array.from(weights, (weight, k) =>
    weight === 0 ? -Infinity : log(weight) - (points[0].length * (LOG_TAU + log(variances[k]))) / 2,
  )
  let logLikelihood = 0
  const shares = points.map((point) => {
    const densities = new Float64Array(means.length)
    let largest = -Infinity
    for (let k = 0; k < means.length; k++) {
      densities[k] = peaks[k] === -Infinity ? -Infinity : peaks[k] - distance(point, means[k]) / (2 * variances[k])
      if (densities[k] > largest) largest = densities[k]
    }
    let sum = 0
    for (let k = 0; k < means.length; k++) {
      const below = densities[k] - largest
      densities[k] = below < LEAST_LOG ? 0 : exp(below)
      sum += densities[k]
    }
    for (let k = 0; k < means.length; k++) densities[k] /= sum
    logLikelihood += largest + log(sum)
    return densities
  })
  return { shares, logLikelihood }
}

function maximized(
  points: readonly Float64Array[],
  shares: readonly Float64Array[],
  { means, variances }: Mixture,
  narrowest: number,
): Mixture {
  const totals = new Float64Array(means.length)
  for (const row of shares) for (let k = 0; k < totals.length; k++) totals[k] += row[k]
  const moved = means.map((mean, k) => (totals[k] === 0 ? mean : new Float64Array(mean.length)))
  const squared = new Float64Array(means.length)
  for (const [p, point] of points.entries())
    for (let k = 0; k < totals.length; k++) {
      const share = shares[p][k]
      if (share === 0) continue
      const mean = moved[k]
      for (let i = 0; i < mean.length; i++) mean[i] += (share / totals[k]) * point[i]
    }
  for (const [p, point] of points.entries())
    for (let k = 0; k < totals.length; k++) if (shares[p][k] > 0) squared[k] += shares[p][k] * distance(point, moved[k])
  return {
    means: moved,
    variances: variances.map((variance, k) =>
      totals[k] === 0 ? variance : Math.max(narrowest, squared[k] / totals[k] / Math.max(1, moved[k].length)),
    ),
    weights: totals.map((total) => total / points.length),
  }
}

/** The Bayesian information criterion; the smaller, the better the mixture is for what it takes to describe it. */
function criterion(points: readonly Float64Array[], logLikelihood: number, clusters: number): number {
  const parameters = clusters * (points[0].length + 1) + clusters - 1
  return parameters * log(points.length) - 2 * logLikelihood
}

function clustersOf(shares: readonly Float64Array[]): SoftCluster[] {
  const clusters = Array.from({ length: shares[0].length }, (_, k): SoftCluster => {
    const members = shares.flatMap((row, i) => (row[k] >= LEAST_MEMBERSHIP ? [i] : []))
    return { members, probabilities: members.map((i) => shares[i][k]) }
  })
  return clusters
    .filter(({ members }) => members.length > 0)
    .sort((a, b) => a.members[0] - b.members[0] || b.probabilities[0] - a.probabilities[0])
}

/** The squared distance. */
function distance(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] - b[i]) * (a[i] - b[i])
  return sum
}
