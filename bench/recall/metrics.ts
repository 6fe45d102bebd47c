import type { Result } from './exam.js'

/** Figures by name, as printed and written to `--json`. */
export type Metrics = Record<string, number>

/** Retrieval quality, calibration and time over all questions; retrieval over those that have an answer. */
export function metrics(results: readonly Result[]): Metrics {
  const answerable = results.filter(({ ranks }) => ranks.length > 0)
  const unanswerable = results.filter(({ ranks }) => ranks.length === 0)
  const times = results.map(({ elapsedMs }) => elapsedMs).sort((a, b) => a - b)
  const figures: Metrics = { questions: results.length }
  for (const k of [5, 10, 20]) figures[`R@${k}`] = mean(answerable.map(({ ranks }) => mean(ranks.map((rank) => Number(rank < k)))))
  for (const k of [10, 20]) figures[`hit@${k}`] = mean(answerable.map(({ ranks }) => Number(Math.min(...ranks) < k)))
  figures.MRR = mean(answerable.map(({ ranks }) => 1 / (1 + Math.min(...ranks))))
  figures.ECE = calibrationError(results.flatMap(({ judged }) => judged))
  if (unanswerable.length > 0) figures.AUROC = separation(answerable.map(best), unanswerable.map(best))
  figures.recallMsP50 = quantile(times, 0.5)
  figures.recallMsP95 = quantile(times, 0.95)
  return figures
}

/** Expected calibration error in ten bins of equal width (Naeini et al. 2015). */
function calibrationError(judged: readonly { confidence: number; right: boolean }[]): number {
  const bins = Array.from({ length: 10 }, () => ({ count: 0, confidence: 0, right: 0 }))
  for (const { confidence, right } of judged) {
    const bin = bins[Math.min(9, Math.floor(confidence * 10))]
    bin.count++
    bin.confidence += confidence
    bin.right += Number(right)
  }
  return bins.reduce((sum, bin) => sum + Math.abs(bin.confidence - bin.right), 0) / Math.max(1, judged.length)
}

/** Area under the ROC curve: how often one of `high` is above one of `low`; ties count half. */
function separation(high: readonly number[], low: readonly number[]): number {
  return mean(high.map((a) => mean(low.map((b) => (a > b ? 1 : a === b ? 0.5 : 0)))))
}

function best({ judged }: Result): number {
  return Math.max(0, ...judged.map(({ confidence }) => confidence))
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? NaN : values.reduce((sum, value) => sum + value, 0) / values.length
}

function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]
}
