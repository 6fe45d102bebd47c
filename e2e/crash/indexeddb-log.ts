import { existsSync, readdirSync, readFileSync, watch } from 'node:fs'
import { join } from 'node:path'

/**
 * The write-ahead logs of Chromium's IndexedDB, in a profile: LevelDB's, which it takes apart when it finds one that
 * was torn and written on.
 */

/**
 * Bytes of a block of a log, and of the header of each record in it: checksum (4), length (2), type (1). See LevelDB's
 * doc/log_format.md.
 */
const BLOCK_BYTES = 32_768
const HEADER_BYTES = 7
/** Types of a record: a whole one, or the first, a middle and the last piece of one. */
const [FULL, FIRST, MIDDLE, LAST] = [1, 2, 3, 4]

function folders(profile: string): string[] {
  const root = join(profile, 'Default', 'IndexedDB')
  const names = existsSync(root) ? readdirSync(root) : []
  return names.filter((name) => name.endsWith('.leveldb')).map((name) => join(root, name))
}

/** Calls `grown`, once, when a log of a profile is written to. */
export function watchLogs(profile: string, grown: () => void): void {
  const watchers = folders(profile).map((folder) =>
    watch(folder, (_, name) => {
      if (!name?.endsWith('.log')) return
      grown()
      for (const watcher of watchers) watcher.close()
    }),
  )
}

/** How many logs of a profile end in the midst of a record. */
export function tornLogs(profile: string): number {
  const logs = folders(profile).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.log'))
      .map((name) => join(folder, name)),
  )
  return logs.filter((log) => isTorn(readFileSync(log))).length
}

/** Whether a log ends before the record does that it ends with. */
function isTorn(log: Uint8Array): boolean {
  const view = new DataView(log.buffer, log.byteOffset, log.byteLength)
  let isWhole = true
  for (let at = 0; at < log.length; ) {
    const left = BLOCK_BYTES - (at % BLOCK_BYTES)
    if (left < HEADER_BYTES) {
      at += left
      continue
    }
    if (at + HEADER_BYTES > log.length) return true
    const end = at + HEADER_BYTES + view.getUint16(at + 4, true)
    const type = log[at + 6]
    if (end > log.length || ![FULL, FIRST, MIDDLE, LAST].includes(type)) return true
    isWhole = type === FULL || type === LAST
    at = end
  }
  return !isWhole
}
