import { describe, expect, test } from 'vitest'
import { openEngine } from '../../../src/engine/whole.js'
import { Agidb } from '../../../src/runtimes/node/index.js'
import type { StorageAdapter } from '../../../src/api/storage.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { kernel } from '../encoding/kernel.js'
import { altered } from '../storage/altered-adapter.js'
import { withFolder } from './open.js'

/** A folder on a disk that has so many bytes left, as it says. */
function onDisk(path: string, left: () => number): StorageAdapter {
  return altered(nodeStorage(path), (opened) => ({
    stats: async () => ({ ...(await opened.stats()), room: { used: 1000, of: 1000 + left(), persisted: true } }),
  }))
}

describe('headroom', () => {
  test('refuses what would leave less, reads on, removes, and goes on when there is room', () =>
    withFolder(async (path) => {
      let left = 100_000
      const db = await openEngine({ kernel, storage: onDisk(path, () => left), headroom: 50_000 })
      const first = await db.observe('The first.')
      left = 50_010
      const refused: unknown[] = []
      for (let i = 0; i < 100; i++) await db.observe(`Number ${i}.`).catch((error: unknown) => refused.push(error))
      // It is looked at from time to time.
      expect(refused.length).toBeGreaterThan(30)
      expect(refused.length).toBeLessThan(100)
      for (const error of refused) expect(error).toMatchObject({ code: 'AGIDB_QUOTA', details: { headroom: 50_000 } })
      expect((await db.recall('the first')).matches[0].id).toBe(first)
      await db.remove(first)
      expect((await db.stats()).episodes).toBe(100 - refused.length)
      left = 200_000
      await db.observe('There is room again.')
      await db.close()
    }))

  test('of nothing is the default; what a folder has is told', () =>
    withFolder(async (path) => {
      const db = await Agidb.open({ extract: 'none', path, codebook: 'none' })
      const { room } = await db.stats()
      expect(room).toMatchObject({ persisted: true })
      expect(room!.of).toBeGreaterThanOrEqual(room!.used)
      expect(room!.used).toBeGreaterThan(0)
      await db.close()
      await expect(Agidb.open({ extract: 'none', path, headroom: -1 })).rejects.toMatchObject({
        code: 'AGIDB_INVALID_ARGUMENT',
      })
      const full = await Agidb.open({ extract: 'none', path, codebook: 'none', headroom: Number.MAX_SAFE_INTEGER })
      await expect(full.observe('No.')).rejects.toMatchObject({ code: 'AGIDB_QUOTA' })
      await full.close()
    }))
})
