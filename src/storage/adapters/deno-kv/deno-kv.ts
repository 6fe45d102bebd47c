// A memory in Deno KV: `agidb/deno-kv`.
import { checkKeys, invalid } from '../../../api/check.js'
import type { StorageAdapter } from '../../../api/storage.js'
import { journalStorage, type JournalPlace } from '../../journal/journal-storage.js'
import { keepIn, type KeepDamagedTail } from '../../journal/tail.js'
import { KvFile } from './file.js'
import type { DenoKv, KvKeyPart } from './kv.js'
import { Lease } from './lease.js'

export type { DenoKv, KvAtomic, KvCheck, KvEntry, KvKeyPart } from './kv.js'

/** Options of {@link denoKvStorage}. */
export interface DenoKvStorageOptions {
  /** Which memory: its keys begin with these parts, texts of 1 to 256 characters. Default `['agidb']`. */
  readonly prefix?: readonly string[]
  /**
   * After how many milliseconds a program that does not show signs of life counts as ended, 500 to 600,000: the next
   * opening waits for so long after a crash. Default 10,000.
   */
  readonly leaseMs?: number
}

/**
 * A storage in Deno KV: `Agidb.open({ storage: denoKvStorage(await Deno.openKv()) })`. One program at a time: a second
 * opening is refused with `AGIDB_IN_USE`. The application closes `kv` after the memory; its other keys stay as they
 * are.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION`
 */
export function denoKvStorage(kv: DenoKv, options: DenoKvStorageOptions = {}): StorageAdapter {
  if (typeof kv?.atomic !== 'function') throw invalid('kv must be what Deno.openKv resolves to', { option: 'kv' })
  checkKeys('denoKvStorage', options, ['prefix', 'leaseMs'])
  const { prefix = ['agidb'], leaseMs = 10_000 } = options
  const isPart = (part: unknown): boolean => typeof part === 'string' && part.length > 0 && part.length <= 256
  if (!Array.isArray(prefix) || prefix.length === 0 || prefix.length > 4 || !prefix.every(isPart))
    throw invalid('prefix must be one to four texts of 1 to 256 characters', { option: 'prefix' })
  if (!(leaseMs >= 500 && leaseMs <= 600_000))
    throw invalid('leaseMs must be a number from 500 to 600,000', { option: 'leaseMs' })
  return placeAt(kv, prefix, leaseMs)
}

function placeAt(kv: DenoKv, prefix: readonly string[], leaseMs: number): StorageAdapter {
  return {
    ...journalStorage(`Deno KV ${prefix.join('/')}`, () => openFiles(kv, prefix, leaseMs)),
    scope: (key) => placeAt(kv, [...prefix, 'scopes', key], leaseMs),
  }
}

async function openFiles(kv: DenoKv, prefix: readonly KvKeyPart[], leaseMs: number): Promise<JournalPlace> {
  const lease = await Lease.take(kv, prefix, leaseMs)
  const open = (name: string): Promise<KvFile> => KvFile.open(kv, [...prefix, name], lease)
  const keep: KeepDamagedTail = async (journal, offset, bytes) => {
    const side = await open(`torn-${offset}`)
    await keepIn(side, journal, offset, bytes)
    return side.name
  }
  try {
    const journals = [await open('journal'), await open('journal-2')] as const
    return {
      journals,
      checkpoint: await open('checkpoint'),
      keep,
      medium: 'Deno KV',
      // Where it fails, the next opening waits until the lease is left behind.
      release: () => lease.release().catch(() => {}),
    }
  } catch (error) {
    await lease.release().catch(() => {})
    throw error
  }
}
