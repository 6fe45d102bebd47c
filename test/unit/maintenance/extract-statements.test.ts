import { expect, test } from 'vitest'
import type { StorageAdapter } from '../../../src/api/storage.js'
import { StatementExtraction } from '../../../src/maintenance/extract-statements.js'
import { memoryStorage } from '../../../src/storage/adapters/memory.js'
import { likes } from '../engine/likes.js'
import { openMemory } from '../engine/open.js'

/** A storage in main memory that flushes as `flush` does. */
function flushingAs(flush: () => Promise<void>): StorageAdapter {
  const { open } = memoryStorage()
  return {
    scope: () => flushingAs(flush),
    open: async (...options) => Object.assign(await open(...options), { flush }),
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Waits until every text is read. */
async function read(db: Awaited<ReturnType<typeof openMemory>>): Promise<void> {
  while ((await db.stats()).extraction!.pending > 0) await pause(1)
}

test('no text is read while a caller waits for a flush, and all are read after it', async () => {
  let end = (): void => {}
  let begun = (): void => {}
  const beginning = new Promise<void>((resolve) => (begun = resolve))
  const storage = flushingAs(() => {
    begun()
    return new Promise((resolve) => (end = resolve))
  })
  const calls: string[][] = []
  const db = await openMemory({ storage, extract: likes('1', calls) })
  const flushed = db.flush()
  await beginning
  await db.observe('Ann likes tea.')
  await pause(50)
  expect(calls).toEqual([])
  end()
  await flushed
  await read(db)
  expect(calls).toEqual([['Ann likes tea.']])
  await db.close()
})

test('texts are read after a flush that failed', async () => {
  const storage = flushingAs(() => Promise.reject(new Error('the disk is full')))
  const db = await openMemory({ storage, extract: likes() })
  await expect(db.flush()).rejects.toThrow('the disk is full')
  await db.observe('Ann likes tea.')
  await read(db)
  await db.close()
})

test('An episode that comes as the reading of others ends is read without another write.', async () => {
  const there = [0]
  const done = new Set<number>()
  let isLate = false
  const reader = {
    extractor: likes(),
    batch: () => 1,
    giveWay: () => pause(0),
    read: async (slots: readonly number[]) => slots.map((slot) => ({ slot })),
  }
  const extraction: StatementExtraction = new StatementExtraction({
    reader: likes(),
    loadPart: async () => ({ TextReader: { open: async () => reader } }),
    store: async (found: readonly { readonly slot: number }[]) => found.forEach(({ slot }) => done.add(slot)),
    indexes: {
      documents: { has: () => false, size: 0 },
      extracted: { has: (slot: number) => done.has(slot), count: () => done.size },
      catalog: {
        slots: (from: number) => {
          // Nothing is left to be read now; the next episode comes in the very next step.
          if (done.size === 1 && !isLate) {
            isLate = true
            queueMicrotask(() => {
              there.push(1)
              extraction.wake()
            })
          }
          return there.filter((slot) => slot >= from)
        },
      },
    },
  } as never)
  extraction.wake()
  await expect.poll(() => [...done]).toEqual([0, 1])
})
