import '../../../unit/storage/adapters/browser/browser-model.js'
import { describe, test } from 'vitest'
import { browserCases } from '../../../../e2e/pages/storage-cases.js'
import { journalBytes, opfsFiles } from '../../../../e2e/pages/storage-places.js'
import { browserStorage } from '../../../unit/storage/whole-browser-storage.js'
import { OpenedStore } from '../../../../src/storage/contract/opened-store.js'
import { PLACES } from '../../../contract/storage.js'
import { quick, runs } from '../../../runs.js'

/** Takes seconds. */
const SLOW = /dying at any moment/

describe('a journal and its copy in a model of a browser', () => {
  test.each(
    browserCases.filter(({ name }) => !quick || !SLOW.test(name)).map((found) => ({ name: found.name, found })),
  )('$name', async ({ name, found }) => {
    const database = `opfs: ${name}` // as the cases know it
    const storage = () => new OpenedStore(browserStorage(database))
    await found.run({
      storage,
      ...PLACES.journal,
      runs: runs(10),
      journal: journalBytes(database),
      files: () => opfsFiles(database),
      mirrored: true,
    })
  })
})
