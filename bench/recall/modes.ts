import type { RecallOptions } from '../../src/api/recall.js'
import type { Equipment, Ranker } from '../../src/api/ranker.js'
import { Agidb, type OpenOptions } from '../../src/runtimes/node/index.js'
import { locomo } from '../../src/recall/ranking/tables/locomo.js'
import { FEATURES } from '../../src/recall/ranking/features.js'
import { trainModel, type Example } from '../../src/training/train.js'
import { examples } from './examples.js'
import type { Contender, Exam, Filled, Hit } from './exam.js'
import { benchEncoder, encoded } from './sentences.js'
import { UsageError } from '../command.js'

/** One way to open this library. */
interface Mode {
  readonly name: string
  readonly codebook: 'none' | 'static'
  /** Whether a sentence encoder is used as well. Default false. */
  readonly encoder?: boolean
  /** Beside the storage, the clock and the seed, which are the same for all. */
  readonly open: OpenOptions
  /** With which it is asked. */
  readonly recall?: RecallOptions
}

/** The modes that are measured. The first of those that are chosen is the one whose figures `--json` begins with. */
const MODES: readonly Mode[] = [
  { name: 'agidb, sentence encoder', codebook: 'static', encoder: true, open: {} },
  { name: 'agidb', codebook: 'static', open: {} },
  { name: 'agidb, ranker locomo', codebook: 'static', open: { ranker: locomo } },
  { name: 'agidb, no graphs', codebook: 'static', open: {}, recall: { graph: false } },
  { name: 'agidb, ranker fusion', codebook: 'static', open: { ranker: 'fusion' } },
  { name: 'agidb, no codebook', codebook: 'none', open: { codebook: 'none' } },
  { name: 'agidb, no codebook, fusion', codebook: 'none', open: { codebook: 'none', ranker: 'fusion' } },
]

/**
 * The modes with this codebook; all of them if none is named.
 *
 * @param goals that are active while they are asked.
 * @param extract whether statements are read out of the texts before anything is asked.
 * @param encoder whether the mode with a sentence encoder is measured, too, as the first.
 * @throws Error if no mode has it
 */
export function modes(
  codebook?: string,
  goals: readonly string[] = [],
  extract: 'rules' | 'none' = 'none',
  encoder = false,
): Contender[] {
  const chosen = MODES.filter(
    (mode) => (codebook === undefined || mode.codebook === codebook) && (encoder || mode.encoder !== true),
  )
  if (chosen.length === 0) throw new UsageError(`there is no codebook ${JSON.stringify(codebook)}; known: static, none`)
  return chosen.map(({ name, open, recall, encoder = false }) => ({
    name,
    fill: async (exam) =>
      fill(exam, { ...open, extract, ...(encoder && { encoder: await benchEncoder() }) }, goals, recall),
  }))
}

/**
 * The learned modes, each exam with a ranker that was trained on all the others.
 *
 * @throws Error if there is only one exam
 */
export function crossValidated(exams: readonly Exam[], codebook?: string): Contender[] {
  if (exams.length < 2) throw new UsageError('--cross-validate needs two conversations or more in --data')
  const both = [
    { name: 'agidb, cross-validated', codebook: 'static', equipment: 'codebook', open: {} },
    { name: 'agidb, no codebook, cross-validated', codebook: 'none', equipment: 'plain', open: { codebook: 'none' } },
  ] as const
  return both
    .filter((mode) => codebook === undefined || mode.codebook === codebook)
    .map(({ name, equipment, open }) => {
      let seen: Promise<Example[]> | undefined
      return {
        name,
        async fill(exam) {
          seen ??= examples(exams, equipment)
          const others = (await seen).filter(({ group }) => group !== exam.name)
          return fill(exam, { ...open, ranker: trained(others, equipment) })
        },
      }
    })
}

function trained(seen: readonly Example[], equipment: Equipment): Ranker {
  const model = trainModel(seen, { columns: FEATURES })
  return {
    format: 'agidb-ranker',
    version: 1,
    name: 'held back',
    trainedOn: 'the other conversations',
    licence: 'as theirs',
    models: { [equipment]: model },
  }
}

async function fill(
  exam: Exam,
  open: OpenOptions,
  goals: readonly string[] = [],
  recall: RecallOptions = {},
): Promise<Filled> {
  const db = await Agidb.open({
    storage: 'memory',
    clock: () => Date.UTC(2026, 0, 1),
    seed: 1,
    autoConsolidate: false,
    ...open,
  })
  const ids = await db.observeMany(exam.observations)
  for (const description of goals) await db.setGoal({ description })
  await encoded(db)
  if (open.extract === 'rules') await db.recall('anything', { whole: true })
  const indexOf = new Map(ids.map((id, index) => [id, index]))
  return {
    async rank(cue, k) {
      const { matches } = await db.recall(cue, { ...recall, k })
      return matches.map(
        ({ id, confidence, lowConfidence }): Hit => ({
          index: indexOf.get(id) ?? -1,
          score: confidence,
          confidence,
          lowConfidence,
        }),
      )
    },
    close: () => db.close(),
  }
}
