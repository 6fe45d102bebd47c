import { statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { openEngine } from '../../../src/engine/whole.js'
import { nodeKernel } from '../../../src/runtimes/node/engine.js'
import { CheckpointFile } from '../../../src/storage/checkpoint/checkpoint-file.js'
import { openForReading } from '../../../src/storage/adapters/node/file.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { random } from '../../fuzz/mutate.js'
import type { Attack } from './attack.js'
import { contentOf, observations, openFolder, outcomeOf, withFolder } from './memory.js'

const COMMITS = 30

/**
 * Cuts a journal where one of its commits begins, so that what is left has no damage of its own; the image shows that
 * there was more.
 */
export const lostTail: Attack = {
  name: 'lost-tail',
  summary:
    'the journal of a closed memory with an image is cut off between two commits that the image knows, and ' +
    'sometimes goes on with others',
  run: (seed) =>
    withFolder(async (path) => {
      const from = random(seed, 0)
      const journal = join(path, 'journal.agidb')
      const all = observations(0, 2 * COMMITS)
      // An image is kept after each close.
      const db = await openEngine({ kernel: await nodeKernel(), storage: nodeStorage(path), keepAfter: 1 })
      const ends: number[] = []
      for (const one of all.slice(0, COMMITS)) {
        ends.push(statSync(journal).size)
        await db.observeMany([one])
      }
      await db.close()
      const image = openForReading(join(path, 'index.agidb'))
      const { base } = await CheckpointFile.open(image)
      await image.close()
      const cuts = ends.filter((end) => end < base!.at)
      if (cuts.length < COMMITS) throw new Error('the image is not of all commits')
      const content = new Map(await contentOf(path))
      truncateSync(journal, from.pick(cuts))
      // Whoever did not look goes on; what is lost stays lost.
      if (from.below(2) === 0) {
        const again = await openFolder(path)
        const isTold = (await again.stats()).opening.some(({ kind }) => kind === 'commits-lost')
        await again.observeMany(all.slice(COMMITS, COMMITS + from.below(COMMITS)))
        await again.close()
        if (!isTold) return 'silent loss'
      }
      return outcomeOf(path, content)
    }),
}
