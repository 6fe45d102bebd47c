import { OpenedStore } from '../../../../../src/storage/contract/opened-store.js'
import { AgidbError } from '../../../../../src/base/errors.js'
import { nodeStorage } from '../../../../../src/storage/adapters/node/node.js'
import { put } from '../../../../../src/storage/contract/episodes.js'

/** Opens a folder, commits five episodes more, says so, and holds it until it is killed: run by the tests. */

const store = new OpenedStore(nodeStorage(process.argv[2]))
try {
  const { nextSlot } = await store.open(() => undefined)
  await store.commit(Array.from({ length: 5 }, (_, index) => put(nextSlot + index)))
  console.log('open')
  setInterval(() => undefined, 1000)
} catch (error) {
  console.log(error instanceof AgidbError ? error.code : error)
}
