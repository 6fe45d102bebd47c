import { expect, test } from 'vitest'
import { openEngine } from '../../../../src/engine/whole.js'
import { memoryStorage } from '../../../../src/storage/adapters/memory.js'
import { NOW, openMemory } from '../../engine/open.js'
import { kernel } from '../../encoding/kernel.js'
import { exported } from '../../transfer/exported.js'

const tea = { name: 'Make tea', trigger: 'somebody wants a cup of tea', steps: ['boil water', 'pour'] }
const tyre = {
  name: 'Change a tyre',
  trigger: 'the bicycle has a flat tyre',
  steps: ['take the wheel out', 'put a new tube in'],
}
const iso = (time: number) => new Date(time).toISOString()

/** A memory with the two procedures, and a clock that the test sets. */
async function opened() {
  const time = { now: NOW }
  const db = await openEngine({ kernel, storage: memoryStorage(), clock: () => time.now, seed: 1 })
  return { db, time, teaId: await db.learnProcedure(tea), tyreId: await db.learnProcedure(tyre) }
}

test('a recall returns the procedures that bear on the cue, as they were at the time asked about', async () => {
  const { db, time, teaId } = await opened()
  await db.observe('Tom drank a cup of tea.')
  expect((await db.recall('How do I make a cup of tea?')).procedures).toMatchObject([
    { id: teaId, name: tea.name, strength: 0.5 },
  ])
  expect((await db.recall('quantum chromodynamics')).procedures).toEqual([])
  time.now += 1_000
  await db.reviseProcedure(teaId, { steps: ['boil water', 'steep it', 'pour'] })
  await db.recordExecution(teaId, { success: true })
  const [now] = (await db.recall('a cup of tea')).procedures
  expect(now).toMatchObject({ steps: ['boil water', 'steep it', 'pour'], successes: 1 })
  const [then] = (await db.recall('a cup of tea', { transactionAsOf: NOW })).procedures
  expect(then).toMatchObject({ id: teaId, steps: tea.steps, successes: 0, revisions: [] })
  expect((await db.recall('a cup of tea', { transactionAsOf: NOW - 1 })).procedures).toEqual([])
  expect((await (await openMemory()).recall('a cup of tea')).procedures).toEqual([])
})

test('a revised procedure is found by what it says now, and keeps what it said before', async () => {
  const { db, time, teaId, tyreId } = await opened()
  const episode = await db.observe('Sarah makes mate.')
  time.now += 1_000
  const patch = {
    name: 'Make mate',
    trigger: 'a guest asks for mate',
    steps: tea.steps,
    evidence: [episode],
    reason: 'no tea left',
  }
  const revised = await db.reviseProcedure(teaId, patch)
  const changes = { name: 'Make mate', trigger: 'a guest asks for mate' }
  expect(revised).toMatchObject({ ...tea, ...changes, provenance: { episodes: [episode] } })
  expect(revised.revisions).toEqual([
    {
      at: iso(time.now),
      changes,
      before: { name: tea.name, trigger: tea.trigger },
      evidence: [episode],
      reason: 'no tea left',
    },
  ])
  expect((await db.proceduresFor('a guest wants mate')).map(({ id }) => id)).toEqual([teaId])
  expect(await db.proceduresFor('cup of tea')).toEqual([])
  expect((await db.whatDidILearn(time.now)).at(-1)).toMatchObject({
    kind: 'procedureRevised',
    procedure: teaId,
    changes,
    evidence: [episode],
  })
  // The same again is no revision, and the old name is free.
  expect(await db.reviseProcedure(teaId, patch)).toEqual(revised)
  await expect(db.reviseProcedure(tyreId, { name: 'make MATE' })).rejects.toMatchObject({ code: 'AGIDB_DUPLICATE_ID' })
  await db.reviseProcedure(teaId, { name: 'MAKE mate' })
  await db.learnProcedure(tea)
})

test('a retired procedure is not found and cannot be used, but keeps its history and frees its name', async () => {
  const { db, time, teaId, tyreId } = await opened()
  await db.recordExecution(teaId, { success: false })
  time.now += 1_000
  const retired = await db.retireProcedure(teaId, 'the kettle is broken')
  expect(retired).toMatchObject({ failures: 1, retired: { at: iso(time.now), reason: 'the kettle is broken' } })
  expect(await db.getProcedure(teaId)).toEqual(retired)
  expect(await db.proceduresFor('cup of tea')).toEqual([])
  expect((await db.recall('cup of tea')).procedures).toEqual([])
  const ids = async (query?: Parameters<typeof db.procedures>[0]) => (await db.procedures(query)).map(({ id }) => id)
  expect(await ids()).toEqual([tyreId])
  expect(await ids({ state: 'retired' })).toEqual([teaId])
  expect(await ids({ state: 'all' })).toEqual([teaId, tyreId])
  expect(await ids({ asOf: NOW })).toEqual([teaId, tyreId])
  expect(await ids({ asOf: NOW - 1, state: 'all' })).toEqual([])
  for (const call of [
    () => db.retireProcedure(teaId, 'again'),
    () => db.reviseProcedure(teaId, { name: 'x' }),
    () => db.recordExecution(teaId, { success: true }),
  ])
    await expect(call()).rejects.toMatchObject({
      code: 'AGIDB_PROCEDURE_RETIRED',
      message: expect.stringMatching(/kettle/),
    })
  expect(await db.learnProcedure(tea)).not.toBe(teaId)
  expect(await db.introspect({ question: 'what did I learn' })).toMatchObject({ counts: { procedureRetired: 1 } })
})

test('revisions and retirements come to another memory by an export', async () => {
  const { db, teaId, tyreId } = await opened()
  await db.reviseProcedure(teaId, { preconditions: ['there is water'], reason: 'it was dry' })
  await db.retireProcedure(tyreId, 'the bicycle was sold')
  const other = await openMemory()
  await other.import(await exported(db))
  expect(await other.procedures({ state: 'all' })).toEqual(await db.procedures({ state: 'all' }))
  expect(await other.whatDidILearn(0)).toEqual(await db.whatDidILearn(0))
})

test.each([
  ['AGIDB_NOT_FOUND', 'reviseProcedure', ['pr_1', { name: 'x' }]],
  ['AGIDB_NOT_FOUND', 'retireProcedure', ['pr_1', 'why']],
  ['AGIDB_INVALID_ARGUMENT', 'reviseProcedure', ['pr_1', undefined]],
  ['AGIDB_UNKNOWN_OPTION', 'reviseProcedure', ['pr_1', { step: [] }]],
  ['AGIDB_INVALID_ARGUMENT', 'reviseProcedure', ['pr_1', { steps: [] }]],
  ['AGIDB_INVALID_ARGUMENT', 'retireProcedure', ['pr_1', undefined]],
  ['AGIDB_INVALID_ARGUMENT', 'procedures', [{ state: 'old' }]],
  ['AGIDB_INVALID_TIME', 'procedures', [{ asOf: 'yesterday-ish' }]],
] as const)('what is wrong is refused with %s: %s%j', async (code, method, args) => {
  const db = await openMemory()
  await expect((db[method] as (...args: readonly unknown[]) => Promise<unknown>)(...args)).rejects.toMatchObject({
    code,
  })
})
