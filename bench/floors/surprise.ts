import { readFile } from 'node:fs/promises'
import type { Observation } from '../../src/api/episode.js'
import { GOAL_THRESHOLD, SURPRISE_THRESHOLD } from '../../src/memory/sensory/surprise-threshold.js'
import { tokens } from '../../src/encoding/tokens.js'
import { Agidb, type OpenOptions } from '../../src/runtimes/node/index.js'
import { quantile } from '../section.js'
import type { Figure, Section } from './figures.js'

/** A line of the transcript and what a reader called it. */
interface Labelled {
  readonly index: number
  readonly label: 'routine' | 'new'
}

/** Two parts of the labelled lines: one to choose by, and one that nothing was chosen by. */
interface Labels {
  readonly choose: readonly Labelled[]
  readonly confirm: readonly Labelled[]
}

/** Words from which on a line is long, in a transcript in which half have fewer than nine. */
const LONG = 8
const DECILES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]

/** A goal and what was said of it. */
interface Topic {
  readonly goal: string
  readonly relevant: readonly string[]
}

/** Options: a part of the transcript is enough to see whether the promises hold. */
export interface SurpriseOptions {
  /** Lines of the transcript, at most. Default: all. */
  readonly lines?: number
}

/**
 * Whether surprise tells new events from routine, line by line as a transcript goes on, and goal relevance what bears
 * on a goal.
 *
 * @param topics JSON: `{ topics: [{ goal, relevant: [text] }], unrelated: [{ text }] }`
 */
export async function surprise(
  transcript: string,
  labels: string,
  topics: string,
  options: SurpriseOptions = {},
): Promise<Section[]> {
  const { lines: most = Infinity } = options
  const all = (await readFile(transcript, 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Observation => {
      const { text, speaker, at } = JSON.parse(line) as Observation
      return { text, speaker, at, session: 'transcript' }
    })
  const lines = all.slice(0, most)
  const heard = ({ index }: Labelled) => index < lines.length
  const read = JSON.parse(await readFile(labels, 'utf8')) as Labels
  const labelled: Labels = { choose: read.choose.filter(heard), confirm: read.confirm.filter(heard) }
  const { scores, milliseconds } = await remembering(lines, {})
  const { scores: byWords } = await remembering(lines, { codebook: 'none' })
  const lengths = lines.map(({ text }) => tokens(text).length)
  const isLong = ({ index }: Labelled) => lengths[index] >= LONG
  const both = [...labelled.choose, ...labelled.confirm]
  const count = (part: readonly Labelled[], label: string) => part.filter((line) => line.label === label).length

  const areas = (part: 'choose' | 'confirm'): Section => ({
    title:
      `Area under the ROC curve: ${count(labelled[part], 'new')} new and ${count(labelled[part], 'routine')} ` +
      `routine lines (${part})`,
    figures: [
      { name: 'surprise', value: area(labelled[part], scores), atLeast: 0.75 },
      { name: 'surprise without a codebook', value: area(labelled[part], byWords), atLeast: 0.75 },
      { name: 'number of words', value: area(labelled[part], lengths) },
      { name: `surprise, lines of ${LONG} words or more`, value: area(labelled[part].filter(isLong), scores) },
      { name: `number of words, lines of ${LONG} or more`, value: area(labelled[part].filter(isLong), lengths) },
    ],
  })
  const deciles = (title: string, values: readonly number[]): Section => ({
    title: `Surprise, deciles: ${title}`,
    figures: DECILES.map((q): Figure => ({ name: `${Math.round(q * 100)}%`, value: quantile(values, q) })),
  })
  const of = (label: string) => both.filter((line) => line.label === label).map(({ index }) => scores[index])
  const over = (part: readonly Labelled[], label: string, threshold: number) =>
    part.filter((line) => line.label === label && scores[line.index] > threshold).length / count(part, label)

  return [
    areas('choose'),
    areas('confirm'),
    deciles('new lines', of('new')),
    deciles('routine lines', of('routine')),
    deciles('all lines', scores),
    {
      title: 'The threshold',
      figures: [
        { name: 'that separates best (choose)', value: bestThreshold(labelled.choose, scores) },
        { name: 'default', value: SURPRISE_THRESHOLD },
        { name: 'new lines over the default (choose)', value: over(labelled.choose, 'new', SURPRISE_THRESHOLD) },
        {
          name: 'routine lines over the default (choose)',
          value: over(labelled.choose, 'routine', SURPRISE_THRESHOLD),
        },
        { name: 'new lines over the default (confirm)', value: over(labelled.confirm, 'new', SURPRISE_THRESHOLD) },
        {
          name: 'routine lines over the default (confirm)',
          value: over(labelled.confirm, 'routine', SURPRISE_THRESHOLD),
        },
        {
          name: 'all lines over the default',
          value: scores.filter((score) => score > SURPRISE_THRESHOLD).length / lines.length,
        },
        { name: 'milliseconds a line, p50', value: quantile(milliseconds, 0.5) },
        { name: 'milliseconds a line, p95', value: quantile(milliseconds, 0.95) },
      ],
    },
    await perceiving(lines, both),
    await aiming(topics),
  ]
}

/** Scores each line, then remembers it, whatever its score. */
async function remembering(
  lines: readonly Observation[],
  options: Partial<OpenOptions>,
): Promise<{ scores: number[]; milliseconds: number[] }> {
  const db = await Agidb.open({
    extract: 'none',
    storage: 'memory',
    seed: 1,
    clock: () => Date.UTC(2026, 0, 1),
    ...options,
  })
  const scores: number[] = []
  const milliseconds: number[] = []
  for (const line of lines) {
    const { text, ...context } = line
    const started = performance.now()
    scores.push(await db.surpriseScore({ modality: 'text', ...line }))
    milliseconds.push(performance.now() - started)
    await db.observe(text, context)
  }
  await db.close()
  return { scores, milliseconds }
}

/** Perceives each line, so that only what surprises is remembered. */
async function perceiving(lines: readonly Observation[], labelled: readonly Labelled[]): Promise<Section> {
  let now = 0
  const db = await Agidb.open({ extract: 'none', storage: 'memory', seed: 1, clock: () => now })
  const scores: number[] = []
  for (const line of lines) {
    now = Math.max(now, Date.parse(String(line.at)))
    await db.observeSensory({ modality: 'text', ...line })
    scores.push((await db.workingState()).frames.at(-1)!.surprise)
  }
  const { observed, promoted } = await db.workingState()
  await db.close()
  return {
    title: 'Where only what surprises is remembered (observeSensory alone)',
    figures: [
      { name: 'area under the ROC curve, both parts', value: area(labelled, scores), atLeast: 0.75 },
      { name: 'all lines that were remembered', value: promoted / observed },
    ],
  }
}

/** Perceives what bears on a goal, and what bears on the others. */
async function aiming(file: string): Promise<Section> {
  const { topics, unrelated } = JSON.parse(await readFile(file, 'utf8')) as {
    topics: Topic[]
    unrelated: Observation[]
  }
  const relevant: number[] = []
  const others: number[] = []
  for (const { goal } of topics) {
    const db = await Agidb.open({ extract: 'none', storage: 'memory', seed: 1, surpriseThreshold: 1 })
    await db.observeMany(unrelated)
    await db.setGoal({ description: goal })
    for (const topic of topics) for (const text of topic.relevant) await db.observeSensory({ modality: 'text', text })
    const { frames } = await db.workingState()
    const own = new Set(topics.find((topic) => topic.goal === goal)!.relevant)
    for (const { text, goalRelevance } of frames) (own.has(text!) ? relevant : others).push(goalRelevance)
    await db.close()
  }
  const over = (values: readonly number[]) => values.filter((value) => value > GOAL_THRESHOLD).length / values.length
  return {
    title: `Goal relevance: ${relevant.length} texts that bear on the goal, ${others.length} that bear on another`,
    figures: [
      { name: 'threshold', value: GOAL_THRESHOLD },
      { name: 'relevant, p50', value: quantile(relevant, 0.5) },
      { name: 'relevant, p90', value: quantile(relevant, 0.9) },
      { name: 'others, p99', value: quantile(others, 0.99) },
      { name: 'relevant over the threshold', value: over(relevant) },
      { name: 'others over the threshold', value: over(others), under: 0.02 },
    ],
  }
}

/** How often a new line has more than a routine one; a tie is half. */
function area(part: readonly Labelled[], scores: readonly number[]): number {
  const of = (label: string) => part.filter((line) => line.label === label).map(({ index }) => scores[index])
  const [news, routines] = [of('new'), of('routine')]
  let sum = 0
  for (const one of news) for (const other of routines) sum += one > other ? 1 : one === other ? 0.5 : 0
  return sum / (news.length * routines.length)
}

/** The threshold with the largest share of new lines over it less that of routine ones (Youden's J). */
function bestThreshold(part: readonly Labelled[], scores: readonly number[]): number {
  const share = (label: string, threshold: number) => {
    const those = part.filter((line) => line.label === label)
    return those.filter(({ index }) => scores[index] > threshold).length / those.length
  }
  let [best, found] = [-1, 0]
  for (let threshold = 0; threshold < 1; threshold += 0.01) {
    const youden = share('new', threshold) - share('routine', threshold)
    if (youden > best) [best, found] = [youden, threshold]
  }
  return found
}
