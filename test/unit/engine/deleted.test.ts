import { existsSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { MemoryChange } from '../../../src/api/change.js'
import { openEngine } from '../../../src/engine/whole.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { kernel } from '../encoding/kernel.js'
import { NOW, withFolder } from './open.js'

for (const headroom of [0, 1000]) {
  test(`deleting the folder of an open memory notifies subscribers and refuses writes (headroom ${headroom})`, () =>
    withFolder(async (path) => {
      const db = await openEngine({ kernel, storage: nodeStorage(path), clock: () => NOW, seed: 1, headroom })
      const changes: MemoryChange[] = []
      db.subscribe((change) => changes.push(change))
      const id = await db.observe('The valve was opened at noon.')
      rmSync(path, { recursive: true })
      await expect(db.observe('The tank was closed.')).rejects.toMatchObject({
        code: 'AGIDB_DELETED',
        message: expect.stringContaining(path),
      })
      await expect(db.remove(id)).rejects.toMatchObject({ code: 'AGIDB_DELETED' })
      await expect(db.setGoal({ description: 'close the tank' })).rejects.toMatchObject({ code: 'AGIDB_DELETED' })
      expect(changes).toMatchObject([
        { kind: 'episodeStored', ids: [id] },
        { kind: 'storageDeleted', ids: [], slot: -1, own: false },
      ])
      expect((await db.recall('which valve?')).matches.map((match) => match.id)).toEqual([id])
      const { episodes, opening } = await db.stats()
      expect([episodes, opening.map(({ kind }) => kind)]).toEqual([1, ['created', 'storage-deleted']])
      expect(await db.verify()).toMatchObject({ ok: false, problems: [{ code: 'journal-missing', harm: 'loss' }] })
      await db.close()
      expect(existsSync(path)).toBe(false)
    }))
}
