import { expect, test } from 'vitest'
import { Flushing, boundsOf } from '../../src/storage/flushing.js'
import { encodeHeader, newHeader } from '../../src/storage/frame.js'
import { Journal } from '../../src/storage/journal.js'
import { readHeader, writeHeader } from '../../src/storage/journal-header.js'
import { puts } from '../contract/episodes.js'
import { MemoryFile } from './memory-file.js'

async function open(file: MemoryFile): Promise<{ journal: Journal; events: { details?: object }[] }> {
  const events: { details?: object }[] = []
  const journal = await Journal.open(file, (await readHeader(file))!, async () => 'nowhere', (event) => events.push(event))
  return { journal, events }
}

/** Six commits, of which the first three were flushed before the fourth was written; where each begins, and the end. */
async function written(): Promise<{ file: MemoryFile; at: number[] }> {
  const file = new MemoryFile()
  await writeHeader(file, newHeader(1))
  const { journal } = await open(file)
  const at: number[] = []
  for (let slot = 0; slot < 6; slot++) {
    at.push(journal.end.at)
    await journal.append(puts(slot, 1), true)
    if (slot === 2) await journal.flush()
  }
  return { file, at: [...at, journal.end.at] }
}

const damagedAt = (file: MemoryFile, at: number): MemoryFile => new MemoryFile(file.content().with(at + 40, file.content()[at + 40] ^ 1))

test('a hole among commits that were not flushed is where the tail begins, with whole ones after it', async () => {
  const { file, at } = await written()
  for (const lost of [3, 4, 5]) {
    const { journal, events } = await open(damagedAt(file, at[lost]))
    expect([journal.end, journal.nextSlot]).toEqual([{ lsn: lost, at: at[lost] }, lost])
    const found = lost === 5 ? 'checksum-mismatch' : 'unflushed'
    expect(events.map(({ details }) => details)).toEqual([expect.objectContaining({ found, offset: at[lost], bytes: at[6] - at[lost] })])
  }
})

test('a hole among commits that were flushed is damage, and the file stays as it is', async () => {
  const { file, at } = await written()
  for (const lost of [0, 1, 2]) {
    const damaged = damagedAt(file, at[lost])
    const before = damaged.content()
    await expect(open(damaged)).rejects.toMatchObject({ code: 'AGIDB_CORRUPT', details: { offset: at[lost] } })
    expect(damaged.content()).toEqual(before)
  }
})

test('verifying tells a tail that was not flushed from damage, as opening does', async () => {
  const { file, at } = await written()
  const kinds = async (lost: number): Promise<unknown[]> => {
    const found: unknown[] = []
    const damaged = damagedAt(file, at[lost])
    const journal = await Journal.read(damaged, (await readHeader(damaged))!, ({ kind, tail }) => found.push([kind, tail]))
    return [...found, journal.end.lsn]
  }
  expect(await kinds(3)).toEqual([['tail', 'unflushed'], 3])
  expect(await kinds(1)).toEqual([['damage', undefined], ['gap', undefined], 6])
})

test('only a journal whose commits were not flushed one by one is of format 4', async () => {
  const { file } = await written()
  const header = (await readHeader(file))!
  expect([file.content()[8], header]).toEqual([4, expect.objectContaining({ version: 2, relaxed: true })])
  const slow = new MemoryFile()
  await writeHeader(slow, newHeader(1))
  const { journal } = await open(slow)
  for (let slot = 0; slot < 3; slot++) {
    await journal.append(puts(slot, 1), true)
    await journal.flush()
  }
  expect(slow.content()[8]).toBe(2)
})

test('an upgrade to format 4 that a crash cut short opens, wherever it cut', async () => {
  for (const version of [1, 2, 3]) {
    const seal = version === 3 ? new Uint8Array(64).fill(0) : []
    const old = encodeHeader({ ...newHeader(5), version })
    const upgraded = encodeHeader({ ...(await readHeader(new MemoryFile(Uint8Array.from([...old, ...(version === 3 ? [] : seal)]))))!, relaxed: true })
    for (let cut = 0; cut <= 64; cut++) {
      for (const mixed of [[...upgraded.subarray(0, cut), ...old.subarray(cut)], [...old.subarray(0, cut), ...upgraded.subarray(cut)]]) {
        const header = (await readHeader(new MemoryFile(Uint8Array.from(mixed))))!
        const isWhole = Buffer.compare(Uint8Array.from(mixed), upgraded) === 0
        expect([header.version, header.relaxed]).toEqual(isWhole ? [Math.max(2, version), true] : [version, undefined])
      }
    }
  }
})

test('commits wait for their flush no longer than the bounds say, in bytes and in time', async () => {
  const file = new MemoryFile()
  await writeHeader(file, newHeader(1))
  const { journal } = await open(file)
  const flushing = new Flushing(() => journal, { ms: 20, bytes: 10_000 })
  let most = 0
  for (let slot = 0; slot < 60; slot++) {
    const before = journal.end.at
    await flushing.commit(puts(slot, 1))
    most = Math.max(most, before - journal.flushed.at)
  }
  expect(most).toBeGreaterThan(3000)
  expect(most).toBeLessThan(20_000)
  await expect.poll(() => journal.flushed, { timeout: 30_000 }).toEqual(journal.end)
  expect(boundsOf('strict')).toBeUndefined()
  expect(boundsOf('relaxed')).toEqual({ ms: 100, bytes: 4 * 2 ** 20 })
})

test('after a flush that failed nothing more is taken, and flushing says so, because a second one would prove nothing', async () => {
  const file = new MemoryFile()
  await writeHeader(file, newHeader(1))
  const { journal } = await open(file)
  await journal.append(puts(0, 1), true)
  file.failAfter = 0
  file.failures = 1
  await expect(journal.flush()).rejects.toMatchObject({ code: 'AGIDB_STORAGE' })
  await expect(journal.append(puts(1, 1), true)).rejects.toMatchObject({ code: 'AGIDB_STORAGE', message: expect.stringContaining('could not be flushed') })
  await expect(journal.flush()).rejects.toMatchObject({ code: 'AGIDB_STORAGE' })
  expect((await open(new MemoryFile(file.content()))).journal.nextSlot).toBe(1)
})
