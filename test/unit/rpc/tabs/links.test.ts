import { expect, test } from 'vitest'
import type { Agidb } from '../../../../src/api/agidb.js'
import { encodeOpenOptions } from '../../../../src/rpc/codec/open-options.js'
import { connect } from '../../../../src/rpc/worker/connect.js'
import { thread } from '../worker/thread.js'
import { Disk } from './disk.js'
import { Origin } from './origin.js'
import { openTab } from './tab.js'

/** Observes for a goal and with a belief, and what is refused of it. */
async function observed(db: Agidb): Promise<void> {
  const goal = await db.setGoal({ description: 'find a flat in Oslo' })
  const belief = await db.assertBelief({ claim: 'rents fall', confidence: 0.6 })
  const id = await db.observe('The tram was full.', { goal, beliefs: [belief] })
  const [second] = await db.observeMany([{ text: 'It rained.', goal }])
  expect(await db.getEpisode(id)).toMatchObject({ goal, beliefs: [belief] })
  const { matches } = await db.recall('what was full?')
  expect(matches[0]).toMatchObject({ id, goal, beliefs: [belief], goalBiased: true })
  const all = []
  for await (const page of db.episodes()) all.push(...page)
  expect(all.map((episode) => [episode.id, episode.goal])).toEqual([
    [id, goal],
    [second, goal],
  ])
  const wrong = db.observeMany([{ text: 'One.' }, { text: 'Two.', goal: belief }])
  const details = { what: 'items[1].goal', id: belief, observed: 0 }
  await expect(wrong).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND', details })
  expect(await db.count()).toBe(2)
}

test('links cross to an engine in another thread and back', async () => {
  const db = await connect(thread().thread, encodeOpenOptions({ extract: 'none' }))
  await observed(db)
  await db.close()
})

test('a tab that does not own the database observes for goals as the owner does', async () => {
  const [origin, disk] = [new Origin(), new Disk()]
  const owner = await openTab(origin, disk)
  const client = await openTab(origin, disk)
  await observed(client.db)
  await client.db.close()
  await owner.db.close()
})

test.each([
  'before',
  'after',
] as const)('when the owner dies %s it writes a link, the next owner has it once', async (when) => {
  const [origin, disk] = [new Origin(), new Disk()]
  const owner = await openTab(origin, disk)
  const client = await openTab(origin, disk)
  const goal = await client.db.setGoal({ description: 'find a flat in Oslo' })
  disk.dieIn(1, when)
  const ids = await client.db.observeMany([
    { text: 'The tram was full.', goal },
    { text: 'It rained.', goal },
  ])
  expect(owner.place.isDead).toBe(true)
  const learned = await client.db.whatDidILearn(0, { kinds: ['episodeLinked'] })
  expect(learned).toMatchObject(ids.map((episode) => ({ episode, goal })))
  await client.db.close()
})
