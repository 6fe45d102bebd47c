import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AgidbError } from '../../../src/base/errors.js'
import { Agidb, type OpenOptions } from '../../../src/runtimes/node/index.js'
import { verifyPath } from '../../../src/runtimes/node/verify.js'
import { OpenedStore } from '../../../src/storage/contract/opened-store.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import type { Outcome } from './attack.js'

/** What a memory has: ids, and of each the row and the signatures in hexadecimal. */
export type Content = ReadonlyMap<string, string>

/** Calls `use` with the path of a memory that is not there yet, and deletes the folder that it is in after that. */
export async function withFolder<T>(use: (path: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'agidb-attack-'))
  try {
    return await use(join(folder, 'memory.agidb'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Opens a memory in a folder without the codebook, which would take most of the time. */
export function openFolder(path: string, options: OpenOptions = {}): Promise<Agidb> {
  return Agidb.open({ path, codebook: 'none', shards: 0, ...options })
}

/** Observations with texts of different lengths, `m<from>` to `m<end - 1>`. */
export function observations(from: number, end: number): { readonly id: string; readonly text: string }[] {
  const places = ['harbour', 'station', 'market', 'library', 'mill']
  return Array.from({ length: end - from }, (_, i) => {
    const [number, place] = [from + i, places[(from + i) % places.length]]
    return {
      id: `m${number}`,
      text: `At ${number} o'clock the ${place} opens${' again and again'.repeat(number % 7)}.`,
    }
  })
}

/** Flips one bit of a file. */
export function flipBit(file: string, at: number, bit: number): void {
  const bytes = readFileSync(file)
  bytes[at] ^= 1 << bit
  writeFileSync(file, bytes)
}

/** Reads all that a closed memory has, from its files alone. */
export async function contentOf(path: string): Promise<Content> {
  const content = new Map<string, string>()
  const storage = new OpenedStore(nodeStorage(path))
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
  try {
    await storage.open(({ id, row, signatures }) => {
      const signed = Object.entries(signatures)
        .map(([kind, bytes]) => `${kind} ${hex(bytes!)}`)
        .sort()
      content.set(id, [hex(row), ...signed].join('; '))
    })
  } finally {
    await storage.close()
  }
  return content
}

/**
 * Reads a closed memory as its user would, first by `verify`, then by opening it, and compares it with what it must
 * have: what `verify` calls well must be whole.
 */
export async function outcomeOf(path: string, expected: Content): Promise<Outcome> {
  try {
    const { ok } = await verifyPath(path)
    if (!ok) return 'detected'
    const db = await openFolder(path)
    let isTold: boolean
    try {
      for await (const page of db.episodes()) void page
      isTold = (await db.stats()).opening.length > 0
    } finally {
      await db.close()
    }
    const found = await contentOf(path)
    const isWhole = found.size === expected.size && [...expected].every(([id, content]) => found.get(id) === content)
    if (isWhole) return isTold ? 'repaired' : 'intact'
    return 'silent loss'
  } catch (error) {
    if (error instanceof AgidbError && error.code === 'AGIDB_CORRUPT') return 'detected'
    throw error
  }
}
