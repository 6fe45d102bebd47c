import { writeFile } from 'node:fs/promises'
import { readCodebook } from '../../src/encoding/codebook/node.js'
import { type Codebook, parseCodebook } from '../../src/encoding/codebook/codebook.js'
import { DEFAULT_LIMITS } from '../../src/api/check.js'
import type { TriplePattern } from '../../src/api/episode.js'
import { toEpisode } from '../../src/records/observation.js'
import { Indexes } from '../../src/indexes/indexes.js'
import { readKernel } from '../../src/kernel/node.js'
import { loadKernel } from '../../src/kernel/load.js'
import type { Kernel } from '../../src/kernel/port.js'
import { bundledModels } from '../../src/recall/ranking/bundled.js'
import { logistic } from '../../src/recall/ranking/forest.js'
import { Agreement, type Seen } from '../../src/recall/answer/by-pattern.js'
import { type Line, PATTERN_CASES, type PatternCase } from '../../src/recall/answer/calibration-curve.js'
import { fitOf, standingOf, tellingIn } from '../../src/recall/evidence/pattern.js'
import { toQuestion } from '../../src/recall/query/to-question.js'
import { forestFor } from '../../src/recall/ranking/rankers.js'
import { arenaSearch } from '../../src/recall/candidates/vector-search.js'
import { ranked } from '../../src/recall/ranked.js'
import { fitLogistic } from '../../src/training/logistic.js'
import { statementMemories, type StatementMemory } from './statements.js'
import { WEIGHTS } from './weights.js'

/** How far down a ranking the curves are fitted: what users see. */
const DEPTH = 10
const NOW = Date.UTC(2026, 0, 1)
const FILE = new URL('../../src/recall/answer/pattern-curves.ts', import.meta.url)

/** A match, as the curves see it. */
interface Case extends Seen {
  readonly right: boolean
}

/**
 * Fits the curves of the confidence with a pattern on the half `fit`, with the codebook and without, and writes
 * src/recall/answer/pattern-curves.ts. Prints of each case how many matches it had, how many were right, and the log
 * loss.
 */
export async function writeCurves(): Promise<void> {
  const kernel = await loadKernel({ kernel: await readKernel() })
  const codebook = parseCodebook(await readCodebook())
  const cases: Case[] = []
  for (const memory of await statementMemories('fit')) {
    for (const words of [codebook, undefined]) cases.push(...(await casesOf(memory, kernel, words)))
  }
  const lines = PATTERN_CASES.map((name): [PatternCase, Line] => {
    const here = cases.filter((one) => one.case === name)
    const { weights, intercept } = fitLogistic({
      // One right and one wrong match more, so that nothing is certain (Laplace).
      rows: [...here.map(({ inputs }) => inputs), ...[0, 1].map(() => meanOf(here))],
      labels: [...here.map(({ right }) => Number(right)), 0, 1],
    })
    const line: Line = { weights: weights.map(rounded), intercept: rounded(intercept) }
    const right = here.filter((one) => one.right).length
    console.log(`${name}: ${here.length} matches, ${right} right, log loss ${loss(here, line).toFixed(4)}`)
    return [name, line]
  })
  await writeFile(FILE, source(lines))
}

async function casesOf(
  { observations, questions }: StatementMemory,
  kernel: Kernel,
  codebook?: Codebook,
): Promise<Case[]> {
  const indexes = new Indexes(kernel, codebook)
  const episodes = observations.map((observation, slot) => toEpisode(observation, `ep_${slot}`, NOW, 'patterns'))
  episodes.forEach((episode, slot) => indexes.add(slot, episode, indexes.encode(episode).signatures))
  const forest = forestFor('free', { codebook: codebook !== undefined }, bundledModels)
  const fetch = async (slots: readonly number[]) => slots.map((slot) => episodes[slot])
  const telling = tellingIn(indexes)
  const cases: Case[] = []
  for (const { cue, unnamed, gold, exact, reworded, wrong, mistaken } of questions) {
    const ask = async (text: string | undefined, structured: TriplePattern, weights?: (typeof WEIGHTS)[number]) => {
      const question = toQuestion(text, { structured, ...(weights && { weights }) }, NOW, DEFAULT_LIMITS)
      const {
        ranked: found,
        byCue,
        wide,
      } = await ranked(
        indexes,
        { fetch, time: () => import('../../src/extraction/time/reader.js'), vectors: arenaSearch(indexes) },
        forest,
        question,
      )
      const agreement = new Agreement(
        byCue,
        found,
        standingOf({ pattern: structured, readings: wide.cue.readings }, wide.cue.concepts, telling),
      )
      for (const one of found.slice(0, DEPTH)) {
        const fit = fitOf(episodes[one.slot].triples, structured, telling)
        cases.push({ ...agreement.seen(one, fit, text !== undefined), right: gold.includes(one.slot) })
      }
    }
    for (const text of [cue, unnamed]) {
      for (const pattern of [exact, wrong]) for (const weights of WEIGHTS) await ask(text, pattern, weights)
    }
    for (const weights of WEIGHTS) await ask(cue, mistaken, weights)
    for (const pattern of [exact, reworded]) await ask(undefined, pattern)
  }
  indexes.free()
  return cases
}

/** The mean of each input. */
function meanOf(cases: readonly Case[]): number[] {
  return cases[0].inputs.map((_, i) => cases.reduce((sum, { inputs }) => sum + inputs[i], 0) / cases.length)
}

/** Mean log loss. */
function loss(cases: readonly Case[], { weights, intercept }: Line): number {
  return (
    cases.reduce((sum, { inputs, right }) => {
      const likely = logistic(inputs.reduce((sum, value, i) => sum + weights[i] * value, intercept))
      return sum - Math.log(Math.max(1e-6, right ? likely : 1 - likely))
    }, 0) / cases.length
  )
}

/** Three digits; what is left of 0 by rounding is 0. */
function rounded(value: number): number {
  return Math.abs(value) < 1e-6 ? 0 : Number(value.toPrecision(3))
}

function source(lines: readonly (readonly [PatternCase, Line])[]): string {
  const written = lines.map(
    ([name, { weights, intercept }]) => `  ${name}: { weights: [${weights.join(', ')}], intercept: ${intercept} },\n`,
  )
  return `import type { Line, PatternCase } from './calibration-curve.js'

/**
 * Made by \`npm run bench:recall -- --patterns --fit\`: do not edit. The curves of confidence with a pattern; the
 * weights are of what \`Agreement.seen\` gives, in its order. What they were fitted on, and how well: docs/rankers.md.
 */
export const PATTERN_CURVES: Readonly<Record<PatternCase, Line>> = {
${written.join('')}}
`
}
