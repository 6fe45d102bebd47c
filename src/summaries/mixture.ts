import { exp, log } from '../base/exponential.js'
import { principalCoordinates } from './principal.js'

/** Dimensions in which the mixture is fitted: as many as RAPTOR reduces to (Sarthi et al., 2024). */
const DIMENSIONS = 10
/** Rounds of expectation and maximization at most, and the gain of log-likelihood a vector below which they end. */
const [ROUNDS, LEAST_GAIN] = [60, 1e-6]
/** Probability below which a vector does not belong to a cluster, as in RAPTOR. */
const LEAST_MEMBERSHIP = 0.1
/** The narrowest a cluster may be, as a share of the spread of all vectors: a single vector is no cluster. */
const NARROWEST = 0.02
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
  let logLikelihood = 0
  const shares = points.map((point) => {
    const logs = Float64Array.from(means, (mean, k) => {
      if (weights[k] === 0) return -Infinity
      const spread = point.length * (LOG_TAU + log(variances[k])) + distance(point, mean) / variances[k]
      return log(weights[k]) - spread / 2
    })
    const largest = logs.reduce((most, value) => Math.max(most, value), -Infinity)
    const densities = logs.map((value) => (value === -Infinity ? 0 : exp(value - largest)))
    const sum = densities.reduce((total, value) => total + value, 0)
    logLikelihood += largest + log(sum)
    return densities.map((value) => value / sum)
  })
  return { shares, logLikelihood }
}

function maximized(
  points: readonly Float64Array[],
  shares: readonly Float64Array[],
  { means, variances }: Mixture,
  narrowest: number,
): Mixture {
  const totals = means.map((_, k) => shares.reduce((sum, row) => sum + row[k], 0))
  const moved = means.map((mean, k) => {
    if (totals[k] === 0) return mean
    const next = new Float64Array(mean.length)
    for (const [p, point] of points.entries())
      for (let i = 0; i < next.length; i++) next[i] += (shares[p][k] / totals[k]) * point[i]
    return next
  })
  return {
    means: moved,
    variances: variances.map((variance, k) => {
      if (totals[k] === 0) return variance
      const squared = points.reduce((sum, point, p) => sum + shares[p][k] * distance(point, moved[k]), 0)
      return Math.max(narrowest, squared / totals[k] / Math.max(1, moved[k].length))
    }),
    weights: Float64Array.from(totals, (total) => total / points.length),
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
