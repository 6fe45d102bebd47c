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
