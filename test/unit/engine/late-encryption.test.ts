import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openEngine } from '../../../src/engine/open.js'
import type { EngineOptions } from '../../../src/engine/options.js'
import { OWN_PARTS } from '../../../src/engine/whole.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { kernel } from '../encoding/kernel.js'
import { NOW, withFolder } from './open.js'

const TEXT = 'Sarah recommended Bawri, a thai place in Bandra.'

/** Opens a memory in a folder, remembers, and closes it; answers whether what encrypts was loaded. */
async function remembered(path: string, options: Partial<EngineOptions> = {}): Promise<boolean> {
  let isLoaded = false
  const encryption = () => {
    isLoaded = true
    return OWN_PARTS.encryption()
  }
  const parts = { ...OWN_PARTS, encryption }
  const db = await openEngine({ kernel, storage: nodeStorage(path), clock: () => NOW, seed: 1, parts, ...options })
  if ((await db.stats()).episodes === 0) await db.observe(TEXT)
  expect((await db.recall('thai place')).matches[0].text).toBe(TEXT)
  await db.close()
  return isLoaded
}

it('what encrypts is loaded neither for a new memory without encryption nor when that is opened again', () =>
  withFolder(async (path) => {
    expect([await remembered(path), await remembered(path)]).toEqual([false, false])
  }))

it('what encrypts is loaded for an encrypted memory, also when it is opened again without the option', () =>
  withFolder(async (path) => {
    expect(await remembered(path, { encryption: 'keys-beside' })).toBe(true)
    expect(await remembered(path)).toBe(true)
  }))

it('an encrypted memory whose keys are gone is refused without what encrypts', () =>
  withFolder(async (path) => {
    await remembered(path, { encryption: 'keys-beside' })
    await rm(join(path, 'keys.agidb'))
    await expect(remembered(path)).rejects.toMatchObject({
      code: 'AGIDB_CORRUPT',
      message: expect.stringContaining('keys.agidb') as unknown,
    })
  }))
