import { MessageChannel } from 'node:worker_threads'
import { type Endpoint, expose, wrap } from 'comlink'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { readCodebook } from '../../../../src/encoding/codebook/node.js'
import { loadCodebook } from '../../../../src/encoding/codebook/load.js'
import type { Observation } from '../../../../src/api/episode.js'
import type { Engine } from '../../../../src/engine/engine.js'
import { readKernel } from '../../../../src/kernel/node.js'
import { altered } from '../../../unit/storage/altered-adapter.js'
import { memoryStorage } from '../../../../src/storage/adapters/memory.js'
import type { StorageChange } from '../../../../src/api/storage.js'
import { encodeHost } from '../../../../src/pools/encode/host.js'
import type { EncodeHost, StartEncodeThread } from '../../../../src/pools/encode/port.js'
import type { EncodeThreads } from '../../../../src/pools/encode/pool.js'
import { openMemory } from '../../../unit/engine/open.js'

const bytes = await readCodebook()
const codebook = (await loadCodebook(bytes))!

const ports: { close(): void }[] = []
afterEach(() => ports.splice(0).forEach((port) => port.close()))

interface Threads extends EncodeThreads {
  started: number
  ended: number
  signed: number
}

/** A thread that makes signatures behind real message ports, in this thread. */
async function threads(
  change: (host: EncodeHost, failed: () => void) => EncodeHost = (host) => host,
): Promise<Threads> {
  const start: StartEncodeThread = (failed) => {
    const { port1, port2 } = new MessageChannel()
    ports.push(port1, port2)
    all.started++
    const host = encodeHost()
    expose(
      {
        ...host,
        encode: (texts, into) => ((all.signed += texts.length), host.encode(texts, into)),
      } satisfies EncodeHost,
      port2 as unknown as Endpoint,
    )
    const remote = wrap<EncodeHost>(port1 as unknown as Endpoint)
    return {
      host: change({ open: (means) => remote.open(means), encode: (...args) => remote.encode(...args) }, failed),
      end: () => (all.ended++, port1.close()),
    }
  }
  const all: Threads = {
    start,
    config: { kernel: await readKernel(), codebook: bytes },
    from: 100,
    started: 0,
    ended: 0,
    signed: 0,
  }
  return all
}

/** An engine in memory, and all that it stored: the bits of rows and signatures, as they were at that moment. */
async function open(
  signerThreads?: EncodeThreads,
  options = {},
): Promise<{ readonly db: Engine; readonly stored: StorageChange[] }> {
  const stored: StorageChange[] = []
  const storage = altered(memoryStorage(), ({ rows }) => ({
    rows: {
      ...rows,
      async commit(changes) {
        stored.push(...structuredClone(changes))
        await rows.commit(changes)
      },
    },
  }))
  return {
    db: await openMemory({ codebook, storage, ...(signerThreads && { signerThreads, shards: 1 }), ...options }),
    stored,
  }
}

const WORDS = [
  'harbour',
  'lantern',
  'violin',
  'the',
  'granite',
  'saddle',
  'teapot',
  'glacier',
  'naïve',
  'of',
  '東京',
  '!',
  '…',
]
const observation = fc.record(
  {
    text: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 9 }).map((words) => words.join(' ')),
    speaker: fc.constantFrom('Ann', 'Bob Ü'),
    triples: fc.constant([{ subject: 'Ann', predicate: 'plays', object: 'violin' }]),
  },
  { requiredKeys: ['text'] },
)
const some = (count: number, name = ''): Observation[] =>
  Array.from({ length: count }, (_, i) => ({
    text: `${WORDS[i % 13]} ${WORDS[(i * 5 + 3) % 13]} number ${i} ${name}`,
    speaker: WORDS[i % 3],
  }))

/** Observes until the thread is at work. */
async function warm(db: Engine): Promise<void> {
  await vi.waitFor(
    async () => {
      await db.observeMany(some(300))
      expect((await db.stats()).memoryParts.signers).toBeGreaterThan(0)
    },
    { timeout: 30_000 },
  )
}

test('what is stored is the same to the bit, with a thread and without', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(observation, { minLength: 1, maxLength: 700 }), { minLength: 1, maxLength: 3 }),
      async (calls) => {
        const signerThreads = await threads()
        const { db, stored } = await open(signerThreads)
        const { db: alone, stored: wanted } = await open()
        await warm(db)
        const from = stored.length
        await Promise.all(calls.map((items) => db.observeMany(items.map((item) => ({ ...item })))))
        await Promise.all(calls.map((items) => alone.observeMany(items)))
        const bits = (changes: readonly StorageChange[]) =>
          changes.map((change) =>
            change.op === 'put' ? { encoder: change.encoder, signatures: change.signatures } : change.op,
          )
        expect(bits(stored.slice(from))).toEqual(bits(wanted))
        expect(signerThreads.signed).toBeGreaterThan(0)
        await Promise.all([db.close(), alone.close()])
        expect(signerThreads).toMatchObject({ started: 1, ended: 1 })
      },
    ),
    { numRuns: 6 },
  )
}, 120_000)

test('recall finds what a thread signed', async () => {
  const { db } = await open(await threads())
  const { db: alone } = await open()
  await warm(db)
  const items = some(1000, 'later')
  await db.observeMany(items)
  await alone.observeMany(items)
  const found = async (db: Engine) =>
    (await db.recall('a lantern later, number 517', { k: 3 })).matches.map(({ text }) => text)
  expect((await found(db))[0]).toBe((await found(alone))[0])
  await Promise.all([db.close(), alone.close()])
}, 60_000)

test.each<[string, (host: EncodeHost, failed: () => void) => EncodeHost]>([
  ['cannot load', (host) => ({ ...host, open: () => Promise.reject(new Error('no kernel')) })],
  ['fails', (host) => ({ ...host, encode: () => Promise.reject(new Error('it fails')) })],
  ['ends', (host, failed) => ({ ...host, encode: () => (failed(), new Promise(() => {})) })],
  ['never answers', (host) => ({ ...host, encode: () => new Promise(() => {}) })],
])(
  'a thread that %s takes nothing away',
  async (_, change) => {
    const { db, stored } = await open(await threads(change))
    const { db: alone, stored: wanted } = await open()
    for (let i = 0; i < 4; i++) {
      await db.observeMany(some(600))
      await alone.observeMany(some(600))
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
    const texts = (changes: readonly StorageChange[]) =>
      changes.map((change) => change.op === 'put' && change.signatures.text)
    expect(texts(stored)).toEqual(texts(wanted))
    await Promise.all([db.close(), alone.close()])
  },
  60_000,
)

test('a thread that cannot be started takes nothing away', async () => {
  const start = () => {
    throw new Error('no threads here')
  }
  const { db } = await open({ ...(await threads()), start })
  await db.observeMany(some(1000))
  expect((await db.stats()).episodes).toBe(1000)
  await db.close()
}, 60_000)

test('few episodes start none, nor does a memory without room, nor one that is to have no threads', async () => {
  const signerThreads = await threads()
  for (const options of [
    { signerThreads: { ...signerThreads, from: undefined } },
    { memoryBudget: 0 },
    { shards: 0 },
  ]) {
    const { db } = await open(signerThreads, options)
    await db.observeMany(some(600))
    await db.close()
  }
  expect(signerThreads.started).toBe(0)
}, 60_000)

test('an abort ends a call between commits, and closing waits for no thread', async () => {
  const signerThreads = await threads()
  const { db, stored } = await open(signerThreads)
  await warm(db)
  const before = stored.length
  const aborting = new AbortController()
  const call = db.observeMany(some(5000), {
    signal: aborting.signal,
    onProgress: ({ done }) => done >= 512 && aborting.abort(),
  })
  await expect(call).rejects.toMatchObject({ code: 'AGIDB_ABORTED', details: { observed: 512 } })
  expect(stored.length - before).toBe(512)
  const ids = await db.observeMany(some(300))
  expect(ids.length).toBe(300)
  const cut = db.observeMany(some(5000)).catch((error: unknown) => error)
  await db.close()
  expect(await cut).toMatchObject({ code: 'AGIDB_CLOSED' })
  expect(signerThreads.ended).toBe(signerThreads.started)
}, 60_000)
