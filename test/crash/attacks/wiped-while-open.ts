import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readdirSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { AgidbError } from '../../../src/base/errors.js'
import { openEngine } from '../../../src/engine/whole.js'
import { nodeKernel } from '../../../src/runtimes/node/engine.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { random, type Random } from '../../fuzz/mutate.js'
import type { Attack } from './attack.js'
import { outcomeOfWritten, written } from './acknowledged.js'
import { acknowledged, follow } from './lines.js'
import { withFolder } from './memory.js'

const WRITER = fileURLToPath(new URL('write-folder.ts', import.meta.url))
const COUNT = 12
const BEFORE = 8

/** What becomes of each file. */
const WIPES: readonly ((file: string, from: Random) => void)[] = [
  (file) => truncateSync(file, 0),
  (file, from) => truncateSync(file, from.below(statSync(file).size)),
  (file) => zero(file, 0),
  (file, from) => zero(file, from.below(statSync(file).size)),
  (file) => rmSync(file),
]

/** Overwrites a file with zeros from a position to its end. */
function zero(file: string, from: number): void {
  const open = openSync(file, 'r+')
  writeSync(open, new Uint8Array(statSync(file).size - from), 0, undefined, from)
  closeSync(open)
}

/**
 * Wipes the journal and the image of a memory that another process has open and writes to; that process is killed
 * later.
 */
export const wipedWhileOpen: Attack = {
  name: 'wiped-while-open',
  summary:
    'the journal and the image are emptied, cut off, zeroed or deleted while another process has the memory ' +
    'open and writes to it',
  run: (seed) =>
    withFolder(async (path) => {
      const from = random(seed, 0)
      const before = written('before', BEFORE)
      // An image is kept after each close.
      const db = await openEngine({ kernel: await nodeKernel(), storage: nodeStorage(path), keepAfter: 1 })
      for (const [id, text] of before) await db.observeMany([{ id, text }])
      await db.close()
      const child = spawn(process.execPath, ['--import', 'tsx', WRITER, path, 'a', String(COUNT)], {
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      const writer = follow(child.stdout)
      const closed = once(child, 'close')
      try {
        await writer.line(from.pick(['open', `ok a${from.below(COUNT)}`, 'done']))
        const files = readdirSync(path).filter((file) => file.endsWith('.agidb'))
        if (!files.includes('journal.agidb') || !files.includes('index.agidb'))
          throw new Error(`there are only ${files.join(', ')}`)
        const wipe = from.pick(WIPES)
        for (const file of files) wipe(join(path, file), from)
        if (from.below(2) === 0) await Promise.race([writer.line('done').catch(() => {}), closed])
        await sleep(from.below(20))
      } finally {
        child.kill('SIGKILL')
        await closed
      }
      const planned = new Map([...before, ...written('a', COUNT)])
      try {
        return await outcomeOfWritten(path, planned, [...before.keys(), ...acknowledged(writer)])
      } catch (error) {
        // A journal whose header is gone is refused by a code of its own.
        if (error instanceof AgidbError && error.code === 'AGIDB_FOREIGN_FILE') return 'detected'
        throw error
      }
    }),
}
