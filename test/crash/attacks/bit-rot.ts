import { statSync } from 'node:fs'
import { join } from 'node:path'
import { random } from '../../fuzz/mutate.js'
import type { Attack } from './attack.js'
import { contentOf, flipBit, observations, openFolder, outcomeOf, withFolder } from './memory.js'

const COMMITS = 4
const EPISODES = 10

/** Flips a bit anywhere in a file of a closed memory. */
export const bitRot: Attack = {
  name: 'bit-rot',
  summary:
    'one bit of the journal or of the image is flipped while the memory is closed, with strict and relaxed durability',
  run: (seed) =>
    withFolder(async (path) => {
      const from = random(seed, 0)
      const all = observations(0, COMMITS * EPISODES)
      const db = await openFolder(path, { durability: from.pick(['strict', 'relaxed']) })
      for (let at = 0; at < all.length; at += EPISODES) await db.observeMany(all.slice(at, at + EPISODES))
      await db.close()
      const content = await contentOf(path)
      const file = join(path, from.pick(['journal.agidb', 'index.agidb']))
      flipBit(file, from.below(statSync(file).size), from.below(8))
      return outcomeOf(path, content)
    }),
}
