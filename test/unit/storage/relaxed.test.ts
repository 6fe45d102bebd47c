import { OpenedStore } from '../../../src/storage/contract/opened-store.js'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Findings } from '../../../src/api/findings.js'
import { Flushing, boundsOf } from '../../../src/storage/journal/flushing.js'
import type { BlockFile } from '../../../src/storage/block/block-file.js'
import { encodeHeader, MAX_UNFLUSHED, newHeader } from '../../../src/storage/journal/frame.js'
import { Journal } from '../../../src/storage/journal/journal.js'
import { readJournalHeader, writeHeader } from '../../../src/storage/journal/journal-header.js'
import { nodeStorage, verifyFolder } from '../../../src/storage/adapters/node/node.js'
import { noise, put, puts } from '../../../src/storage/contract/episodes.js'
import { quick } from '../../runs.js'
import { MemoryFile } from './memory-file.js'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A file whose flushes can be made to wait until they are let go. */
class SlowFile extends MemoryFile {
  holds = false
  readonly held: (() => void)[] = []

  override async flush(): Promise<void> {
    if (this.holds) await new Promise<void>((resolve) => this.held.push(resolve))
    super.flush()
  }
}

async function open(file: MemoryFile): Promise<{ journal: Journal; events: { details?: object }[] }> {
  const events: { details?: object }[] = []
  const journal = await Journal.open(
    file,
    (await readJournalHeader(file))!,
    async () => 'nowhere',
    (event) => events.push(event),
  )
  return { journal, events }
}

/** Six commits, of which the first three were flushed before the fourth was written; where each begins, and the end. */
async function written(header = newHeader(1)): Promise<{ file: MemoryFile; at: number[] }> {
  const file = new MemoryFile()
  await writeHeader(file, header)
  const { journal } = await open(file)
  const at: number[] = []
  for (let slot = 0; slot < 6; slot++) {
    at.push(journal.end.at)
    await journal.append(puts(slot, 1), true)
    if (slot === 2) await journal.flush()
  }
  return { file, at: [...at, journal.end.at] }
}

const damagedAt = (file: MemoryFile, at: number): MemoryFile =>
  new MemoryFile(file.content().with(at + 40, file.content()[at + 40] ^ 1))

test('a hole among commits that were not flushed is where the tail begins, with whole ones after it', async () => {
  const { file, at } = await written()
  for (const lost of [3, 4, 5]) {
    const { journal, events } = await open(damagedAt(file, at[lost]))
    expect([journal.end, journal.nextSlot]).toEqual([{ lsn: lost, at: at[lost] }, lost])
    const found = lost === 5 ? 'checksum-mismatch' : 'unflushed'
    expect(events.map(({ details }) => details)).toEqual([
      expect.objectContaining({ found, offset: at[lost], bytes: at[6] - at[lost] }),
    ])
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
    const journal = await Journal.read(damaged, (await readJournalHeader(damaged))!, ({ kind, tail }) =>
      found.push([kind, tail]),
    )
    return [...found, journal.end.lsn]
  }
  expect(await kinds(3)).toEqual([['tail', 'unflushed'], 3])
  expect(await kinds(1)).toEqual([['damage', undefined], ['gap', undefined], 6])
})

test('only unflushed commits upgrade a journal of an earlier format to format 4; format 5 stays', async () => {
  const old = { ...newHeader(1), checked: false }
  const { file } = await written(old)
  const header = (await readJournalHeader(file))!
  expect([file.content()[8], header]).toEqual([4, expect.objectContaining({ version: 2, relaxed: true })])
  expect((await written()).file.content()[8]).toBe(5)
  const slow = new MemoryFile()
  await writeHeader(slow, old)
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
    const old = encodeHeader({ ...newHeader(5), version, checked: false })
    const upgraded = encodeHeader({
      ...(await readJournalHeader(new MemoryFile(Uint8Array.from([...old, ...(version === 3 ? [] : seal)]))))!,
      relaxed: true,
    })
    for (let cut = 0; cut <= 64; cut++) {
      for (const mixed of [
        [...upgraded.subarray(0, cut), ...old.subarray(cut)],
        [...old.subarray(0, cut), ...upgraded.subarray(cut)],
      ]) {
        const header = (await readJournalHeader(new MemoryFile(Uint8Array.from(mixed))))!
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

test('after a failed flush every commit and flush is refused, as a retry would prove nothing', async () => {
  const file = new MemoryFile()
  await writeHeader(file, newHeader(1))
  const { journal } = await open(file)
  await journal.append(puts(0, 1), true)
  file.failAfter = 0
  file.failures = 1
  await expect(journal.flush()).rejects.toMatchObject({ code: 'AGIDB_STORAGE' })
  await expect(journal.append(puts(1, 1), true)).rejects.toMatchObject({
    code: 'AGIDB_STORAGE',
    message: expect.stringContaining('could not be flushed'),
  })
  await expect(journal.flush()).rejects.toMatchObject({ code: 'AGIDB_STORAGE' })
  expect((await open(new MemoryFile(file.content()))).journal.nextSlot).toBe(1)
})

test('a commit beyond the bounds waits for the running flush; no flush lowers the flushed position', async () => {
  const file = new SlowFile()
  await writeHeader(file, newHeader(1))
  const { journal } = await open(file)
  const flushing = new Flushing(() => journal, { ms: 60_000, bytes: 1000 })
  file.holds = true
  await flushing.commit(puts(0, 1)) // over the bounds: its flush has begun, and nobody waits for it
  expect([journal.end.lsn, journal.flushed.lsn, file.held.length]).toEqual([1, 0, 1])
  let committed = false
  const second = flushing.commit([put(1)]).then(() => (committed = true))
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect([committed, journal.end.lsn]).toEqual([false, 1])
  file.holds = false
  file.held[0]()
  await second
  expect(journal.flushed.lsn).toBeGreaterThan(0)
  await flushing.flush()
  file.holds = true
  await journal.append([put(2)], true)
  const slow = journal.flush()
  file.holds = false
  await journal.append([put(3)])
  expect(journal.flushed).toEqual(journal.end)
  file.held[1]()
  await slow
  expect(journal.flushed).toEqual(journal.end)
})

test('one timer runs while commits wait for their flush, and none when none does', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const file = new MemoryFile()
  await writeHeader(file, newHeader(1))
  const { journal } = await open(file)
  const flushing = new Flushing(() => journal, { ms: 100, bytes: 1e6 })
  await flushing.commit([])
  expect(vi.getTimerCount()).toBe(0)
  await flushing.commit([put(0)])
  vi.advanceTimersByTime(60)
  await flushing.commit([put(1)])
  expect(vi.getTimerCount()).toBe(1)
  expect(journal.flushed.lsn).toBeLessThan(2)
  // A hundred after the first, not after the last.
  await vi.advanceTimersByTimeAsync(40)
  expect([vi.getTimerCount(), journal.flushed]).toEqual([0, journal.end])
  await flushing.commit([put(2)])
  await flushing.flush()
  expect([vi.getTimerCount(), journal.flushed]).toEqual([0, journal.end])
})

test('the timer of a flush keeps no process alive; in browsers it is a number', async () => {
  const file = new MemoryFile()
  await writeHeader(file, newHeader(1))
  const { journal } = await open(file)
  const flushing = new Flushing(() => journal, { ms: 60_000, bytes: 1e6 })
  const timers = vi.spyOn(globalThis, 'setTimeout')
  await flushing.commit([put(0)])
  expect((timers.mock.results[0].value as NodeJS.Timeout).hasRef()).toBe(false)
  await flushing.flush()
  timers.mockReturnValue(7 as unknown as NodeJS.Timeout)
  await flushing.commit([put(1)])
  await flushing.flush()
  expect(journal.flushed).toEqual(journal.end)
})

test('strict durability flushes each commit before it is acknowledged', async () => {
  const file = new MemoryFile()
  await writeHeader(file, newHeader(1))
  const { journal } = await open(file)
  const flushing = new Flushing(() => journal, undefined)
  await flushing.commit([put(0)])
  expect([file.log.at(-1), journal.flushed]).toEqual(['flush', journal.end])
  expect(flushing.about('the disk')).toMatchObject({ durability: 'strict' })
  expect(new Flushing(() => journal, { ms: 70, bytes: 3 * 2 ** 20 }).about('the disk')).toMatchObject({
    durability: 'relaxed',
    durabilityReason: expect.stringMatching(/after 70 ms or 3 MiB/),
  })
})

describe.each(['relaxed', 'strict'] as const)('a folder that is closed in good order, %s', (durability) => {
  /** A folder with 160 quick commits, and where the frames of its journal begin; the last number is where they end. */
  async function written(): Promise<{ readonly path: string; readonly starts: number[] }> {
    const path = join(mkdtempSync(join(tmpdir(), 'agidb-relaxed-')), 'memory.agidb')
    const store = new OpenedStore(nodeStorage(path, { durability }))
    await store.open(() => {})
    for (let slot = 0; slot < 160; slot++)
      await store.commit([{ op: 'put', slot, id: `ep_${slot}`, row: noise(slot, 40), signatures: {} }])
    await store.close()
    const bytes = readFileSync(join(path, 'journal.agidb'))
    const starts = [64]
    while (starts.at(-1)! < bytes.length) starts.push(starts.at(-1)! + 32 + bytes.readUInt32LE(starts.at(-1)! + 8))
    return { path, starts }
  }

  test('is damaged, and not shorter, when a bit of any commit is flipped', async () => {
    const { path, starts } = await written()
    const journal = join(path, 'journal.agidb')
    const whole = readFileSync(journal)
    for (const commit of [0, 1, 40, 97, 158, 159]) {
      const rotten = Buffer.from(whole)
      rotten[starts[commit] + 60] ^= 4
      writeFileSync(journal, rotten)
      await expect(
        new OpenedStore(nodeStorage(path)).open(() => {}),
        `commit ${commit}`,
      ).rejects.toMatchObject({ code: 'AGIDB_CORRUPT', details: { offset: starts[commit] } })
      expect(readFileSync(journal)).toEqual(rotten)
      const findings = new Findings()
      await verifyFolder(path, { findings, digest: () => '', visit: () => {} })
      expect(findings.has('journal-damaged'), `commit ${commit}`).toBe(true)
    }
    rmSync(dirname(path), { recursive: true })
  })

  test('is marked once: whoever opens and closes it without a commit writes nothing', async () => {
    const { path, starts } = await written()
    expect(starts.length).toBe(1 + 160 + 1)
    const journal = join(path, 'journal.agidb')
    const whole = readFileSync(journal)
    for (let round = 0; round < 2; round++) {
      const store = new OpenedStore(nodeStorage(path, { durability }))
      let count = 0
      await store.open(() => count++)
      expect([count, (await store.stats()).opening]).toEqual([160, []])
      await store.close()
      expect(readFileSync(journal)).toEqual(whole)
    }
    rmSync(dirname(path), { recursive: true })
  })
})

test('where there is no room for the mark the journal is closed without it, and nothing is lost', async () => {
  const file = new MemoryFile()
  await writeHeader(file, newHeader(1))
  const { journal } = await open(file)
  const flushing = new Flushing(() => journal, boundsOf('relaxed'))
  await flushing.commit(puts(0, 2))
  file.capacity = file.content().length
  const before = file.content()
  await flushing.end()
  expect(file.content()).toEqual(before)
  expect((await open(file)).journal.liveSlots(0, 9)).toEqual([0, 1])
})

test.skipIf(quick)(
  'a frame can say of 65,535 commits before it that they are not flushed; before the next they are',
  async () => {
    let flushes = 0
    const unflushed: number[] = []
    const nowhere: BlockFile = {
      name: 'nowhere',
      size: () => 0,
      read: () => 0,
      write: (at, bytes) =>
        void (at > 0 && unflushed.push(new DataView(bytes.buffer, bytes.byteOffset).getUint16(22, true))),
      truncate: () => {},
      flush: () => void flushes++,
      close: () => {},
    }
    const journal = Journal.empty(nowhere, { ...newHeader(1), relaxed: true })
    await journal.append([put(0)])
    flushes = 0
    for (let commit = 0; commit <= MAX_UNFLUSHED + 2; commit++)
      await journal.append([{ op: 'update', slot: 0, id: 'ep_0', row: new Uint8Array(1) }], true)
    expect([
      flushes,
      Math.max(...unflushed.slice(0, 100)),
      Math.max(...unflushed.slice(65_000, 65_537)),
      unflushed.at(-1),
    ]).toEqual([1, 98, MAX_UNFLUSHED, 1])
  },
)
