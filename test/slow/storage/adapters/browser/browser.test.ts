import '../../../../unit/storage/adapters/browser/browser-model.js'
import { describe, test } from 'vitest'
import { OpenedStore } from '../../../../../src/storage/contract/opened-store.js'
import { journalBytes, opfsFiles } from '../../../../../e2e/pages/storage-places.js'
import { browserStorage } from '../../../../unit/storage/whole-browser-storage.js'
import { PLACES, storageCases } from '../../../../../test/contract/storage.js'
import { quick, runs } from '../../../../runs.js'

const places = {
  opfs: storageCases(PLACES.journal),
  'idb-only': storageCases(PLACES.indexedDb),
}

/** Cases that take seconds. */
const SLOW = /a large batch|thousands are signed|is in use; the first|a compaction leaves/

/** As in a browser that has no sync access handles. */
async function withoutOpfs(work: () => Promise<void>): Promise<void> {
  const prototype = FileSystemFileHandle.prototype as Partial<FileSystemFileHandle>
  const { createSyncAccessHandle } = prototype
  delete prototype.createSyncAccessHandle
  await work().finally(() => Object.assign(prototype, { createSyncAccessHandle }))
}

describe.each(['opfs', 'idb-only'] as const)('the storage contract in a model of a browser: %s', (place) => {
  test.each(
    places[place].filter(({ name }) => !quick || !SLOW.test(name)).map((found) => ({ name: found.name, found })),
  )('$name', async ({ name, found }) => {
    const database = `${place}: ${name}`
    const context = { storage: () => new OpenedStore(browserStorage(database)), runs: runs(10) }
    if (place === 'idb-only') return withoutOpfs(() => found.run({ ...PLACES.indexedDb, ...context }))
    await found.run({
      ...PLACES.journal,
      ...context,
      journal: journalBytes(database),
      files: () => opfsFiles(database),
      mirrored: true,
    })
  })
})
