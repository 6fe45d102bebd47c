import { expect, test } from 'vitest'
import type { Episode } from '../../../src/api/episode.js'
import { Indexes } from '../../../src/indexes/indexes.js'
import { type EncodedAhead, WriteQueue } from '../../../src/write/write-queue.js'
import { kernel } from '../encoding/kernel.js'

const AT = '2027-01-15T08:00:00.000Z'
const episodes = (name: string, count: number): Episode[] =>
  Array.from({ length: count }, (_, i) => {
    const [id, text] = [`${name}-${i}`, `word${i} of ${name}`]
    return { id, text, at: AT, recordedAt: AT, triples: [], provenance: { writer: 'test', episodes: [id] } }
  })

/** A queue for which signatures are made elsewhere, and how many times these are kept. */
function setUp() {
  const indexes = new Indexes(kernel)
  const kept = { count: 0 }
  const ahead: EncodedAhead = {
    async encode(some) {
      kept.count++
      return { signed: some.map((episode) => indexes.encode(episode)), release: () => void kept.count-- }
    },
  }
  return { indexes, kept, queue: new WriteQueue(indexes, ahead) }
}
const callOf = (some: readonly Episode[]) => ({ episodes: some, resolve: () => {}, reject: () => {} })

test('Each episode has its own signature when two large writes come at once and others sign some.', async () => {
  const { indexes, queue } = setUp()
  for (const name of ['first', 'second']) queue.push(callOf(episodes(name, 200)))
  await queue.whileWriting(new Promise(() => {}))
  const drafts = await queue.finish(queue.take())
  expect(drafts.length).toBe(400)
  for (const { episode, signed } of drafts) expect(signed.signatures).toEqual(indexes.encode(episode).signatures)
})

test('Signatures that were made elsewhere for a call that may not begin are let go.', async () => {
  const { kept, queue } = setUp()
  const begin = () => {
    throw new Error('the id is taken')
  }
  queue.push({ ...callOf(episodes('refused', 200)), begin })
  expect(kept.count).toBe(1)
  expect(queue.take()).toEqual([])
  await expect.poll(() => kept.count).toBe(0)
})
