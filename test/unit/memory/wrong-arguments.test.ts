import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AgidbError } from '../../../src/base/errors.js'
import type { Engine } from '../../../src/engine/engine.js'
import { openMemory } from '../engine/open.js'
import { runs } from '../../runs.js'

const numRuns = runs(100)

const METHODS = [
  'observeSensory',
  'surpriseScore',
  'surpriseScoreBrainCalibrated',
  'workingMemory',
  'consolidate',
  'semanticAtoms',
  'learnProcedure',
  'proceduresFor',
  'recordExecution',
  'getProcedure',
  'procedures',
  'reviseProcedure',
  'retireProcedure',
  'setGoal',
  'reviseGoal',
  'pauseGoal',
  'resumeGoal',
  'completeGoal',
  'abandonGoal',
  'goals',
  'goalTree',
  'getGoal',
  'assertBelief',
  'reviseBelief',
  'whatDoIBelieve',
  'beliefHistory',
  'withdrawBelief',
  'getBelief',
  'whatDidILearn',
  'selfVectorAt',
  'selfSimilarity',
  'introspect',
  'attentionTrace',
  'explain',
] as const satisfies readonly (keyof Engine)[]

/** Names that options have, so that garbage gets further than to the first check. */
const KEYS = [
  'text',
  'modality',
  'latent',
  'latents',
  'image',
  'encoder',
  'at',
  'description',
  'parent',
  'deadline',
  'completion',
  'successCriteria',
  'claim',
  'subject',
  'predicate',
  'object',
  'confidence',
  'evidence',
  'validFrom',
  'validTo',
  'name',
  'trigger',
  'steps',
  'preconditions',
  'success',
  'trace',
  'note',
  'k',
  'minConfidence',
  'validAsOf',
  'transactionAsOf',
  'cue',
  'concept',
  'minSupport',
  'limit',
  'capacity',
  'functionalPredicates',
  'kinds',
  'until',
  'since',
  'question',
  'about',
  'session',
]

/** Three episodes, a goal, a belief and a procedure, so that ids can be right. */
async function opened(): Promise<{ db: Engine; ids: string[] }> {
  const db = await openMemory()
  const episodes = await db.observeMany(
    ['Oslo', 'Rome', 'Pune'].map((object) => ({
      text: `Ann lives in ${object}`,
      triples: [{ subject: 'Ann', predicate: 'lives in', object }],
    })),
  )
  const made = [
    await db.setGoal({ description: 'rest' }),
    await db.assertBelief({ claim: 'Ann lives in Oslo' }),
    await db.learnProcedure({ name: 'tea', trigger: 'thirst', steps: ['boil'] }),
  ]
  return { db, ids: [...episodes, ...made] }
}

test('every method of the floors refuses wrong arguments with a code and changes nothing', async () => {
  const { db, ids } = await opened()
  const state = async () => [
    await db.whatDidILearn(0),
    await db.activeGoals(),
    await db.semanticAtoms({ validAsOf: 0 }),
    await db.stats(),
  ]
  const value = fc.oneof(
    fc.constantFrom<unknown>(
      ...ids,
      'text',
      'image',
      'all',
      'any',
      'what did I learn',
      'Ann',
      '',
      ' ',
      '\ud800',
      null,
      true,
      false,
      0,
      -1,
      0.5,
      2,
      1e300,
      NaN,
      '2027-01-01',
      new Date(NaN),
    ),
    fc.array(fc.constantFrom<unknown>(...ids, 'a', '', 1, null), { maxLength: 3 }),
    fc.constantFrom(new Float32Array(), new Float32Array(3), Float32Array.of(1, NaN), Float32Array.of(1, 2)),
    fc.anything({ maxDepth: 1 }),
  )
  const options = fc.dictionary(fc.constantFrom(...KEYS), value, { maxKeys: 5 })
  const call = fc.tuple(fc.constantFrom(...METHODS), fc.array(fc.oneof(value, options), { maxLength: 3 }))
  let refused = 0
  await fc.assert(
    fc.asyncProperty(call, async ([method, args]) => {
      const before = await state()
      try {
        await (db[method] as (...args: unknown[]) => Promise<unknown>)(...args)
      } catch (error) {
        refused++
        expect(error).toBeInstanceOf(AgidbError)
        expect((error as AgidbError).code).not.toBe('AGIDB_INTERNAL')
        expect((error as AgidbError).message.length).toBeGreaterThan(15)
        expect(await state()).toEqual(before)
      }
    }),
    { numRuns: 5 * numRuns },
  )
  expect(refused).toBeGreaterThan(numRuns)
  await db.close()
})
