import { expect, test } from 'vitest'
import type { Agidb } from '../../../src/api/agidb.js'
import { listed, NOW, openMemory } from './open.js'

/** Has `to` receive what `from` has, over and over until nothing is left. */
async function give(from: Agidb, to: Agidb): Promise<void> {
  for (;;) {
    const changes = await from.changes(await to.versionVector())
    await to.apply(changes)
    if (!changes.more) return
  }
}

async function meet(a: Agidb, b: Agidb): Promise<void> {
  await give(a, b)
  await give(b, a)
}

const texts = async (db: Agidb) => (await listed(db)).map(({ text }) => text)

test('two memories that meet hold what both observed, in one order', async () => {
  let now = NOW
  const clock = () => now
  const a = await openMemory({ clock, seed: 1 })
  const b = await openMemory({ clock, seed: 2 })
  await a.observe('Sarah recommended Bawri, a thai place in Bandra.')
  now += 1000
  await b.observe('The dentist moved to Hill Road.')
  now += 1000
  await a.observe('The office is in Oslo.')
  await meet(a, b)
  const all = [
    'Sarah recommended Bawri, a thai place in Bandra.',
    'The dentist moved to Hill Road.',
    'The office is in Oslo.',
  ]
  expect(await texts(a)).toEqual(all)
  expect(await texts(b)).toEqual(all)
  const asked = async (db: Agidb) =>
    (await db.recall('where is the dentist?')).matches.map(({ id, confidence }) => [id, confidence])
  expect(await asked(a)).toEqual(await asked(b))
  await a.close()
  await b.close()
})

test('changes that were applied are applied again without effect', async () => {
  const a = await openMemory({ seed: 1 })
  const b = await openMemory({ seed: 2 })
  await a.observe('The office is in Oslo.')
  const changes = await a.changes()
  expect(await b.apply(changes)).toMatchObject({ added: 1, updated: 0, removed: 0 })
  expect(await b.apply(changes)).toMatchObject({ added: 0, updated: 0, removed: 0 })
  expect((await a.changes(await b.versionVector())).count).toBe(0)
  await a.close()
  await b.close()
})

test('changes that follow on others which have not come are refused, and come when asked for', async () => {
  const [a, b] = await Promise.all([openMemory({ seed: 1 }), openMemory({ seed: 2 })])
  await a.observe('The office is in Oslo.')
  const { vector } = await a.changes()
  await a.observe('The dentist is on Hill Road.')
  await expect(b.apply(await a.changes(vector))).rejects.toMatchObject({ code: 'AGIDB_SYNC' })
  await give(a, b)
  expect(await texts(b)).toEqual(await texts(a))
  await a.close()
  await b.close()
})

test('what one device unlearned is gone from the other, which had changed it meanwhile', async () => {
  let now = NOW
  const clock = () => (now += 1000)
  const a = await openMemory({ clock, seed: 1 })
  const b = await openMemory({ clock, seed: 2 })
  const id = await a.observe('The code of the door is 1234.')
  await a.observe('The office is in Oslo.')
  await meet(a, b)
  await a.unlearn({ episode: id }, 'it was a secret')
  await b.update(id, { text: 'The code of the door is 4321.' })
  await meet(b, a)
  expect(await texts(a)).toEqual(['The office is in Oslo.'])
  expect(await texts(b)).toEqual(['The office is in Oslo.'])
  await a.close()
  await b.close()
})

test('what is restored within its window is there again on the other device, in its place', async () => {
  let now = NOW
  const clock = () => (now += 1000)
  const a = await openMemory({ clock, seed: 1 })
  const b = await openMemory({ clock, seed: 2 })
  const id = await a.observe('The code of the door is 1234.')
  await b.observe('The office is in Oslo.')
  await meet(a, b)
  const { auditId } = await a.unlearn({ episode: id }, 'it was a secret')
  await meet(a, b)
  expect(await texts(b)).toEqual(['The office is in Oslo.'])
  await a.restoreWithinWindow(auditId!)
  await meet(a, b)
  const all = ['The code of the door is 1234.', 'The office is in Oslo.']
  expect(await texts(a)).toEqual(all)
  expect(await texts(b)).toEqual(all)
  await a.close()
  await b.close()
})

test('of two devices that change one episode the later change counts, and earlier versions are kept', async () => {
  const { a, b, id } = await together('The office is in Rome.')
  await a.update(id, { text: 'The office is in Oslo.' })
  await b.update(id, { text: 'The office is in Pune.' })
  await meet(a, b)
  for (const db of [a, b]) {
    expect((await db.getEpisode(id))?.text).toBe('The office is in Pune.')
    expect((await db.history(id)).map(({ episode }) => episode.text)).toEqual([
      'The office is in Rome.',
      'The office is in Pune.',
    ])
    await db.close()
  }
})

test('of two supersessions of an episode the first counts, and the other once that is unlearned', async () => {
  const { a, b, id } = await together('The office is in Rome.')
  const oslo = await a.observe('The office is in Oslo.')
  await a.supersede(id, oslo)
  const pune = await b.observe('The office is in Pune.')
  await b.supersede(id, pune)
  await meet(a, b)
  for (const db of [a, b]) expect((await db.getEpisode(id))?.superseded?.by).toBe(oslo)
  await b.unlearn({ episode: oslo }, 'wrong')
  await meet(b, a)
  for (const db of [a, b]) expect((await db.getEpisode(id))?.superseded?.by).toBe(pune)
  await a.close()
  await b.close()
})

test('two devices that supersede two episodes by each other leave one of both current', async () => {
  const { a, b, id } = await together('The office is in Rome.')
  const other = await a.observe('The office is in Oslo.')
  await meet(a, b)
  await a.supersede(id, other)
  await b.supersede(other, id)
  await meet(a, b)
  for (const db of [a, b]) {
    expect((await db.getEpisode(id))?.superseded?.by).toBe(other)
    expect((await db.getEpisode(other))?.superseded).toBeUndefined()
    await db.close()
  }
})

test('two devices that put two goals below each other leave them as the earlier did', async () => {
  const { a, b } = await together('The office is in Rome.')
  const run = await a.setGoal({ description: 'run a marathon' })
  const fit = await a.setGoal({ description: 'get fit' })
  await meet(a, b)
  await a.reviseGoal(run, { parent: fit })
  await b.reviseGoal(fit, { parent: run })
  await meet(a, b)
  await meet(b, a)
  for (const db of [a, b]) {
    expect((await db.getGoal(run))?.parent).toBe(fit)
    expect((await db.getGoal(fit))?.parent).toBeUndefined()
    await db.close()
  }
})

test('what another device unlearned cannot be restored here, and comes back when it is restored there', async () => {
  const { a, b, id } = await together('The code is 1234.')
  const { auditId } = await a.unlearn({ episode: id }, 'secret')
  await meet(a, b)
  const [here] = await b.unlearnHistory(0)
  expect(here.reason).toBe('unlearned on another device')
  await b.restoreWithinWindow(here.auditId)
  await meet(b, a)
  for (const db of [a, b]) expect(await db.getEpisode(id)).toBeUndefined()
  await a.restoreWithinWindow(auditId!)
  await meet(a, b)
  for (const db of [a, b]) {
    expect((await db.getEpisode(id))?.text).toBe('The code is 1234.')
    await db.close()
  }
})

test('a memory that a second device imported is the same, and what either unlearns is gone from both', async () => {
  const { a, b: c, id } = await together('The code is 1234.')
  await c.close()
  const kept = await a.observe('The office is in Oslo.')
  const b = await openMemory({ clock: () => NOW + 3_600_000, seed: 9 })
  await b.import(await a.export())
  await a.update(kept, { text: 'The office is in Pune.' })
  await a.unlearn({ episode: id }, 'secret')
  await meet(b, a)
  for (const db of [a, b]) {
    expect(await texts(db)).toEqual(['The office is in Pune.'])
    await db.close()
  }
})

test('what a device knows of others is in no export', async () => {
  const { a, b } = await together('The office is in Oslo.')
  const c = await openMemory({ clock: () => NOW + 3_600_000, seed: 9 })
  expect(await c.import(await b.export())).toMatchObject({ episodes: 1, records: 0 })
  expect(await c.versionVector()).toEqual({})
  for (const db of [a, b, c]) await db.close()
})

test('beliefs that were asserted, aliases and procedures come along', async () => {
  const { a, b, id } = await together('Ann lives in Oslo.')
  const belief = await a.assertBelief({ claim: 'Ann lives in Oslo', confidence: 0.9, evidence: [id] })
  await a.alias('Ann', 'Annie')
  await meet(a, b)
  expect(await b.getBelief(belief)).toEqual(await a.getBelief(belief))
  await a.unlearn({ belief }, 'no')
  await meet(a, b)
  expect(await b.getBelief(belief)).toBeUndefined()
  await a.close()
  await b.close()
})

test('atoms of a device stay right when older episodes come from another', async () => {
  let now = NOW
  const clock = () => (now += 60_000)
  const [a, b, twin] = await Promise.all([1, 2, 3].map((seed) => openMemory({ clock, seed })))
  const stated = { triples: [{ subject: 'Ann', predicate: 'likes', object: 'tea' }] }
  await b.observe('Ann likes tea.', stated)
  for (const text of ['Ann likes tea, she says.', 'Ann really likes tea.']) await a.observe(text, stated)
  await a.consolidate({ minSupport: 2 })
  await meet(a, b)
  await twin.import(await b.export())
  await twin.consolidate({ minSupport: 2 })
  const atoms = async (db: Agidb) =>
    (await db.semanticAtoms()).map(({ statement, support, provenance: { episodes } }) => ({
      statement,
      support,
      episodes,
    }))
  expect(await atoms(a)).toEqual(await atoms(twin))
  for (const db of [a, b, twin]) await db.close()
})

/** Two memories that have met and hold one episode. */
async function together(text: string) {
  let now = NOW
  const clock = () => (now += 1_000)
  const a = await openMemory({ clock, seed: 1 })
  const b = await openMemory({ clock, seed: 2 })
  const id = await a.observe(text)
  await meet(a, b)
  return { a, b, id }
}
