import { expect, test } from 'vitest'
import { openMemory } from './open.js'

const CALLS = { subject: 'CAPCOM', predicate: 'calls', object: 'Houston' }
const said = (count: number) => Array.from({ length: count }, (_, i) => ({ text: `Call ${i}.`, triples: [CALLS] }))

test('A memory that is idle consolidates by itself once enough is new.', async () => {
  const db = await openMemory({ autoConsolidate: true, idleMs: 20 })
  await db.observeMany(said(15))
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect((await db.stats()).atoms).toBe(0)
  await db.observeMany(said(1))
  await expect.poll(async () => (await db.stats()).atoms, { timeout: 20_000 }).toBe(1)
  expect(await db.semanticAtoms()).toMatchObject([{ support: 16 }])
  await db.close()
})

test('A memory does not consolidate by itself unless it is asked to, nor after it was closed.', async () => {
  const quiet = await openMemory({ idleMs: 1 })
  await quiet.observeMany(said(20))
  const closed = await openMemory({ autoConsolidate: true, idleMs: 20 })
  await closed.observeMany(said(20))
  await closed.close()
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect((await quiet.stats()).atoms).toBe(0)
})

test('The option autoConsolidate refuses what is not true or false.', async () => {
  await expect(openMemory({ autoConsolidate: 1 as never })).rejects.toThrow('autoConsolidate must be true or false')
})
