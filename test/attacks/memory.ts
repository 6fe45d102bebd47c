import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AgidbError } from '../../src/core/errors.js'
import { Agidb, type NodeOptions } from '../../src/node.js'
import { verifyPath } from '../../src/node/verify.js'
import type { Outcome } from './attack.js'

/** A memory in a folder, and what it must have: the text of each id. */
export interface Known {
  /** The folder of the memory. */
  readonly path: string
  readonly texts: ReadonlyMap<string, string>
}

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
export function openFolder(path: string, options: Partial<NodeOptions> = {}): Promise<Agidb> {
  return Agidb.open({ path, codebook: 'none', shards: 0, ...options })
}

/** Observations with texts of different lengths, `m<from>` to `m<end - 1>`. */
export function observations(from: number, end: number): { readonly id: string; readonly text: string }[] {
  const places = ['harbour', 'station', 'market', 'library', 'mill']
  return Array.from({ length: end - from }, (_, i) => {
    const [number, place] = [from + i, places[(from + i) % places.length]]
    return { id: `m${number}`, text: `At ${number} o'clock the ${place} opens${' again and again'.repeat(number % 7)}.` }
  })
}

/** Flips one bit of a file. */
export function flipBit(file: string, at: number, bit: number): void {
  const bytes = readFileSync(file)
  bytes[at] ^= 1 << bit
  writeFileSync(file, bytes)
}

/** Reads a closed memory as its user would, first by `verify`, then by opening it, and compares it with what it must have. */
export async function outcomeOf({ path, texts }: Known): Promise<Outcome> {
  try {
    const { ok } = await verifyPath(path)
    if (!ok) return 'detected'
    const db = await openFolder(path)
    try {
      const found = new Map<string, string>()
      for await (const page of db.episodes()) for (const { id, text } of page) found.set(id, text)
      const isWhole = found.size === texts.size && [...texts].every(([id, text]) => found.get(id) === text)
      const told = (await db.stats()).opening.some(({ kind }) => kind !== 'created')
      if (isWhole) return told ? 'repaired' : 'intact'
      return told ? 'detected' : 'silent loss'
    } finally {
      await db.close()
    }
  } catch (error) {
    if (error instanceof AgidbError && error.code !== 'AGIDB_INTERNAL') return 'detected'
    throw error
  }
}
