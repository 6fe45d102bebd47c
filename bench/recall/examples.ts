import { readCodebook } from '../../src/codebook/built-node.js'
import { loadCodebook } from '../../src/codebook/load.js'
import type { Equipment } from '../../src/core/ranker.js'
import { openEngine, type Engine } from '../../src/engine.js'
import { readKernel } from '../../src/kernel/built-node.js'
import { loadKernel } from '../../src/kernel/load.js'
import { memoryStorage } from '../../src/storage/memory.js'
import { examplesOf } from '../../src/training/examples.js'
import type { Example } from '../../src/training/train.js'
import type { Exam } from './exam.js'

/** Of a conversation's questions, every so manieth is asked of another conversation, where nothing answers it. */
const FOREIGN_STEP = 4

/** An engine in memory, as a ranker is trained for. */
async function engine(equipment: Equipment): Promise<Engine> {
  return openEngine({
    storage: memoryStorage(),
    kernel: await loadKernel({ kernel: await readKernel() }),
    ...(equipment === 'codebook' && { codebook: await loadCodebook(await readCodebook()) }),
    ranker: 'fusion',
    clock: () => Date.UTC(2026, 0, 1),
    seed: 1,
  })
}

/** What a ranker sees of the questions of each conversation alone, and of some questions that belong to the next one. */
export async function examples(exams: readonly Exam[], equipment: Equipment): Promise<Example[]> {
  const found: Example[] = []
  for (const [i, exam] of exams.entries()) {
    const db = await engine(equipment)
    const ids = await db.observeMany(exam.observations)
    found.push(...examplesOf(db, exam.questions.map(({ cue, gold }) => ({ cue, ids: gold.map((index) => ids[index]) })), exam.name))
    const foreign = exams.length === 1 ? [] : exams[(i + 1) % exams.length].questions.filter((_, at) => at % FOREIGN_STEP === 0)
    found.push(...examplesOf(db, [...exam.unanswerable, ...foreign].map(({ cue }) => ({ cue, ids: [] })), exam.name))
    await db.close()
  }
  return found
}
