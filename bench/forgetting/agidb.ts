import { join } from 'node:path'
import { Agidb } from '../library.js'
import { filesIn } from './files.js'
import type { Subject } from './store.js'

/** This library: `unlearn`, with no window in which it could be taken back. */
export const agidb: Subject = {
  name: 'agidb',
  means: '`unlearn`, `tombstoneDays: 0`',
  async open(folder) {
    const path = join(folder, 'memory')
    // Fixed, so that the time of a recall is no difference.
    const clock = () => Date.parse('2026-01-01T00:00:00Z')
    const db = await Agidb.open({ path, clock, tombstoneDays: 0 })
    return {
      add: async (items) => void (await db.observeMany(items.map(({ id, text }) => ({ id, text, at: clock() })))),
      async delete(items) {
        await db.remove(
          items.map(({ id }) => id),
          'a user asked',
        )
      },
      async search(cue, k) {
        const { matches } = await db.recall(cue, { k })
        return matches.map(({ id, confidence }) => ({ id, score: confidence }))
      },
      async stored() {
        await db.close()
        return filesIn(path)
      },
    }
  },
}
