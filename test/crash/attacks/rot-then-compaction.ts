import { statSync } from 'node:fs'
import { join } from 'node:path'
import { AgidbError } from '../../../src/base/errors.js'
import { random } from '../../fuzz/mutate.js'
import type { Attack } from './attack.js'
import { contentOf, flipBit, observations, openFolder, outcomeOf, withFolder } from './memory.js'

const EPISODES = 60

/**
 * Flips a bit of the journal of a memory that opens from its image, so that nothing reads the journal whole, and then
 * compacts it.
 */
export const rotThenCompaction: Attack = {
  name: 'rot-then-compaction',
  summary:
    'one bit of the journal is flipped while the memory is closed; it is opened from its image, compacted, and ' +
    'opened again',
  run: (seed) =>
    withFolder(async (path) => {
      const from = random(seed, 0)
      let db = await openFolder(path)
      await db.observeMany(observations(0, EPISODES / 2))
      await db.compact() // keeps an image
      await db.observeMany(observations(EPISODES / 2, EPISODES))
      if (from.below(2) === 0) await db.compact()
      await db.close()
      const content = await contentOf(path)
      const [file] = ['journal.agidb', 'journal-2.agidb']
        .map((name) => join(path, name))
        .sort((a, b) => statSync(b).size - statSync(a).size)
      flipBit(file, from.below(statSync(file).size), from.below(8))
      try {
        db = await openFolder(path)
        await db.compact().finally(() => db.close())
      } catch (error) {
        if (!(error instanceof AgidbError && error.code === 'AGIDB_CORRUPT')) throw error
      }
      return outcomeOf(path, content)
    }),
}
