import { AgidbError } from '../../../src/base/errors.js'
import { verifyPath } from '../../../src/runtimes/node/verify.js'
import type { Outcome } from './attack.js'
import { openFolder } from './memory.js'

/** Texts by their ids. */
export type Texts = ReadonlyMap<string, string>

/** What a writer of a name adds: `<writer>0` and so on. */
export function written(writer: string, count: number): Texts {
  return new Map(Array.from({ length: count }, (_, i) => [`${writer}${i}`, `Writer ${writer} says number ${i}.`]))
}

/**
 * Reads a closed memory as its user would: it must have what was acknowledged, may have what else its writers were
 * about to add when they were killed, and nothing more.
 */
export async function outcomeOfWritten(path: string, planned: Texts, acknowledged: Iterable<string>): Promise<Outcome> {
  try {
    const { ok } = await verifyPath(path)
    if (!ok) return 'detected'
    const db = await openFolder(path)
    const missing = new Set(acknowledged)
    let isFit = true
    let isTold: boolean
    try {
      for await (const page of db.episodes()) {
        for (const { id, text } of page) {
          missing.delete(id)
          if (planned.get(id) !== text) isFit = false
        }
      }
      isTold = (await db.stats()).opening.length > 0
    } finally {
      await db.close()
    }
    if (missing.size > 0 || !isFit) return isTold ? 'detected' : 'silent loss'
    return isTold ? 'repaired' : 'intact'
  } catch (error) {
    if (error instanceof AgidbError && error.code === 'AGIDB_CORRUPT') return 'detected'
    throw error
  }
}
