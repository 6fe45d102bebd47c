import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import type { Database, Library, OpenOptions, RecallOptions } from '../library.js'
import { HERE } from '../library.js'
import type { Exam, Question } from '../recall/exam.js'
import { readLocomo } from '../recall/locomo.js'
import { readTranscriptExam } from '../recall/transcript.js'
import { FixedMemory } from './memory.js'
import { floors } from './floors.js'
import { outcome, type Answer, type Unit } from './unit.js'

/** The ways to rank that are asked, each of all questions. */
const MODES: readonly { readonly name: string; readonly open: OpenOptions }[] = [
  { name: 'default', open: {} },
  { name: 'fusion', open: { ranker: 'fusion' } },
  { name: 'no-codebook', open: { codebook: 'none' } },
]

/** Each conversation of LoCoMo in each mode. */
export async function locomo(folder: string): Promise<Unit[]> {
  return (await readLocomo(folder)).flatMap(unitsOf)
}

/** The questions about Apollo 13, in each mode. */
export async function apollo(): Promise<Unit[]> {
  const questions = fileURLToPath(new URL('../data/apollo13-questions.json', import.meta.url))
  const exam = await readTranscriptExam(join(HERE, 'demo/data/apollo13.jsonl'), questions)
  const observations = exam.observations.map((observation) => ({ ...observation, session: 'apollo13' }))
  return unitsOf({ ...exam, name: 'apollo13', observations })
}

function unitsOf(exam: Exam): Unit[] {
  return MODES.map(({ name, open }) => ({
    name: `${exam.name}/${name}`,
    answers: (library) => examined(library, exam, open),
  }))
}

/**
 * Fills a memory, opens it again and asks each question: plainly, with the trace of all candidates, and once more with
 * other options beside goals, beliefs, procedures and atoms. Then its floors and its files.
 */
async function* examined(library: Library, exam: Exam, open: OpenOptions): AsyncGenerator<Answer> {
  const memory = await FixedMemory.create(library, open)
  const questions = [...exam.questions, ...exam.unanswerable]
  try {
    const ids = await memory.db.observeMany(exam.observations)
    yield { name: 'ids', value: ids }
    await memory.reopen()
    for (const [i, { cue }] of questions.entries()) {
      yield { name: `plain ${i}`, value: await memory.db.recall(cue, { traceAttention: true, whole: true }) }
    }
    const made = await addFloors(memory.db, exam, ids)
    for (const [i, question] of questions.entries()) {
      yield { name: `varied ${i}`, value: await outcome(memory.db.recall(question.cue, varied(i, exam, question))) }
    }
    memory.now += 1000
    await memory.reopen()
    const asked = await floors(memory.db, { ...made, times: [memory.now - 1, memory.now] })
    for (const [name, value] of Object.entries(asked)) yield { name, value }
    await memory.restart()
    for (const [name, bytes] of Object.entries(await memory.closed())) yield { name: `file ${name}`, value: bytes }
  } finally {
    await memory.remove()
  }
}

/** Gives a memory something on the floors beside the episodes, taken from what it has been told. */
async function addFloors(db: Database, { observations, questions }: Exam, ids: readonly string[]) {
  const [first, second, third] = questions
  const goal = await db.setGoal({ description: first.cue })
  const goals = [goal, await db.setGoal({ description: second.cue, parent: goal })]
  const beliefs = []
  for (const {
    gold: [index],
  } of questions.slice(0, 5)) {
    const claim = observations[index].text
    beliefs.push(await db.assertBelief({ claim, confidence: 0.7, evidence: [ids[index]] }))
  }
  const procedures = [await db.learnProcedure({ name: third.cue, trigger: third.cue, steps: ['look', 'answer'] })]
  await db.observeMany(
    questions
      .slice(0, 5)
      .flatMap(({ gold: [index] }) =>
        ['once', 'twice', 'thrice'].map((session) => ({ ...observations[index], session })),
      ),
  )
  await db.consolidate()
  const { speaker = 'nobody', session = 'none' } = observations[0]
  return { goals, beliefs, procedures, episodes: [], frames: [], sessions: [session], concepts: [speaker, second.cue] }
}

/** The options of the second time that a question is asked: by turns, so that each kind is asked of many. */
function varied(i: number, { observations }: Exam, { gold }: Question): RecallOptions {
  const at = gold[0] ?? i % observations.length
  const { speaker, session, at: time } = observations[at]
  const options: readonly RecallOptions[] = [
    { k: 100, fold: false },
    { context: 2, budgetTokens: 800 },
    { session, k: 5 },
    { speaker, asker: speaker },
    { recencyWindow: 86_400_000, minConfidence: 0.2 },
    { tierFloor: 'similarity', goals: ['learn about their family'], goalBias: 0.5 },
    { at: { to: time }, validAsOf: time },
    { structured: { subject: speaker }, weights: { structured: 0.4, fuzzy: 0.6 } },
  ]
  return options[i % options.length]
}
