import { expect, test } from 'vitest'
import { NOW, openMemory } from '../../engine/open.js'
import { Believing, said } from './believing.js'

test('what two voices state comes to be believed, and what one repeats does not', async () => {
  const memory = await new Believing().open()
  await memory.tell({ id: 'a', ...said('Ann', 'Rex', 'lives in', 'Oslo') })
  await memory.tell({ id: 'b', ...said('Ann', 'Rex', 'lives in', 'Oslo') })
  expect(await memory.believed('Rex')).toEqual([])
  await memory.tell({ id: 'c', ...said('Tom', 'REX', 'resides in', 'oslo.') })
  const [belief] = await memory.db.whatDoIBelieve('Rex')
  expect(belief).toMatchObject({
    claim: 'REX resides in oslo.',
    confidence: 0.9,
    evidence: ['a', 'b', 'c'],
    recordedAt: new Date(memory.time).toISOString(),
    validFrom: new Date(NOW + 1_000).toISOString(),
  })
  await memory.tell({ id: 'd', ...said('Bo', 'Rex', 'lives in', 'Oslo') })
  await memory.tell({ id: 'e', ...said('Cy', 'Rex', 'lives in', 'Rome') })
  const after = await memory.db.getBelief(belief!.id)
  expect(after).toMatchObject({ evidence: ['a', 'b', 'c', 'd'], contradictions: ['e'] })
  expect(after!.confidence).toBeCloseTo(0.9, 10)
  await memory.db.close()
})

test('nothing is believed without the option, nor what is denied since, nor what a caller asserted', async () => {
  const off = await new Believing({ autoBelieve: undefined }).open()
  await off.tell(said('Ann', 'Rex', 'lives in', 'Oslo'), said('Tom', 'Rex', 'lives in', 'Oslo'))
  expect(await off.believed('Rex')).toEqual([])
  await off.db.close()
  const memory = await new Believing().open()
  await memory.tell({ ...said('Ann', 'Rex', 'likes', 'tea'), at: NOW - 3_000 })
  await memory.tell({ ...said('Bo', 'Rex', 'does not like', 'tea'), at: NOW - 1_000 })
  await memory.tell({ ...said('Tom', 'Rex', 'likes', 'tea'), at: NOW - 2_000 })
  expect(await memory.believed('Rex')).toEqual([])
  const claim = { claim: 'Karla lives in Pune', subject: 'Karla', predicate: 'lives in', object: 'Pune' }
  const asserted = await memory.db.assertBelief({ ...claim, confidence: 0.6 })
  await memory.tell(said('Ann', 'Karla', 'lives in', 'Pune'), said('Tom', 'Karla', 'lives in', 'Pune'))
  expect((await memory.db.whatDoIBelieve('Karla')).map(({ id }) => id)).toEqual([asserted])
  await memory.db.close()
})

test('a belief of the memory goes with its evidence, and comes back as it was withdrawn', async () => {
  const memory = await new Believing().open()
  const { db } = memory
  await memory.tell({ id: 'a', session: 's', ...said('Ann', 'Rex', 'likes', 'tea') })
  await memory.tell({ id: 'b', ...said('Tom', 'Rex', 'likes', 'tea') })
  const [belief] = await db.whatDoIBelieve('Rex')
  memory.time += 1_000
  await db.withdrawBelief(belief!.id, 'he told me so')
  const { auditId } = await db.unlearn({ session: 's' }, 'asked')
  expect(await db.getBelief(belief!.id)).toBeUndefined()
  expect((await db.whatDidILearn(0)).filter(({ kind }) => kind.startsWith('belief'))).toEqual([])
  await db.restoreWithinWindow(auditId!)
  expect((await db.getBelief(belief!.id))!.withdrawn!.reason).toBe('he told me so')
  await db.close()
})

test('what the memory believes by itself is forgotten with the episodes that state it, and not alone', async () => {
  const memory = await new Believing().open()
  const { db } = memory
  await memory.tell(said('Ann', 'Rex', 'likes', 'tea'), said('Tom', 'Rex', 'likes', 'tea'))
  const [belief] = await db.whatDoIBelieve('Rex')
  await expect(db.unlearn({ belief: belief!.id }, 'asked')).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
  const dry = await db.unlearn({ concept: 'Rex' }, 'asked', { dryRun: true })
  expect(dry).toMatchObject({ episodesRemoved: 2, beliefsRemoved: 1 })
  await db.unlearn({ concept: 'Rex' }, 'asked')
  expect(await db.whatDoIBelieve('Rex')).toEqual([])
  await db.close()
})

test('a flag of what a caller asserted again is told as before once the evidence of the memory is back', async () => {
  const memory = await new Believing().open()
  const { db } = memory
  const lives = { subject: 'Rex', predicate: 'lives in', object: 'Oslo' }
  await memory.tell({ id: 'a', ...said('Ann', 'Rex', 'lives in', 'Oslo') })
  await memory.tell({ id: 'b', ...said('Tom', 'Rex', 'lives in', 'Oslo') })
  const [belief] = await db.whatDoIBelieve('Rex')
  expect(await db.assertBelief({ claim: 'Rex lives in Oslo', ...lives })).toBe(belief!.id)
  await memory.tell({ id: 'c', text: 'so it is', triples: [lives, { ...lives, object: 'Rome' }] })
  const before = await db.beliefHistory(belief!.id)
  const { auditId } = await db.unlearn({ episode: ['a', 'b'] }, 'asked')
  expect((await db.beliefHistory(belief!.id)).map(({ kind }) => kind)).toEqual(['asserted', 'flagged'])
  await db.restoreWithinWindow(auditId!)
  expect(await db.beliefHistory(belief!.id)).toEqual(before)
  await db.close()
})

test('the option is refused where it is no number from one half to one', async () => {
  for (const autoBelieve of [0.4, 1.1, Number.NaN, 'yes' as unknown as number])
    await expect(openMemory({ autoBelieve })).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
})
