import { describe, expect, test } from 'vitest'
import { Findings } from '../../../../src/api/findings.js'
import { checkFiles } from '../../../../src/storage/recovery/check.js'
import { newHeader, type JournalHeader } from '../../../../src/storage/journal/frame.js'
import { CheckpointFile } from '../../../../src/storage/checkpoint/checkpoint-file.js'
import { Journal } from '../../../../src/storage/journal/journal.js'
import { readJournalHeader, writeHeader } from '../../../../src/storage/journal/journal-header.js'
import type { StorageChange } from '../../../../src/api/storage.js'
import { salvage } from '../../../../src/storage/recovery/salvage.js'
import { JournalStore } from '../../../../src/storage/journal/journal-store.js'
import { copyOf, listed, noise, sign, type Kept } from '../../../../src/storage/contract/episodes.js'
import { MemoryFile } from '../../../unit/storage/memory-file.js'

const put = (slot: number): StorageChange & { op: 'put' } => ({
  op: 'put',
  slot,
  id: `ep_${slot}`,
  row: noise(slot + 1, 24),
  signatures: { text: noise(slot + 7, 8) },
  encoder: 1,
})
const update = (slot: number, seed: number): StorageChange => ({
  op: 'update',
  slot,
  id: `ep_${slot}`,
  row: noise(seed, 15),
})
const remove = (slot: number): StorageChange => ({ op: 'remove', slot, id: `ep_${slot}` })
const corrupt = expect.objectContaining({ code: 'AGIDB_CORRUPT' }) as unknown

const COMMITS: readonly StorageChange[][] = [
  [put(0), put(1), put(2)],
  [update(1, 99), sign(2, { latent: noise(5, 9) })],
  [put(3), remove(0)],
]

/**
 * Headers of a journal whose signatures have checksums of their own, and of one of an earlier version, whose have none.
 */
const HEADERS: Record<string, JournalHeader> = {
  'of a new database': newHeader(3),
  'of version 2': {
    version: 2,
    databaseId: '00112233445566778899aabbccddeeff',
    createdAt: 5,
    baseLsn: 0,
    nextSlot: 0,
    epoch: 0,
  },
}

async function opened(file: MemoryFile): Promise<Journal> {
  return Journal.open(
    file,
    (await readJournalHeader(file))!,
    async () => 'aside',
    () => {},
  )
}

async function journalOf(header: JournalHeader, commits: readonly StorageChange[][]): Promise<Journal> {
  const file = new MemoryFile()
  await writeHeader(file, header)
  const journal = await opened(file)
  for (const commit of commits) await journal.append(commit)
  return journal
}

async function contentOf(journal: Journal): Promise<unknown[]> {
  const kept = new Map<number, Kept>()
  await journal.visit((episode) => kept.set(episode.slot, copyOf(episode)))
  return listed(kept)
}

/** The ids and rows of a journal, by slot. */
async function rowsOf(journal: Journal): Promise<Map<number, string>> {
  const rows = new Map<number, string>()
  await journal.visit(({ slot, id, row }) => rows.set(slot, `${id}: ${row.join()}`))
  return rows
}

function flip(file: MemoryFile, at: number, bit: number): void {
  file.write(at, Uint8Array.of(file.content()[at] ^ (1 << bit)))
}

const storeOf = async (journal: Journal, other = new MemoryFile()): Promise<JournalStore> =>
  new JournalStore(journal, other, await CheckpointFile.open(new MemoryFile()))

describe.each(Object.entries(HEADERS))('in a journal %s', (_, header) => {
  test('a compaction of a file with a flipped bit copies the written rows, or changes no file', async () => {
    const whole = await journalOf(header, COMMITS)
    const expected = await contentOf(whole)
    const { at: start } = whole.start
    let stopped = 0
    for (let at = start; at < whole.bytes; at++) {
      const journal = await opened(new MemoryFile((whole.place as MemoryFile).content()))
      const file = journal.place as MemoryFile
      flip(file, at, at % 8)
      const before = file.content()
      const other = new MemoryFile()
      const store = await storeOf(journal, other)
      const outcome = await store
        .compact(
          (work) => work(),
          async () => {},
        )
        .then(
          () => 'done',
          (error: { code: string }) => error.code,
        )
      if (outcome === 'done') {
        expect(await contentOf(store.journal), `byte ${at}`).toEqual(expected)
        continue
      }
      stopped++
      expect(outcome, `byte ${at}`).toBe('AGIDB_CORRUPT')
      expect([file.content(), other.content().length, store.journal], `byte ${at}`).toEqual([before, 0, journal])
    }
    // What is live takes most of the file.
    expect(stopped / (whole.bytes - start)).toBeGreaterThan(0.5)
  })

  test('reading an episode with a flipped bit gives what was written, or AGIDB_CORRUPT', async () => {
    const whole = await journalOf(header, COMMITS)
    const expected = await whole.read([1, 2, 3])
    for (let at = whole.start.at; at < whole.bytes; at++) {
      const journal = await opened(new MemoryFile((whole.place as MemoryFile).content()))
      flip(journal.place as MemoryFile, at, (at + 3) % 8)
      const found = await journal.read([1, 2, 3]).catch((error: unknown) => void expect(error).toEqual(corrupt))
      if (found === undefined) continue
      if (header.checked) expect(found, `byte ${at}`).toEqual(expected)
      else
        expect(
          found.map(({ id, row }) => [id, row]),
          `byte ${at}`,
        ).toEqual(expected.map(({ id, row }) => [id, row]))
    }
  })
})

describe('a journal with a seal', () => {
  /** Two frames that were there when it was sealed, and a commit after. */
  async function sealed(): Promise<{ readonly bytes: Uint8Array; readonly base: number; readonly sealedAt: number }> {
    const from = await journalOf(newHeader(3), [])
    const store = await storeOf(from)
    await store.replace(async (add) => {
      await add(Array.from({ length: 20 }, (_, slot) => put(slot)))
      await add(Array.from({ length: 20 }, (_, i) => put(20 + i)))
    })
    const sealedAt = store.journal.bytes
    await store.journal.append([put(40)])
    return { bytes: (store.journal.place as MemoryFile).content(), base: store.journal.start.at, sealedAt }
  }

  async function verified(bytes: Uint8Array): Promise<readonly string[]> {
    const findings = new Findings()
    const look = { findings, digest: () => '', visit: () => {} }
    await checkFiles(
      { journals: [new MemoryFile(bytes), new MemoryFile()], checkpoint: await CheckpointFile.open(new MemoryFile()) },
      look,
    )
    return findings.problems.filter(({ harm }) => harm === 'loss').map(({ code }) => code)
  }

  test('is AGIDB_CORRUPT and stays as it is when it ends before what was sealed, wherever that is', async () => {
    const { bytes, base, sealedAt } = await sealed()
    for (let length = base; length < sealedAt; length += 41) {
      const file = new MemoryFile(bytes.subarray(0, length))
      await expect(opened(file), `${length} bytes`).rejects.toEqual(corrupt)
      expect(file.content()).toEqual(bytes.slice(0, length))
      expect(await verified(file.content()), `${length} bytes`).toContain('journal-damaged')
    }
  })

  test('is AGIDB_CORRUPT when a bit of what was sealed is flipped, also where nothing comes after it', async () => {
    const { bytes, base, sealedAt } = await sealed()
    for (const end of [sealedAt, bytes.length]) {
      for (let at = base; at < sealedAt; at += 37) {
        const file = new MemoryFile(bytes.subarray(0, end))
        flip(file, at, at % 8)
        const rotten = file.content()
        await expect(opened(file), `byte ${at} of ${end}`).rejects.toEqual(corrupt)
        expect(file.content()).toEqual(rotten)
        expect(await verified(rotten), `byte ${at} of ${end}`).toContain('journal-damaged')
      }
    }
  })

  test('loses at most one row to a flipped bit: salvage recovers all other rows of the frame', async () => {
    const { bytes, base, sealedAt } = await sealed()
    const all = await rowsOf(await opened(new MemoryFile(bytes)))
    for (let at = base; at < sealedAt; at += 11) {
      const file = new MemoryFile(bytes)
      flip(file, at, at % 8)
      const files: [MemoryFile, MemoryFile] = [file, new MemoryFile()]
      await salvage(files, async () => 'aside')
      const found = await rowsOf(await opened(files[1]))
      const lost = [...all].filter(([slot, row]) => found.get(slot) !== row)
      expect(lost.length, `byte ${at}`).toBeLessThanOrEqual(1)
      expect(found.size, `byte ${at}`).toBe(all.size - lost.length)
    }
  })
})
