import { expect, test } from 'vitest'
import type { Engine } from '../../../src/engine/engine.js'
import { listed, NOW, openMemory } from '../engine/open.js'
import { exported } from './exported.js'

const BAWRI = { subject: 'Bawri', predicate: 'is', object: 'a thai place' }

/** What Ann and Bob said, and what came of it. */
async function conversation(): Promise<Engine> {
  const db = await openMemory()
  await db.observeMany([
    { id: 'ann-1', speaker: 'Ann', text: 'Bawri is a thai place.', triples: [BAWRI], tags: ['food'] },
    { id: 'bob-1', speaker: 'Bob', text: 'Bob hides a periscope in the attic.' },
    { id: 'ann-2', speaker: 'Ann', text: 'Bawri is a thai place in Bandra.', triples: [BAWRI] },
    { id: 'bob-2', speaker: 'Bob', text: 'Bawri has moved to Goa, says the periscope.', triples: [BAWRI] },
    { id: 'ann-3', speaker: 'Ann', text: 'We eat at Bawri on Friday.' },
  ])
  await db.supersede('ann-3', 'bob-2')
  await db.update('bob-1', { text: 'Bob keeps a periscope in the cellar.' })
  await db.update('ann-1', { tags: ['food', 'thai'] })
  await db.consolidate()
  const goal = await db.setGoal({ description: 'have dinner' })
  await db.completeGoal(goal, ['ann-1', 'bob-1'])
  await db.assertBelief({ claim: 'Bob owns a periscope', confidence: 0.8, evidence: ['bob-1'] })
  const belief = await db.assertBelief({ claim: 'Bawri is open', confidence: 0.6, evidence: ['ann-1'] })
  await db.reviseBelief(belief, 'bob-2')
  await db.observeSensory({ modality: 'text', text: 'A periscope squeaks.' })
  await db.recall('who has a periscope?', { traceAttention: true })
  return db
}

test('An export with a filter has the episodes that pass it, and nothing that tells of the others.', async () => {
  const db = await conversation()
  const other = await openMemory()
  const bytes = await exported(db, { filter: { speaker: 'Ann' } })
  await other.import(bytes)
  const episodes = await listed(other)
  expect(episodes.map(({ id }) => id)).toEqual(['ann-1', 'ann-2', 'ann-3'])
  expect(await other.getEpisode('ann-1')).toMatchObject({ tags: ['food', 'thai'] })
  expect(await other.history('ann-1')).toHaveLength(2)
  expect(await other.getEpisode('ann-3'), 'what replaced it is not there').not.toHaveProperty('superseded')
  const held = (await other.whatDoIBelieve('Bawri')).map(({ claim }) => claim)
  expect(held).toContain('Bawri is open')
  expect((await other.recall('who has a periscope?')).beliefs).toEqual([])
  const told = JSON.stringify([episodes, await other.whatDidILearn(0), await other.workingState(), held])
  expect(told).not.toMatch(/periscope|Goa|bob-/)
  expect(Buffer.from(bytes).toString('latin1')).not.toMatch(/periscope|Goa/)
  // What was derived is derived again from what is there.
  const twin = await openMemory()
  await twin.import(await exported(db, { filter: { id: ['ann-1', 'ann-2', 'ann-3'] } }))
  for (const each of [other, twin]) await each.consolidate()
  expect(await other.semanticAtoms()).toEqual(await twin.semanticAtoms())
  for (const each of [db, other, twin]) await each.close()
})

test('An export with a filter has no alias of names that only episodes bear which are left out.', async () => {
  const db = await openMemory()
  const is = (subject: string) => [{ subject, predicate: 'is', object: 'here' }]
  await db.observe('Rex is here', { session: 'kept', speaker: 'Ann', triples: is('Rex') })
  await db.observe('Zoe said hi', { session: 'left', triples: is('Zoe') })
  await db.alias('Zoe', 'Zoe Secretname')
  await db.alias('Good Boy', 'Best Dog')
  await db.alias('Rex', 'Good Boy')
  await db.alias('Ann', 'Annie')
  const bytes = await exported(db, { filter: { session: 'kept' } })
  expect(Buffer.from(bytes).toString('latin1')).not.toContain('Zoe')
  const other = await openMemory()
  await other.import(bytes)
  expect((await other.concept('Best Dog'))?.name).toBe('Rex')
  expect(await other.whatDidILearn(0, { kinds: ['conceptsMerged'] })).toMatchObject([
    { names: ['Good Boy', 'Best Dog'] },
    { names: ['Rex', 'Good Boy'] },
    { names: ['Ann', 'Annie'] },
  ])
  for (const each of [db, other]) await each.close()
})

test('An export with a filter has of a split the names of the episodes that pass.', async () => {
  const db = await openMemory()
  const is = (...subjects: string[]) => subjects.map((subject) => ({ subject, predicate: 'is', object: 'here' }))
  await db.observe('Rex and Max are here', { session: 'kept', triples: is('Rex', 'Max') })
  await db.observe('Zoe and Una are here', { session: 'left', triples: is('Zoe', 'Una') })
  await db.alias('Rex', 'Max')
  await db.alias('Zoe', 'Una')
  await db.split('Zoe', ['Una'])
  const same = { subject: 'Max', predicate: 'is also known as', object: 'Zoe' }
  await db.observe('Max is also known as Zoe', { session: 'left', triples: [same] })
  await db.split('Rex', ['Max'])
  const bytes = await exported(db, { filter: { session: 'kept' } })
  expect(Buffer.from(bytes).toString('latin1')).not.toMatch(/Zoe|Una/i)
  const other = await openMemory()
  await other.import(bytes)
  expect((await other.concept('Rex'))?.aliases).toEqual([])
  expect(await other.whatDidILearn(0, { kinds: ['conceptsSplit'] })).toMatchObject([{ names: ['Max'], from: ['rex'] }])
  for (const each of [db, other]) await each.close()
})

test('A filter that all episodes pass leaves nothing out, and one that none passes leaves no episode.', async () => {
  const db = await conversation()
  expect(await exported(db, { filter: {} })).toEqual(await exported(db))
  const none = await openMemory()
  await none.import(await exported(db, { filter: { tags: 'nobody' } }))
  expect(await none.count()).toBe(0)
  await none.observe('It goes on from here.')
  expect(await none.count()).toBe(1)
  for (const each of [db, none]) await each.close()
})

test('JSON lines with a filter have the lines of what passes.', async () => {
  const db = await conversation()
  const lines = new TextDecoder().decode(await exported(db, { format: 'jsonl', filter: { speaker: 'Ann' } }))
  const ids = lines
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { id: string }).id)
  expect(ids).toEqual(['ann-1', 'ann-2', 'ann-3'])
  expect(lines).not.toContain('bob-')
  await db.close()
})

test('An audit of unlearning is in every export, whatever its filter.', async () => {
  const db = await conversation()
  const { auditId } = await db.unlearn({ episode: 'ann-2' }, 'asked to')
  const other = await openMemory()
  await other.import(await exported(db, { filter: { at: { to: new Date(NOW - 1e10) } } }))
  expect(await other.unlearnReport(auditId!)).toMatchObject({ auditId })
  for (const each of [db, other]) await each.close()
})
