// A process of its own that uses a folder: `child.ts <task> <folder>`. Prints what happened as one line of JSON.
import { AgidbError } from '../../../src/base/errors.js'
import { Agidb } from '../../../src/runtimes/node/index.js'

const [, , task, path] = process.argv

async function fillTheDisk(): Promise<unknown> {
  const db = await Agidb.open({ extract: 'none', path })
  const before = await db.observe('Before the disk was full.', { id: 'before' })
  const items = Array.from({ length: 3000 }, (_, i) => ({ text: `memory number ${i}`, id: `m${i}` }))
  const error = await db.observeMany(items).then(
    () => undefined,
    (error: unknown) => error,
  )
  const { matches } = await db.recall('Before the disk was full.', { k: 1 })
  const { episodes } = await db.stats()
  const again = await db.observeMany(items.slice(-1000)).then(
    () => undefined,
    (error: unknown) => error,
  )
  await db.close()
  return { before, error: shown(error), again: shown(again), first: matches[0].id, episodes }
}

async function open(): Promise<unknown> {
  return Agidb.open({ extract: 'none', path }).then(async (db) => {
    await db.close()
    return 'opened'
  }, shown)
}

function shown(error: unknown): unknown {
  return error instanceof AgidbError
    ? { code: error.code, message: error.message, details: error.details }
    : String(error)
}

console.log(JSON.stringify(task === 'fill' ? await fillTheDisk() : await open()))
