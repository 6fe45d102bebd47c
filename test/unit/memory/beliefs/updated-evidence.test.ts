import { expect, test } from 'vitest'
import type { Triple } from '../../../../src/api/episode.js'
import { openEngine } from '../../../../src/engine/whole.js'
import { memoryStorage } from '../../../../src/storage/adapters/memory.js'
import { kernel } from '../../encoding/kernel.js'
import { NOW } from '../../engine/open.js'

const ann = (predicate: string, object: string): Triple => ({ subject: 'Ann', predicate, object })

/** What is believed where an episode makes a statement, or is updated to make it. Ids are as they are drawn. */
async function believed(said: readonly Triple[], updatedTo?: readonly Triple[]): Promise<unknown> {
  let now = NOW
  const db = await openEngine({ kernel, storage: memoryStorage(), clock: () => now, seed: 1 })
  const rome = ann('lives in', 'Rome')
  const id = await db.assertBelief({ ...rome, claim: 'Ann lives in Rome', confidence: 0.6, validFrom: NOW - 1_000 })
  now += 1_000
  await db.observe('Somebody said something.', { id: 'x', triples: said })
  now += 1_000
  await db.observe('Annie lives in Rome.', { id: 'y', triples: [{ ...rome, subject: 'Annie' }] })
  now += 1_000
  if (updatedTo !== undefined) await db.update('x', { triples: updatedTo })
  const events = await db.whatDidILearn(0, { kinds: ['beliefAsserted', 'beliefRevised', 'beliefWithdrawn'] })
  const answers = [await db.getBelief(id), await db.beliefHistory(id), await db.whatDoIBelieve('Ann')]
  await db.close()
  return { answers, events: events.map((event) => ({ ...event, id: '' })) }
}

test.each([
  ['contradicted it and supports it now', [ann('lives in', 'Oslo')], [ann('lives in', 'Rome')]],
  ['supported it and contradicts it now', [ann('lives in', 'Rome')], [ann('lives in', 'Oslo')]],
  ['supported it and says nothing of it now', [ann('lives in', 'Rome')], []],
  ['said nothing of it and supports it now', [], [ann('lives in', 'Rome')]],
  ['gave another name, by which another episode spoke of it, and does no more', [ann('is also known as', 'Annie')], []],
] as const)('a belief is as if an updated episode had always said so: one that %s', async (_, before, after) => {
  expect(await believed(before, after)).toEqual(await believed(after))
})
