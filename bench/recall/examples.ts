import { readCodebook } from '../../src/encoding/codebook/node.js'
import type { Codebook } from '../../src/encoding/codebook/codebook.js'
import { loadCodebook } from '../../src/encoding/codebook/load.js'
import type { Equipment } from '../../src/api/ranker.js'
import type { Engine } from '../../src/engine/engine.js'
import { openEngine } from '../../src/engine/whole.js'
import { readKernel } from '../../src/kernel/node.js'
import { loadKernel } from '../../src/kernel/load.js'
import { memoryStorage } from '../../src/storage/adapters/memory.js'
import { examplesOf, type Judgement } from '../../src/training/examples.js'
import type { Example } from '../../src/training/train.js'
import type { Exam, Question } from './exam.js'
import { benchEncoder, encoded } from './sentences.js'

/** Of a conversation's questions, every so manieth is asked of another conversation, where nothing answers it. */
const FOREIGN_STEP = 4

/** Read once: there is an engine for each session of each conversation. */
let codebook: Promise<Codebook | undefined> | undefined

/** An engine in memory, as a ranker is trained for. @param ranker what ranks meanwhile. Default: the fusion. */
export async function engine(equipment: Equipment, ranker: 'fusion' | 'free' = 'fusion'): Promise<Engine> {
  return openEngine({
    storage: memoryStorage(),
    kernel: await loadKernel({ kernel: await readKernel() }),
    ...(equipment !== 'plain' && { codebook: await (codebook ??= readCodebook().then(loadCodebook)) }),
    ...(equipment === 'encoder' && { encoder: await benchEncoder() }),
    ranker,
    clock: () => Date.UTC(2026, 0, 1),
    seed: 1,
  })
}

/** So manieth turns of a conversation are asked for in their own words, whole or in part. */
const QUOTED_STEP = 12
/**
 * Of the questions about one session alone, every so manieth is asked of a memory that has nothing but that session.
 */
const SESSION_STEP = 3

/**
 * What a ranker sees of the questions of each conversation, of some that belong to the next one, and of quotations; and
 * of questions to memories of one session.
 */
export async function examples(exams: readonly Exam[], equipment: Equipment): Promise<Example[]> {
  const found: Example[] = []
  for (const [i, exam] of exams.entries()) {
    found.push(...(await sessionExamples(exam, equipment)))
    const db = await engine(equipment)
    const ids = await db.observeMany(exam.observations)
    await encoded(db)
    const ask = async (questions: readonly Asked[]) => {
      const judgements = judged(questions, (index) => ids[index])
      found.push(...(await examplesOf(db, judgements, exam.name)))
    }
    await ask(exam.questions)
    const foreign =
      exams.length === 1 ? [] : exams[(i + 1) % exams.length].questions.filter((_, at) => at % FOREIGN_STEP === 0)
    await ask([...exam.unanswerable, ...foreign.map(({ cue }) => ({ cue, gold: [] }))])
    await ask(quotations(exam))
    await db.close()
  }
  return found
}

type Asked = Pick<Question, 'cue' | 'gold'>

/** The questions with the ids that the database gave to the turns that answer them. */
function judged(questions: readonly Asked[], idOf: (index: number) => string): Judgement[] {
  return questions.map(({ cue, gold }) => ({ cue, ids: gold.map(idOf) }))
}

/** Turns in their own words: all of it, or what is left without the first third. */
function quotations({ observations }: Exam): Asked[] {
  return observations.flatMap(({ text }, index) => {
    const words = text.split(' ')
    if (index % QUOTED_STEP !== 0 || words.length < 6) return []
    return [
      {
        cue: index % (2 * QUOTED_STEP) === 0 ? text : words.slice(Math.floor(words.length / 3)).join(' '),
        gold: [index],
      },
    ]
  })
}

/** A memory of one session is as small as memories start. */
async function sessionExamples(exam: Exam, equipment: Equipment): Promise<Example[]> {
  const found: Example[] = []
  const sessions = [...new Set(exam.observations.map(({ session }) => session))]
  for (const session of sessions) {
    const within = (index: number) => exam.observations[index].session === session
    const asked = exam.questions.filter(({ gold }) => gold.every(within)).filter((_, at) => at % SESSION_STEP === 0)
    if (asked.length === 0) continue
    const db = await engine(equipment)
    const indexes = [...exam.observations.keys()].filter(within)
    const ids = await db.observeMany(indexes.map((index) => exam.observations[index]))
    await encoded(db)
    const judgements = judged(asked, (index) => ids[indexes.indexOf(index)])
    found.push(...(await examplesOf(db, judgements, exam.name)))
    await db.close()
  }
  return found
}
