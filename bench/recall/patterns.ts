import type { TriplePattern } from '../../src/api/episode.js'
import type { RecallOptions } from '../../src/api/recall.js'
import { Agidb } from '../../src/runtimes/node/index.js'
import { PATTERN, withPattern, type PatternCurve } from '../../src/recall/answer/confidence.js'
import { fitOf } from '../../src/recall/evidence/pattern.js'
import { calibrationError, reliability } from './metrics.js'
import { statementMemories, type Half, type StatementMemory } from './statements.js'
import { table, type Row } from './table.js'

type Weights = NonNullable<RecallOptions['weights']>

/** Weights under which each question with a cue and a pattern is asked. */
const WEIGHTS: readonly Weights[] = [
  { structured: 0.7, fuzzy: 0.3 },
  { structured: 0.5, fuzzy: 0.5 },
  { structured: 0.3, fuzzy: 0.7 },
]
const DEPTH = 10
/** How far down the ranking by the cue alone is read for what the constants are fitted on. */
const DEEP = 100

/** The first ten matches of one question. */
interface Answer {
  readonly condition: string
  readonly answerable: boolean
  readonly allLow: boolean
  readonly judged: readonly Judged[]
}

/** One match. */
interface Judged {
  readonly confidence: number
  readonly right: boolean
  /** Of the same episode by the cue alone; 0 where there is no cue or it is not found by it. */
  readonly byCue: number
  /** With the pattern; absent where there is none. */
  readonly fit?: number
  readonly weights: Weights
}

/** Asks half of the material and prints a table, a row for each way to ask. */
export async function printPatterns(half: Half): Promise<void> {
  const answers = await asked(half)
  console.log(
    table(
      ['questions', 'ECE', 'ECE of the best', 'best, right', 'best, wrong', 'low, answerable', 'low, unanswerable'],
      rows(answers),
    ),
  )
}

/**
 * Fits the constants of the confidence with a pattern on one half, and prints them, and the log loss with them and with
 * those in use.
 */
export async function printFitted(): Promise<void> {
  const judged = (await asked('fit')).flatMap((answer) => answer.judged).filter(({ fit }) => fit !== undefined)
  const fitted = minimised((curve) => loss(judged, curve), PATTERN)
  for (const [name, curve] of [
    ['in use', PATTERN],
    ['fitted', fitted],
  ] as const) {
    console.log(
      `${name}: ${JSON.stringify(curve)}, log loss ${loss(judged, curve).toFixed(4)} over ${judged.length} matches`,
    )
  }
}

async function asked(half: Half): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const memory of await statementMemories(half)) answers.push(...(await askedOf(memory)))
  return answers
}

async function askedOf({ observations, questions }: StatementMemory): Promise<Answer[]> {
  const db = await Agidb.open({ storage: 'memory', clock: () => Date.UTC(2026, 0, 1), seed: 1 })
  const ids = await db.observeMany(observations)
  const indexOf = new Map(ids.map((id, index) => [id, index]))
  const answers: Answer[] = []
  for (const { cue, gold, exact, wrong } of questions) {
    const alone = new Map((await db.recall(cue, { k: DEEP })).matches.map(({ id, confidence }) => [id, confidence]))
    const ask = async (condition: string, cue: string | undefined, structured?: TriplePattern, weights?: Weights) => {
      const { matches } = await db.recall(cue, {
        k: DEPTH,
        ...(structured && { structured }),
        ...(weights && { weights }),
      })
      const judged = matches.map(({ id, confidence }): Judged => {
        const index = indexOf.get(id)!
        return {
          confidence,
          right: gold.includes(index),
          byCue: cue === undefined ? 0 : (alone.get(id) ?? 0),
          ...(structured && { fit: fitOf(observations[index].triples ?? [], structured) }),
          weights: weights ?? { structured: 1, fuzzy: 0 },
        }
      })
      answers.push({
        condition,
        answerable: gold.length > 0,
        allLow: matches.every(({ lowConfidence }) => lowConfidence),
        judged,
      })
    }
    await ask('cue alone', cue)
    for (const weights of WEIGHTS)
      await ask(`cue, fitting pattern, ${weights.structured} to ${weights.fuzzy}`, cue, exact, weights)
    for (const weights of WEIGHTS)
      await ask(`cue, wrong pattern, ${weights.structured} to ${weights.fuzzy}`, cue, wrong, weights)
    await ask('pattern alone', undefined, exact)
  }
  await db.close()
  return answers
}

function rows(answers: readonly Answer[]): Row[] {
  const conditions = [...new Set(answers.map(({ condition }) => condition))].sort(
    (a, b) =>
      Number(a.includes('wrong')) - Number(b.includes('wrong')) ||
      Number(a === 'pattern alone') - Number(b === 'pattern alone'),
  )
  return conditions.map((condition): Row => {
    const here = answers.filter((answer) => answer.condition === condition)
    const best = here.flatMap(({ judged }) => judged.slice(0, 1))
    const surest = (right: boolean) =>
      mean(best.filter((one) => one.right === right).map(({ confidence }) => confidence))
    const low = (answerable: boolean) =>
      mean(here.filter((one) => one.answerable === answerable).map(({ allLow }) => Number(allLow)))
    return [
      condition,
      {
        questions: String(here.length),
        ECE: calibrationError(reliability(here)),
        'ECE of the best': calibrationError(reliability([{ judged: best }])),
        'best, right': surest(true),
        'best, wrong': surest(false),
        'low, answerable': low(true),
        'low, unanswerable': low(false),
      },
    ]
  })
}

/** Mean log loss. */
function loss(judged: readonly Judged[], curve: PatternCurve): number {
  return mean(
    judged.map(({ right, byCue, fit = 0, weights }) => {
      const confidence = Math.min(1 - 1e-6, Math.max(1e-6, withPattern(byCue, fit, weights, curve)))
      return -Math.log(right ? confidence : 1 - confidence)
    }),
  )
}

/**
 * Coordinate descent with steps from 1 to 0.05, in hundredths. `fits` stays positive: a statement that fits says more
 * than one that does not.
 */
function minimised(loss: (curve: PatternCurve) => number, start: PatternCurve): PatternCurve {
  let best = start
  for (let step = 1; step >= 0.05; step /= 2) {
    for (let moved = true; moved; ) {
      moved = false
      for (const name of ['intercept', 'share', 'fits'] as const) {
        for (const sign of [1, -1]) {
          const next = { ...best, [name]: Math.round((best[name] + sign * step) * 100) / 100 }
          if (next.share < 0 || next.fits <= 0 || loss(next) >= loss(best)) continue
          best = next
          moved = true
        }
      }
    }
  }
  return best
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? NaN : values.reduce((sum, value) => sum + value, 0) / values.length
}
