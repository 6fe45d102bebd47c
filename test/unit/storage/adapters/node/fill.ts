import { OpenedStore } from '../../../../../src/storage/contract/opened-store.js'
import { nodeStorage } from '../../../../../src/storage/adapters/node/node.js'
import { put, puts } from '../../../../../src/storage/contract/episodes.js'

/** Commits into a folder until it is full, and prints what happened: run by the tests under a limit. */

const store = new OpenedStore(nodeStorage(process.argv[2]))
await store.open(() => undefined)
let committed = 0
let code: string | undefined
while (code === undefined && committed < 1000) {
  await store.commit(puts(committed, 10, 1000)).then(
    () => (committed += 10),
    (error: { code: string }) => (code = error.code),
  )
}
const readable = (await store.rows(Array.from({ length: committed }, (_, slot) => slot))).every(
  (row) => row?.length === 1000,
)
const [afterwards] = await store.rows([committed])
// A small commit may still fit.
const small = await store.commit([put(committed, 10)]).then(
  () => 'committed',
  (error: { code: string }) => error.code,
)
await store.close()
console.log(JSON.stringify({ code, committed, readable, afterwards: afterwards?.length ?? null, small }))
