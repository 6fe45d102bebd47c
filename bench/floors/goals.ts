import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Observation } from '../../src/api/episode.js'
import { Agidb, type OpenOptions } from '../../src/runtimes/node/index.js'
import { sit, type Exam } from '../recall/exam.js'
import { readLocomo } from '../recall/locomo.js'
import { metrics } from '../recall/metrics.js'
import { modes } from '../recall/modes.js'
import type { Figure, Section } from './figures.js'

/** Something to be done, and what was heard of it from someone who spoke of much else. */
interface Topic {
  readonly goal: string
  /** Asks what that one said, and not about what. */
  readonly cue: string
  readonly speaker: string
  readonly relevant: readonly string[]
}

interface LiftSet {
  readonly topics: readonly Topic[]
  readonly unrelated: readonly Observation[]
}

/** Has nothing to do with the conversations. */
const IRRELEVANT = ['Learn to repair mechanical watches']
const ALL = 1_000

/** Options: a part of the conversations is enough to see whether the promises hold. */
export interface GoalsOptions {
  /** Conversations whose questions are asked, at most. Default: all. */
  readonly conversations?: number
}

/** How far an active goal lifts what bears on it, and what it does to all the rest. */
export async function goals(set: string, data: string, { conversations }: GoalsOptions = {}): Promise<Section[]> {
  const read = JSON.parse(await readFile(set, 'utf8')) as LiftSet
  const exams = (await readLocomo(data)).slice(0, conversations)
  return [
    await lift('with the codebook', read, {}),
    await lift('without a codebook', read, { codebook: 'none' }),
    await harm(basename(data), exams),
  ]
}

/** Asks vaguely, without and with the goal that the asker has in mind. */
async function lift(name: string, { topics, unrelated }: LiftSet, open: OpenOptions): Promise<Section> {
  const db = await Agidb.open({
    extract: 'none',
    storage: 'memory',
    clock: () => Date.UTC(2026, 0, 1),
    seed: 1,
    ...open,
  })
  const items = [
    ...topics.flatMap(({ speaker, relevant }) => relevant.map((text): Observation => ({ speaker, text }))),
    ...unrelated,
  ]
  await db.observeMany(items)
  const before: number[] = []
  const after: number[] = []
  const lifts: number[] = []
  const others: number[] = []
  for (const { goal, cue, relevant } of topics) {
    const ranksOf = (texts: readonly string[]) =>
      relevant.map((text) => (texts.includes(text) ? texts.indexOf(text) + 1 : items.length))
    before.push(...ranksOf((await db.recall(cue, { k: ALL })).matches.map(({ text }) => text)))
    const id = await db.setGoal({ description: goal })
    const { matches } = await db.recall(cue, { k: ALL })
    after.push(...ranksOf(matches.map(({ text }) => text)))
    for (const { text, signals } of matches) (relevant.includes(text) ? lifts : others).push(signals.goal ?? 0)
    await db.abandonGoal(id, 'the next one')
  }
  await db.close()
  return {
    title:
      `${topics.length} goals, each with ${topics[0].relevant.length} relevant memories among ${items.length}, ` +
      `and a vague cue, ${name}`,
    figures: [
      { name: 'mean rank of a relevant memory, no goal', value: mean(before) },
      { name: 'mean rank of a relevant memory, its goal active', value: mean(after), under: mean(before) },
      { name: 'among the first ten, no goal', value: share(before, (rank) => rank <= 10) },
      { name: 'among the first ten, its goal active', value: share(after, (rank) => rank <= 10) },
      { name: 'relevant memories that are lifted', value: share(lifts, (lift) => lift > 0) },
      { name: 'mean lift of a relevant memory', value: mean(lifts) },
      { name: 'unrelated memories that are lifted', value: share(others, (lift) => lift > 0) },
      { name: 'largest lift of an unrelated memory', value: Math.max(...others) },
    ],
  }
}

/** Asks what has an answer, without and with a goal that has nothing to do with it. */
async function harm(name: string, exams: readonly Exam[]): Promise<Section> {
  const asked = exams.map((exam) => ({ ...exam, unanswerable: [] }))
  const recallAtTen = async (goals: readonly string[]) => {
    const results = []
    for (const exam of asked) results.push(...(await sit(modes('static', goals)[0], exam)))
    return metrics(results)['R@10']
  }
  const without = await recallAtTen([])
  const figures: Figure[] = [{ name: 'R@10, no goal', value: without }]
  for (const goal of IRRELEVANT) {
    const active = await recallAtTen([goal])
    figures.push(
      { name: `R@10, active: ${goal}`, value: active },
      { name: 'points lost', value: 100 * (without - active), under: 0.5 },
    )
  }
  return { title: `An irrelevant goal, on the questions of ${name}`, figures }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function share(values: readonly number[], is: (value: number) => boolean): number {
  return mean(values.map((value) => Number(is(value))))
}
