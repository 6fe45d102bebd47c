import type { Result } from './exam.js'

/** Figures by name, as printed and written to `--json`; what could not be measured is not in it. */
export type Metrics = Record<string, number>

/** One bin of a reliability diagram: all that was given a confidence in it. */
export interface Bin {
  readonly count: number
  /** Mean confidence, 0 to 1; NaN in an empty bin. */
  readonly confidence: number
  /** Share that was right, 0 to 1; NaN in an empty bin. */
  readonly right: number
}

/** Retrieval quality, calibration and time over all questions; retrieval over those that have an answer. */
export function metrics(results: readonly Result[]): Metrics {
  const ranked = results.filter(({ ranks }) => ranks.length > 0).map(({ ranks }) => ranks)
  const times = results.map(({ elapsedMs }) => elapsedMs).sort((a, b) => a - b)
  const figures: Metrics = { questions: results.length }
  for (const k of [5, 10, 20])
    figures[`R@${k}`] = mean(ranked.map((ranks) => mean(ranks.map((rank) => Number(rank < k)))))
  for (const k of [10, 20]) figures[`hit@${k}`] = mean(ranked.map((ranks) => Number(Math.min(...ranks) < k)))
  figures.MRR = mean(ranked.map((ranks) => 1 / (1 + Math.min(...ranks))))
  if (results.some(({ judged }) => judged.length > 0)) figures.ECE = calibrationError(reliability(results))
  figures.recallMsP50 = quantile(times, 0.5)
  figures.recallMsP95 = quantile(times, 0.95)
  return figures
}

/** How well questions with an answer are told from those without one; nothing if there is none of either. */
export function doubt(results: readonly Result[]): Metrics {
  const answerable = results.filter(({ question }) => question.gold.length > 0)
  const unanswerable = results.filter(({ question }) => question.gold.length === 0)
  if (answerable.length === 0 || unanswerable.length === 0) return {}
  const figures: Metrics = {
    answerable: answerable.length,
    unanswerable: unanswerable.length,
    AUROC: separation(
      answerable.map(({ best }) => best),
      unanswerable.map(({ best }) => best),
    ),
  }
  if (results.some(({ allLow }) => allLow !== undefined)) {
    // To find nothing is to doubt, too.
    figures.answerableLow = mean(answerable.map(({ allLow }) => Number(allLow ?? true)))
    figures.unanswerableLow = mean(unanswerable.map(({ allLow }) => Number(allLow ?? true)))
    figures.ECEOfAll = calibrationError(reliability(results))
  }
  return figures
}

/** Confidence and rightness of the first ten of each question, in ten bins of equal width. */
export function reliability(results: readonly Pick<Result, 'judged'>[]): Bin[] {
  const judged = results.flatMap((result) => result.judged)
  return Array.from({ length: 10 }, (_, bin) => {
    const within = judged.filter(({ confidence }) => Math.min(9, Math.floor(confidence * 10)) === bin)
    return {
      count: within.length,
      confidence: mean(within.map(({ confidence }) => confidence)),
      right: mean(within.map(({ right }) => Number(right))),
    }
  })
}

/** Expected calibration error (Naeini et al. 2015). */
export function calibrationError(bins: readonly Bin[]): number {
  const filled = bins.filter(({ count }) => count > 0)
  const total = filled.reduce((sum, { count }) => sum + count, 0)
  return filled.reduce((sum, { count, confidence, right }) => sum + (count / total) * Math.abs(confidence - right), 0)
}

/** Area under the ROC curve: how often one of `high` is above one of `low`; ties count half. */
export function separation(high: readonly number[], low: readonly number[]): number {
  return mean(high.map((a) => mean(low.map((b) => (a > b ? 1 : a === b ? 0.5 : 0)))))
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? NaN : values.reduce((sum, value) => sum + value, 0) / values.length
}

function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]
}
