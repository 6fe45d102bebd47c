import { describe, expect, test } from 'vitest'
import { AgidbError } from '../../../src/base/errors.js'
import { openEngine } from '../../../src/engine/open.js'
import { OWN_PARTS } from '../../../src/engine/whole.js'
import * as occasional from '../../../src/engine/occasional.js'
import { memoryStorage } from '../../../src/storage/adapters/memory.js'
import { kernel } from '../encoding/kernel.js'
import { NOW } from './open.js'

async function opened(failures = 0) {
  let loads = 0
  const parts = {
    ...OWN_PARTS,
    occasional: async () => {
      loads++
      if (loads <= failures) throw new AgidbError('AGIDB_WORKER', 'a part of the library cannot be loaded')
      return occasional
    },
  }
  const db = await openEngine({ kernel, storage: memoryStorage(), clock: () => NOW, seed: 1, parts })
  return { db, loads: () => loads }
}

describe('what few programs ask', () => {
  test('is loaded once, when it is first asked, and not by what is observed and recalled', async () => {
    const { db, loads } = await opened()
    const id = await db.observe('Bawri is in Bandra.')
    expect((await db.recall('Bawri')).matches[0].id).toBe(id)
    expect(loads()).toBe(0)
    const patch = { text: 'Bawri is in Khar.' }
    const updating = db.update(id, patch)
    patch.text = 'changed while the part was loaded'
    expect((await updating).text).toBe('Bawri is in Khar.')
    expect((await db.history(id)).map(({ episode }) => episode.text)).toEqual([
      'Bawri is in Bandra.',
      'Bawri is in Khar.',
    ])
    expect((await db.verify()).ok).toBe(true)
    expect(loads()).toBe(1)
    await db.close()
  })

  test('fails with a code and writes nothing where it cannot be loaded, and works with the next call', async () => {
    const { db } = await opened(2)
    const id = await db.observe('Bawri is in Bandra.')
    const by = await db.observe('Bawri is in Khar.')
    await expect(db.update(id, { text: 'other' })).rejects.toMatchObject({ code: 'AGIDB_WORKER' })
    await expect(db.supersede(id, by)).rejects.toMatchObject({ code: 'AGIDB_WORKER' })
    expect(await db.stats(), 'which says how the memory is, whatever cannot be loaded').toMatchObject({ episodes: 2 })
    expect(await db.getEpisode(id)).toMatchObject({ text: 'Bawri is in Bandra.' })
    expect((await db.getEpisode(id))?.superseded).toBeUndefined()
    await db.supersede(id, by)
    expect((await db.getEpisode(id))?.superseded?.by).toBe(by)
    await db.close()
  })

  test('is refused where the memory was closed while it was loaded', async () => {
    const { db } = await opened()
    const id = await db.observe('Bawri is in Bandra.')
    const updating = expect(db.update(id, { text: 'other' })).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
    await Promise.all([updating, db.close()])
  })
})
