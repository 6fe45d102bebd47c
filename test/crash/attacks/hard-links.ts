import { linkSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { AgidbError } from '../../../src/base/errors.js'
import type { Agidb } from '../../../src/runtimes/node/index.js'
import { random } from '../../fuzz/mutate.js'
import type { Attack } from './attack.js'
import { outcomeOfWritten, written } from './acknowledged.js'
import { openFolder, withFolder } from './memory.js'

const BEFORE = 10
const COUNT = 20

/** Opens a copy made of hard links beside the memory that it is a copy of, and writes to both if it may. */
export const hardLinks: Attack = {
  name: 'hard-links',
  summary: 'a copy of hard links is opened and written to while the original is open, or the other way round',
  run: (seed) =>
    withFolder(async (path) => {
      const from = random(seed, 0)
      const all = written('a', COUNT)
      const items = Array.from(all, ([id, text]) => ({ id, text }))
      const made = await openFolder(path)
      await made.observeMany(items.slice(0, BEFORE))
      await made.close()
      const copy = `${path}.copy`
      mkdirSync(copy)
      const left = from.pick([undefined, 'index.agidb', 'journal-2.agidb'])
      for (const name of readdirSync(path)) if (name !== left) linkSync(join(path, name), join(copy, name))
      const [first, second] = from.pick([
        [path, copy],
        [copy, path],
      ])
      const db = await openFolder(first)
      const other = await openIfFree(second)
      for (const item of items.slice(BEFORE)) {
        await db.observeMany([item])
        await other?.observe(`Beside: ${item.text}`)
      }
      await other?.close()
      await db.close()
      return outcomeOfWritten(first, all, all.keys())
    }),
}

async function openIfFree(path: string): Promise<Agidb | undefined> {
  try {
    return await openFolder(path)
  } catch (error) {
    if (error instanceof AgidbError && error.code === 'AGIDB_IN_USE') return undefined
    throw error
  }
}
