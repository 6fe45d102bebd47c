import { expect, test } from 'vitest'
import { sync, type SyncStream } from '../../../../src/adapters/sync/index.js'
import { encodeFrame } from '../../../../src/adapters/sync/frames.js'
import { listed, NOW, openMemory } from '../../engine/open.js'

/** Two ends of a way that gives bytes in pieces of a size. */
function way(pieceBytes: number): readonly [SyncStream, SyncStream] {
  const cut = () =>
    new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        for (let at = 0; at < bytes.length; at += pieceBytes) controller.enqueue(bytes.slice(at, at + pieceBytes))
      },
    })
  const [there, back] = [cut(), cut()]
  return [
    { readable: back.readable, writable: there.writable },
    { readable: there.readable, writable: back.writable },
  ]
}

async function two() {
  const a = await openMemory({ seed: 1, clock: () => NOW })
  const b = await openMemory({ seed: 2, clock: () => NOW + 1_000 })
  await a.observeMany(Array.from({ length: 40 }, (_, i) => ({ text: `The train ${i} is late in Oslo.` })))
  await b.observeMany(Array.from({ length: 30 }, (_, i) => ({ text: `The boat ${i} is early in Pune.` })))
  return { a, b }
}

test.each([
  1, 7, 4_096, 1_000_000,
])('two memories exchange all they hold over streams in pieces of %i bytes', async (size) => {
  const { a, b } = await two()
  const [left, right] = way(size)
  const [one, other] = await Promise.all([sync(a, left, { maxBytes: 4_096 }), sync(b, right)])
  expect(one).toMatchObject({ added: 30, updated: 0, removed: 0 })
  expect(other).toMatchObject({ added: 40, updated: 0, removed: 0 })
  expect(one.vector).toEqual(other.vector)
  expect(await listed(a)).toEqual(await listed(b))
  const [again, likewise] = way(size)
  const reports = await Promise.all([sync(a, again), sync(b, likewise)])
  for (const report of reports) expect(report).toMatchObject({ added: 0, sent: 0 })
  await a.close()
  await b.close()
})

test('an exchange whose stream ends too early is refused, keeps what came, and goes on the next time', async () => {
  const { a, b } = await two()
  const [left, right] = way(1_000_000)
  let pieces = 0
  const ending: SyncStream = {
    writable: right.writable,
    readable: right.readable.pipeThrough(
      new TransformStream({
        transform(bytes, controller) {
          if (++pieces > 3) controller.terminate()
          else controller.enqueue(bytes)
        },
      }),
    ),
  }
  const [one, other] = await Promise.allSettled([sync(a, left, { maxBytes: 1_024 }), sync(b, ending)])
  expect(one.status).toBe('rejected')
  expect(other).toMatchObject({ status: 'rejected', reason: { code: 'AGIDB_SYNC' } })
  const { episodes } = await b.stats()
  expect(episodes).toBeGreaterThan(30)
  expect(episodes).toBeLessThan(70)
  const [again, likewise] = way(1_000_000)
  await Promise.all([sync(a, again), sync(b, likewise)])
  expect(await listed(a)).toEqual(await listed(b))
  await a.close()
  await b.close()
})

test.each([
  ['what it has received in no known way', encodeFrame({ kind: 1, content: Uint8Array.of(1, 2) }), 'AGIDB_SYNC'],
  [
    'a vector that is none',
    encodeFrame({ kind: 1, content: new TextEncoder().encode('[1]') }),
    'AGIDB_INVALID_ARGUMENT',
  ],
  ['something else first', encodeFrame({ kind: 9, content: new Uint8Array(0) }), 'AGIDB_SYNC'],
  ['four gigabytes', Uint8Array.of(255, 255, 255, 255, 1), 'AGIDB_TOO_LARGE'],
] as const)('an exchange with a device that tells %s is refused', async (_, bytes, code) => {
  const a = await openMemory()
  await a.observe('The office is in Oslo.')
  const writable = new WritableStream<Uint8Array>()
  const readable = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(bytes) })
  await expect(sync(a, { readable, writable })).rejects.toMatchObject({ code })
  expect((await a.stats()).episodes).toBe(1)
  await a.close()
})

test('an exchange that is aborted rejects although nothing comes', async () => {
  const a = await openMemory()
  const abort = new AbortController()
  const exchange = sync(a, { readable: new ReadableStream(), writable: new WritableStream() }, { signal: abort.signal })
  setTimeout(() => abort.abort())
  await expect(exchange).rejects.toMatchObject({ code: 'AGIDB_ABORTED' })
  await a.close()
})
