/**
 * Fits the curves of confidence in small memories, with the codebook and without, and writes
 * src/recall/answer/small-memory-curve.ts:
 *
 *     npx tsx tools/rankers/calibrate.ts [--check FOLDER …]
 *
 * on small memories made of the conversations in bench/data. Prints how well the curves do on conversations that were
 * held back, and on those in other folders, in the form of LoCoMo. On lists of facts:
 *
 *     npm run bench:recall -- --facts bench/data/facts.json --unanswerable
 */
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Exam } from '../../bench/recall/exam.js'
import { readLocomo } from '../../bench/recall/locomo.js'
import { calibrationError, reliability } from '../../bench/recall/metrics.js'
import { smallMemories } from '../../bench/recall/small.js'
import { readCodebook } from '../../src/encoding/codebook/node.js'
import { parseCodebook } from '../../src/encoding/codebook/codebook.js'
import { DEFAULT_LIMITS } from '../../src/api/check.js'
import { toEpisode } from '../../src/records/observation.js'
import { Indexes } from '../../src/indexes/indexes.js'
import { readKernel } from '../../src/kernel/node.js'
import { loadKernel } from '../../src/kernel/load.js'
import { logistic } from '../../src/recall/ranking/forest.js'
import { inputsOf } from '../../src/recall/answer/confidence.js'
import type { Curve } from '../../src/recall/answer/calibration-curve.js'
import { toQuestion } from '../../src/recall/query/to-question.js'
import { bundledModels } from '../../src/recall/ranking/bundled.js'
import { forestFor } from '../../src/recall/ranking/rankers.js'
import { rank } from '../../src/recall/ranking/ranking.js'
import { consider } from '../../src/recall/consider.js'
import { fitLogistic } from '../../src/training/logistic.js'
import { youden } from '../../src/training/train.js'

/** How far down a ranking confidence is fitted: what users see. */
const DEPTH = 10
const SEED = 7
const FOLDS = 4
const NOW = Date.UTC(2026, 0, 1)

/** The best candidates of one question. */
interface Asked {
  /** Conversations are held back whole. */
  readonly group: string
  readonly answerable: boolean
  readonly rows: readonly (readonly number[])[]
  readonly right: readonly number[]
}

const { values } = parseArgs({ options: { check: { type: 'string', multiple: true, default: [] } } })
const conversations = fileURLToPath(new URL('../../bench/data/conversations', import.meta.url))
const memories = smallMemories(await readLocomo(conversations), SEED)
const others = smallMemories((await Promise.all(values.check.map(readLocomo))).flat(), SEED)
const kernel = await loadKernel({ kernel: await readKernel() })
const codebook = parseCodebook(await readCodebook())

/** What the candidates look like under the learned ranker and under the fusion: one curve is for both. */
async function ask(exam: Exam, withCodebook: boolean): Promise<Asked[]> {
  const indexes = new Indexes(kernel, withCodebook ? codebook : undefined)
  exam.observations.forEach((observation, slot) => {
    const episode = toEpisode(observation, `ep_${slot}`, NOW, 'calibration')
    indexes.add(slot, episode, indexes.encode(episode).signatures)
  })
  const forest = forestFor('free', { codebook: withCodebook }, bundledModels)
  const asked: Asked[] = []
  for (const { cue, gold } of [...exam.questions, ...exam.unanswerable]) {
    const question = toQuestion(cue, {}, NOW, DEFAULT_LIMITS)
    const { candidates: sight } = await consider(indexes, question)
    for (const by of [forest, undefined]) {
      const ranked = rank(sight, by, question)
      const best = ranked.slice(0, DEPTH)
      asked.push({
        group: exam.name,
        answerable: gold.length > 0,
        rows: best.map((found, at) => inputsOf(found, at, ranked)),
        right: best.map(({ slot }) => Number(gold.includes(slot))),
      })
    }
  }
  indexes.free()
  return asked
}

async function askAll(exams: readonly Exam[], withCodebook: boolean): Promise<Asked[]> {
  const asked: Asked[] = []
  for (const exam of exams) asked.push(...(await ask(exam, withCodebook)))
  return asked
}

function fitted(asked: readonly Asked[]): Omit<Curve, 'answered'> {
  return fitLogistic({ rows: asked.flatMap(({ rows }) => rows), labels: asked.flatMap(({ right }) => right) })
}

function confidences({ rows }: Asked, { weights, intercept }: Omit<Curve, 'answered'>): number[] {
  return rows.map((row) => logistic(row.reduce((sum, value, i) => sum + weights[i] * value, intercept)))
}

interface Told {
  readonly judged: { readonly confidence: number; readonly right: boolean }[]
  readonly best: { readonly confidence: number; readonly answerable: boolean }[]
}

/** What a curve says of questions. */
function told(asked: readonly Asked[], curve: Omit<Curve, 'answered'>): Told {
  const found = asked.map((one) => ({ one, all: confidences(one, curve) }))
  return {
    judged: found.flatMap(({ one, all }) => all.map((confidence, i) => ({ confidence, right: one.right[i] === 1 }))),
    best: found.map(({ one: { answerable }, all }) => ({ confidence: Math.max(0, ...all), answerable })),
  }
}

function print(what: string, { judged, best }: Told, answered: number): void {
  const share = (answerable: boolean, isLow: boolean) => {
    const of = best.filter((one) => one.answerable === answerable)
    return (of.filter(({ confidence }) => confidence < answered === isLow).length / of.length).toFixed(3)
  }
  const error = calibrationError(reliability([{ judged }])).toFixed(3)
  console.log(
    `  ${what}: ${best.length} answers, ECE ${error}, answerable flagged low ${share(true, true)}, ` +
      `unanswerable not flagged ${share(false, false)}`,
  )
}

async function fit(withCodebook: boolean): Promise<Curve> {
  const asked = await askAll(memories, withCodebook)
  const groups = [...new Set(asked.map(({ group }) => group))]
  const held = Array.from({ length: FOLDS }, (_, fold): Told => {
    const isHeld = ({ group }: Asked) => groups.indexOf(group) % FOLDS === fold
    return told(asked.filter(isHeld), fitted(asked.filter((one) => !isHeld(one))))
  })
  const all: Told = { judged: held.flatMap(({ judged }) => judged), best: held.flatMap(({ best }) => best) }
  const answered = youden(all.best)
  const curve = fitted(asked)
  console.log(`${withCodebook ? 'with' : 'without'} the codebook, answered from ${answered.toFixed(3)}:`)
  print('conversations held back', all, answered)
  if (others.length > 0) print('other conversations', told(await askAll(others, withCodebook), curve), answered)
  const round = (value: number) => Number(value.toPrecision(3))
  return { weights: curve.weights.map(round), intercept: round(curve.intercept), answered: round(answered) }
}

const curves = { codebook: await fit(true), plain: await fit(false) }
await writeFile(
  new URL('../../src/recall/answer/small-memory-curve.ts', import.meta.url),
  `import type { Curve } from './calibration-curve.js'

/**
 * Made by tools/rankers/calibrate.ts: do not edit. The curves of confidence in small memories, with the codebook and
 * without; the weights are of what \`inputsOf\` gives, in its order. What they were fitted on, and how well:
 * docs/rankers.md.
 */
export const SMALL: { readonly codebook: Curve; readonly plain: Curve } = {
  codebook: ${written(curves.codebook)},
  plain: ${written(curves.plain)},
}
`,
)

function written({ weights, intercept, answered }: Curve): string {
  return `{ weights: [${weights.join(', ')}], intercept: ${intercept}, answered: ${answered} }`
}
