import { describe, test } from 'vitest'
import { OpenedStore } from '../../../../src/storage/contract/opened-store.js'
import { applies } from '../../../../src/storage/contract/case.js'
import { cases } from '../../../../src/storage/contract/cases.js'
import { PLACES } from '../../../contract/storage.js'
import { randomCases } from '../../../contract/random-cases.js'
import { EncryptedFolder } from '../../../unit/storage/crypto/places.js'

/** A kernel without WebAssembly encrypts the same bytes, and is tested with the kernels. */
const applicable = [...cases, ...randomCases].filter(
  ({ needs }) => needs !== 'journal' && applies({ needs }, PLACES.journal),
)

describe('the storage contract in an encrypted folder', () => {
  test.each(applicable)('$name', async ({ run }) => {
    const folder = new EncryptedFolder()
    const never = () => Promise.reject(new Error('no case here looks into the files'))
    try {
      await run({
        ...PLACES.journal,
        storage: () => new OpenedStore(folder.storage()),
        journal: { read: never, write: never },
        files: never,
        runs: 20,
      })
    } finally {
      folder.remove()
    }
  })
})
