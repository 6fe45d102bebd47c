/**
 * Opens a memory as soon as it may, adds to it one observation after another, and says what was acknowledged: `open`,
 * then `ok <id>` for each, then `done`. It holds the memory until it is killed.
 *
 * tsx write-folder.ts PATH WRITER COUNT
 */
import { AgidbError } from '../../../src/base/errors.js'
import type { Agidb } from '../../../src/runtimes/node/index.js'
import { written } from './acknowledged.js'
import { openFolder } from './memory.js'

const [path, writer, count] = process.argv.slice(2)
const db = await openWhenFree()
process.stdout.write('open\n')
for (const [id, text] of written(writer, Number(count))) {
  await db.observeMany([{ id, text }])
  process.stdout.write(`ok ${id}\n`)
}
process.stdout.write('done\n')
setInterval(() => {}, 1000)

async function openWhenFree(): Promise<Agidb> {
  for (;;) {
    try {
      return await openFolder(path)
    } catch (error) {
      if (!(error instanceof AgidbError) || error.code !== 'AGIDB_IN_USE') throw error
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
