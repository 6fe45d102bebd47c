import { expect, test } from 'vitest'
import { connect } from '../../../../src/rpc/worker/connect.js'
import { encodeOpenOptions } from '../../../../src/rpc/codec/open-options.js'
import { openMemory } from '../../engine/open.js'
import { Disk } from '../tabs/disk.js'
import { Origin } from '../tabs/origin.js'
import { openTab } from '../tabs/tab.js'
import { thread } from './thread.js'

const TRIPLES = [{ subject: 'Sarah', predicate: 'recommends', object: 'Bawri' }]

test('signatures cross to an engine in another thread and back as bytes, and say the same there', async () => {
  const here = await openMemory({ extract: 'none' })
  const there = await connect(thread().thread, encodeOpenOptions({ extract: 'none' }))
  for (const db of [here, there]) await db.observe('Sarah recommended Bawri.', { id: 'first', triples: TRIPLES })
  const signature = await there.tripleToSignature(TRIPLES)
  expect(signature).toBeInstanceOf(Uint8Array)
  expect(signature).toEqual(await here.tripleToSignature(TRIPLES))
  expect(await there.signatureToTriples(signature)).toEqual(await here.signatureToTriples(signature))
  expect(signature).toHaveLength(1_024)
  expect(await there.extractModalitySignature('first', 'audio')).toBeUndefined()
  const episode = await there.episodeToSignature('first')
  expect(episode).toBeInstanceOf(Uint8Array)
  expect(await there.signatureToEpisode(episode)).toEqual(await here.signatureToEpisode(episode))
  const query = { structured: { subject: 'Sarah' } }
  const [one, other] = [await there.neurosymbolicQuery(query), await here.neurosymbolicQuery(query)]
  expect(one.matches).toEqual(other.matches)
  await expect(there.neurosymbolicQuery({})).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
  await there.close()
})

test('a tab that does not own the database gets the same signatures', async () => {
  const [origin, disk] = [new Origin(), new Disk()]
  const [owner, client] = [await openTab(origin, disk), await openTab(origin, disk)]
  await owner.db.observe('Sarah recommended Bawri.', { triples: TRIPLES })
  const signature = await client.db.tripleToSignature(TRIPLES)
  expect(signature).toEqual(await owner.db.tripleToSignature(TRIPLES))
  expect((await client.db.signatureToTriples(signature)).map(({ triple }) => triple)).toEqual(TRIPLES)
  for (const { db } of [client, owner]) await db.close()
})
