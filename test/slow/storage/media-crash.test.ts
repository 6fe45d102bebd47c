import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { expect, test } from 'vitest'
import type { StorageAdapter, StorageChange, StoredEpisode } from '../../../src/api/storage.js'
import { LooseKeyTable } from '../../../src/runtimes/cloudflare/loose-key-table.js'
import { DriverDatabase } from '../../../src/storage/adapters/sqlite/driver.js'
import { tableStorage } from '../../../src/storage/adapters/sqlite/tables-storage.js'
import { noise, put } from '../../../src/storage/contract/episodes.js'
import type { LooseKeys } from '../../../src/storage/media/loose-keys.js'
import type { MediaBucket } from '../../../src/storage/media/media-bucket.js'
import { referenceOf } from '../../../src/storage/media/media-row.js'
import { MediaStorage } from '../../../src/storage/media/media-storage.js'
import { altered } from '../../unit/storage/altered-adapter.js'
import { MemoryBucket } from '../../unit/storage/media/bucket.js'
import { pieceRow, putPiece } from '../../unit/storage/media/pieces.js'

const MINUTE = 60_000
const remove = (slot: number): StorageChange => ({ op: 'remove', slot, id: `md_${slot}` })
const update = (slot: number, seed: number): StorageChange => ({
  op: 'update',
  slot,
  id: `md_${slot}`,
  row: pieceRow(slot, noise(seed, 300)),
})
const stored = (slot: number, seed: number): StoredEpisode => {
  const { op: _, ...episode } = putPiece(slot, seed)
  return episode
}

/** What is done one after the other: commits, and replacements of all by other pieces. */
const STEPS: readonly (readonly StorageChange[] | { readonly instead: readonly StoredEpisode[] })[] = [
  [put(0), putPiece(1), putPiece(2)],
  [remove(1)],
  [putPiece(3), update(2, 77)],
  { instead: [stored(0, 50), stored(1, 51), stored(2, 52)] },
  [putPiece(3), remove(0)],
  [remove(1), remove(2)],
]

/** The rows after so many of the steps, by slots. */
function rowsAfter(steps: number): Map<number, Uint8Array> {
  const rows = new Map<number, Uint8Array>()
  for (const step of STEPS.slice(0, steps)) {
    if ('instead' in step) {
      rows.clear()
      for (const { slot, row } of step.instead) rows.set(slot, row)
    } else
      for (const change of step)
        if (change.op === 'remove') rows.delete(change.slot)
        else if (change.op !== 'setSignatures') rows.set(change.slot, change.row)
  }
  return rows
}

/** Ends the program at one of its calls, before or after it took effect: from then on no call has any. */
class PowerCut {
  calls = 0

  constructor(
    readonly at: number,
    readonly isAfter: boolean,
  ) {}

  async call<T>(work: () => Promise<T>): Promise<T> {
    const number = this.calls++
    if (number < this.at) return work()
    if (number === this.at && this.isAfter) await work()
    throw new Error('the power was cut')
  }
}

/** An object whose methods are calls. */
function cuttable<T extends object>(cut: PowerCut, target: T): T {
  return new Proxy(target, {
    get: (_, name) => {
      const method = target[name as keyof T] as (...args: unknown[]) => Promise<unknown>
      return (...args: unknown[]) => cut.call(async () => method.apply(target, args))
    },
  })
}

function open(file: string, bucket: MediaBucket, cut: PowerCut, clock: () => number) {
  const driver = new Database(file)
  const database = new DriverDatabase(driver, false)
  const loose: LooseKeys = new LooseKeyTable(database, 'agidb', async () => {})
  let end: () => Promise<void> = async () => {}
  const tables: StorageAdapter = altered(tableStorage(database), ({ rows, close }) => {
    // The program ends: the connection lets go of the file, and nothing more is done.
    end = () => close().finally(() => driver.close())
    return {
      rows: {
        get: (slots) => rows.get(slots),
        read: (slots) => rows.read(slots),
        slots: () => rows.slots(),
        commit: (changes) => cut.call(() => rows.commit(changes)),
        replace: (fill) => cut.call(() => rows.replace((add) => fill((some) => cut.call(() => add(some))))),
      },
    }
  })
  const storage = new MediaStorage(tables, cuttable(cut, bucket), () => cuttable(cut, loose), clock)
  return { storage, end: () => end() }
}

/** Does the steps until the power is cut. Answers how many were acknowledged. */
async function work(file: string, bucket: MediaBucket, cut: PowerCut): Promise<number> {
  const { storage, end } = open(file, bucket, cut, () => MINUTE)
  const { rows } = await storage.open(() => undefined)
  let acknowledged = 0
  try {
    for (const step of STEPS) {
      if ('instead' in step) await rows.replace((add) => add(step.instead))
      else await rows.commit(step)
      acknowledged++
    }
  } catch {
    // The power was cut.
  }
  await end()
  return acknowledged
}

test('wherever the power is cut, what was acknowledged is there, and the bucket has nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'agidb-media-'))
  try {
    let cuts = 0
    for (const isAfter of [false, true])
      for (let at = 0; ; at++) {
        const file = join(folder, `${isAfter}-${at}.db`)
        const bucket = new MemoryBucket()
        const cut = new PowerCut(at, isAfter)
        const acknowledged = await work(file, bucket, cut)
        const { storage, end } = open(file, bucket, new PowerCut(Infinity, false), () => 2 * MINUTE)
        const { rows } = await storage.open(() => undefined)
        expect(await storage.sweep()).toBe(true)
        const slots = await rows.slots()
        const found = new Map((await rows.get(slots)).map((row, i) => [slots[i], row!]))
        // The step that was under way is done as a whole, or not at all.
        expect([rowsAfter(acknowledged), rowsAfter(acknowledged + 1)]).toContainEqual(found)
        const kept = [...bucket.objects.values()].map(({ length }) => length).sort()
        const pieces = [...found.values()].filter((row) => referenceOf(row) === undefined && row[0] === 9)
        expect(kept).toHaveLength(pieces.length)
        await end()
        cuts++
        if (cut.calls <= at) break
      }
    expect(cuts).toBeGreaterThan(80)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
