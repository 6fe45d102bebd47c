import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Engine } from '../../../src/engine/engine.js'
import { openEngine } from '../../../src/engine/whole.js'
import { verifyPath } from '../../../src/runtimes/node/verify.js'
import { altered } from '../storage/altered-adapter.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { kernel } from '../encoding/kernel.js'
import { listed, NOW, withFolder } from './open.js'

const open = (path: string): Promise<Engine> =>
  openEngine({ kernel, storage: nodeStorage(path), seed: 1, clock: () => NOW, keepAfter: 1 })
const texts = Array.from({ length: 60 }, (_, i) => `The harbour opens at ${100 + i} o'clock.`)

/** A closed memory that opens from its image, in whose journal the number of one memory is another. */
async function rotten(path: string): Promise<Map<string, Buffer>> {
  const db = await open(path)
  await db.observeMany(texts.map((text, i) => ({ text, id: `m${i}` })))
  await db.close()
  const file = join(path, 'journal.agidb')
  const bytes = readFileSync(file)
  const at = bytes.indexOf("opens at 117 o'clock")
  bytes[at + 'opens at '.length] ^= 2
  expect(bytes.toString('latin1')).toContain("opens at 317 o'clock")
  writeFileSync(file, bytes)
  return new Map(readdirSync(path).map((name) => [name, readFileSync(join(path, name))]))
}

async function drained(stream: ReadableStream<Uint8Array>): Promise<void> {
  for await (const piece of stream as unknown as AsyncIterable<Uint8Array>) void piece
}

test('compact and export of a row with a flipped bit fail with AGIDB_CORRUPT and leave the journal unchanged', () =>
  withFolder(async (path) => {
    const before = await rotten(path)
    const db = await open(path)
    const corrupt = expect.objectContaining({ code: 'AGIDB_CORRUPT' }) as unknown
    expect((await db.stats()).opening).toEqual([]) // from its image, so that nothing has read the row
    await expect(db.compact()).rejects.toEqual(corrupt)
    await expect(db.export().then(drained)).rejects.toEqual(corrupt)
    await expect(db.getEpisode('m17')).rejects.toEqual(corrupt)
    expect((await db.verify()).problems.map(({ code }) => code)).toContain('journal-damaged')
    expect((await db.getEpisode('m18'))?.text).toBe(texts[18])
    await db.close()
    expect(readFileSync(join(path, 'journal.agidb'))).toEqual(before.get('journal.agidb'))
  }))

test('of a memory with a flipped bit a repair brings out every other row, and keeps the damaged journal beside', () =>
  withFolder(async (path) => {
    const before = await rotten(path)
    const { ok, mended } = await verifyPath(path, { repair: true })
    expect([ok, mended]).toEqual([true, expect.arrayContaining(['journal-damaged'])])
    const db = await open(path)
    expect((await listed(db)).map(({ text }) => text)).toEqual(texts.filter((_, i) => i !== 17))
    expect((await db.verify()).problems).toEqual([])
    await db.close()
    expect(readFileSync(join(path, 'journal.agidb.torn-0'))).toEqual(before.get('journal.agidb'))
  }))

test('a compaction that nobody asked for and that failed is told by stats', () =>
  withFolder(async (path) => {
    await rotten(path)
    const db = await openEngine({
      kernel,
      storage: altered(nodeStorage(path), ({ maintenance }) => ({
        maintenance: { ...maintenance!, garbage: () => ({ bytes: 2 ** 30, of: 2 ** 30 }) },
      })),
      seed: 1,
      clock: () => NOW,
    })
    await db.observeMany(Array.from({ length: 600 }, (_, i) => ({ text: `Another ${i}.` })))
    const told = async () => (await db.stats()).opening.find(({ kind }) => kind === 'compaction-failed')?.details
    await expect.poll(told, { timeout: 30_000 }).toMatchObject({ code: 'AGIDB_CORRUPT' })
    await db.close()
  }))
