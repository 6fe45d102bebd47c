import { rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { random } from '../../fuzz/mutate.js'
import type { Attack } from './attack.js'
import { contentOf, flipBit, observations, openFolder, outcomeOf, withFolder } from './memory.js'

const EPISODES = 200
/** What stands before the frames of a journal that has a seal. */
const HEADER_BYTES = 128

/** Damages what a journal was sealed with, up to its end: nothing that comes after it proves that it was there. */
export const sealedBase: Attack = {
  name: 'sealed-base',
  summary:
    'in the journal that an import or a compaction sealed, with nothing after it, a bit is flipped or the end ' +
    'is cut off',
  run: (seed) =>
    withFolder(async (path) => {
      const from = random(seed, 0)
      const all = observations(0, EPISODES)
      const db = await openFolder(path)
      if (from.below(2) === 0) {
        await db.import(new TextEncoder().encode(all.map((one) => JSON.stringify(one)).join('\n')))
      } else {
        await db.observeMany(all)
        await db.compact()
      }
      await db.close()
      const content = await contentOf(path)
      // Whoever copies a memory to another place may leave its image behind.
      if (from.below(4) > 0) rmSync(join(path, 'index.agidb'))
      const file = join(path, 'journal-2.agidb')
      const { size } = statSync(file)
      const at = HEADER_BYTES + from.below(size - HEADER_BYTES)
      if (from.below(4) === 0) truncateSync(file, at)
      else flipBit(file, at, from.below(8))
      return outcomeOf(path, content)
    }),
}
