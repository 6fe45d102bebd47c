import type { TriplePattern } from '../../src/api/episode.js'
import { Agidb } from '../../src/runtimes/node/index.js'
import { calibrationError, reliability, separation } from './metrics.js'
import { statementMemories, type Half, type StatementMemory } from './statements.js'
import { table, type Row } from './table.js'
import { WEIGHTS, type Weights } from './weights.js'

const DEPTH = 10

/** The first ten matches of one question. */
interface Answer {
  readonly condition: string
  readonly answerable: boolean
  readonly allLow: boolean
  readonly judged: readonly { readonly confidence: number; readonly right: boolean }[]
}

const COLUMNS = [
  'questions',
  'ECE',
  'ECE of the best',
  'AUROC',
  'best, right',
  'best, wrong',
  'low, answerable',
  'low, unanswerable',
]
const TITLES: Readonly<Record<Half, string>> = {
  held: 'the half by which nothing is fitted',
  fit: 'the half by which the curves are fitted',
}

/** Ways to ask, each with its figures by the names of the columns. */
export type Calibration = ReadonlyMap<string, Readonly<Record<string, number>>>

/**
 * Asks both halves of the material and prints a table of each, a row for each way to ask.
 *
 * @param folder conversations in the form of LoCoMo among whose turns the facts stand; by default those of `bench/data`
 */
export async function printPatterns(folder?: string): Promise<void> {
  for (const half of ['held', 'fit'] as const) {
    const rows = [...(await calibrationOf(half, folder))].map(
      ([condition, { questions, ...figures }]): Row => [condition, { questions: String(questions), ...figures }],
    )
    console.log(`${TITLES[half]}\n\n${table(COLUMNS, rows)}\n`)
  }
}

/**
 * How well the confidence of the questions of a half is calibrated, in each way to ask them. @param folder as in {@link
 * printPatterns}.
 */
export async function calibrationOf(half: Half, folder?: string): Promise<Calibration> {
  const answers: Answer[] = []
  for (const memory of await statementMemories(half, folder)) answers.push(...(await askedOf(memory)))
  const later = (condition: string) => (condition.startsWith('pattern') ? 2 : Number(condition.includes('wrong')))
  const conditions = [...new Set(answers.map(({ condition }) => condition))].sort((a, b) => later(a) - later(b))
  return new Map(
    conditions.map((condition) => [condition, figuresOf(answers.filter((answer) => answer.condition === condition))]),
  )
}

async function askedOf({ observations, questions }: StatementMemory): Promise<Answer[]> {
  const db = await Agidb.open({ extract: 'none', storage: 'memory', clock: () => Date.UTC(2026, 0, 1), seed: 1 })
  const ids = await db.observeMany(observations)
  const indexOf = new Map(ids.map((id, index) => [id, index]))
  const answers: Answer[] = []
  for (const { cue, unnamed, gold, exact, reworded, wrong, mistaken } of questions) {
    const ask = async (condition: string, cue: string | undefined, structured?: TriplePattern, weights?: Weights) => {
      const { matches } = await db.recall(cue, {
        k: DEPTH,
        ...(structured && { structured }),
        ...(weights && { weights }),
      })
      const judged = matches.map(({ id, confidence }) => ({ confidence, right: gold.includes(indexOf.get(id)!) }))
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
    await ask('cue, mistaken pattern', cue, mistaken)
    await ask('cue with a pronoun, fitting pattern', unnamed, exact)
    await ask('cue with a pronoun, wrong pattern', unnamed, wrong)
    await ask('pattern alone', undefined, exact)
    await ask('pattern alone, unknown predicate', undefined, reworded)
  }
  await db.close()
  return answers
}

function figuresOf(answers: readonly Answer[]): Record<string, number> {
  const best = answers.flatMap(({ judged }) => judged.slice(0, 1))
  const surest = (right: boolean) => mean(best.filter((one) => one.right === right).map(({ confidence }) => confidence))
  const those = (answerable: boolean) => answers.filter((one) => one.answerable === answerable)
  const highest = (answerable: boolean) =>
    those(answerable).map(({ judged }) => Math.max(0, ...judged.map(({ confidence }) => confidence)))
  const low = (answerable: boolean) => mean(those(answerable).map(({ allLow }) => Number(allLow)))
  return {
    questions: answers.length,
    ECE: calibrationError(reliability(answers)),
    'ECE of the best': calibrationError(reliability([{ judged: best }])),
    AUROC: separation(highest(true), highest(false)),
    'best, right': surest(true),
    'best, wrong': surest(false),
    'low, answerable': low(true),
    'low, unanswerable': low(false),
  }
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? NaN : values.reduce((sum, value) => sum + value, 0) / values.length
}
