import { expect, test } from 'vitest'
import type { NewBelief } from '../../../src/api/belief.js'
import type { Conflict } from '../../../src/api/conflict.js'
import type { Engine } from '../../../src/engine/engine.js'
import { NOW, openMemory } from '../engine/open.js'

const DAY = 86_400_000
const iso = (time: number) => new Date(time).toISOString()

async function believe(db: Engine, predicate: string, object: string, more: Partial<NewBelief> = {}): Promise<string> {
  const claim = `Ann ${predicate} ${object}`
  return db.assertBelief({ claim, subject: 'Ann', predicate, object, validFrom: NOW - DAY, confidence: 0.6, ...more })
}

const sides = (conflicts: readonly Conflict[]) =>
  conflicts.map(({ claims, why }) => [...claims.map(({ statement }) => statement).sort(), why])

test('two beliefs that cannot both be true are a conflict, with why and of which time', async () => {
  const db = await openMemory()
  const rome = await believe(db, 'lives in', 'Rome', { validTo: NOW + DAY })
  const oslo = await believe(db, 'resides in', 'Oslo', { validFrom: NOW - 100, confidence: 0.7 })
  await believe(db, 'likes', 'tea')
  const claimed = {
    [rome]: {
      id: rome,
      statement: 'Ann lives in Rome',
      confidence: 0.6,
      validFrom: iso(NOW - DAY),
      validTo: iso(NOW + DAY),
    },
    [oslo]: { id: oslo, statement: 'Ann resides in Oslo', confidence: 0.7, validFrom: iso(NOW - 100) },
  }
  expect(await db.conflicts()).toEqual([
    {
      kind: 'belief',
      claims: [rome, oslo].sort().map((id) => claimed[id]),
      from: iso(NOW - 100),
      to: iso(NOW + DAY),
      why: 'exclusion',
    },
  ])
  await believe(db, 'does not like', 'tea')
  expect(sides(await db.conflicts())).toEqual([
    ['Ann lives in Rome', 'Ann resides in Oslo', 'exclusion'],
    ['Ann does not like tea', 'Ann likes tea', 'denial'],
  ])
})

test('a conflict is of the time that is asked about, and of what is still held', async () => {
  const db = await openMemory()
  await believe(db, 'lives in', 'Rome', { validTo: NOW - 100 })
  const oslo = await believe(db, 'lives in', 'Oslo', { validFrom: NOW - 200 })
  expect(await db.conflicts()).toEqual([])
  expect(await db.conflicts({ at: NOW - 150 })).toHaveLength(1)
  expect(await db.conflicts({ at: iso(NOW - 100) })).toEqual([])
  await db.withdrawBelief(oslo, 'it was a joke')
  expect(await db.conflicts({ at: NOW - 150 })).toEqual([])
})

test('claims without triples conflict where one denies the other', async () => {
  const db = await openMemory()
  await db.assertBelief({ claim: 'The valve is open' })
  await db.assertBelief({ claim: 'The valve is not open' })
  expect(sides(await db.conflicts())).toEqual([['The valve is not open', 'The valve is open', 'denial']])
})

test('atoms that a consolidation found to contradict each other are conflicts until one is superseded', async () => {
  const db = await openMemory()
  const say = (object: string, at: number) =>
    db.observeMany(
      Array.from({ length: 3 }, () => ({
        text: `Ann lives in ${object}`,
        at,
        triples: [{ subject: 'Ann', predicate: 'lives in', object }],
      })),
    )
  const rome = await say('Rome', NOW - DAY)
  const oslo = await say('Oslo', NOW - 100)
  const said = await db.conflicts()
  expect(said.map(({ kind, proposal }) => [kind, proposal!.supersede.length])).toEqual([['statement', 3]])
  await db.consolidate()
  const atoms = await db.semanticAtoms()
  const claims = atoms.map(({ id, statement, confidence, validFrom }) => ({ id, statement, confidence, validFrom }))
  claims.sort((a, b) => (a.id < b.id ? -1 : 1))
  expect(await db.conflicts()).toEqual([{ kind: 'atom', claims, from: iso(NOW - 100), why: 'exclusion' }, ...said])
  for (const [i, id] of rome.entries()) await db.supersede(id, oslo[i])
  expect(await db.conflicts()).toEqual([])
})

test('conflicts are found by a concept and its other names, and no more of them than are asked for', async () => {
  const db = await openMemory()
  for (const subject of ['Ann', 'Bob', 'Cleo'])
    for (const object of ['Rome', 'Oslo'])
      await db.assertBelief({ claim: `${subject} lives in ${object}`, subject, predicate: 'lives in', object })
  expect(await db.conflicts()).toHaveLength(3)
  expect(await db.conflicts({ limit: 2 })).toHaveLength(2)
  expect(sides(await db.conflicts({ about: 'bob' }))).toEqual([['Bob lives in Oslo', 'Bob lives in Rome', 'exclusion']])
  expect(await db.conflicts({ about: 'Robert' })).toEqual([])
  await db.assertBelief({
    claim: 'Bob is short for Robert',
    subject: 'Bob',
    predicate: 'is short for',
    object: 'Robert',
  })
  expect(await db.conflicts({ about: 'Robert' })).toHaveLength(1)
  for (const [options, code] of [
    [{ limit: 0 }, 'AGIDB_INVALID_ARGUMENT'],
    [{ about: ' ' }, 'AGIDB_INVALID_TEXT'],
    [{ at: 'then' }, 'AGIDB_INVALID_TIME'],
    [{ when: 5 }, 'AGIDB_UNKNOWN_OPTION'],
  ] as const)
    await expect(db.conflicts(options as object)).rejects.toMatchObject({ code })
})
