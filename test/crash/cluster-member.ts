import { createInterface } from 'node:readline'
import { Agidb } from '../../src/runtimes/node/index.js'

/**
 * One of several processes that share a folder: opens it, prints `open`, and does what the lines of its input say. Run
 * by `cluster-kill.ts` and by tests. `observe ID` prints `+ID` once it is acknowledged; `count` prints the number.
 */

const [, , path] = process.argv
const db = await Agidb.open({ path, share: true, codebook: 'none', extract: 'none', autoConsolidate: false })
const print = (line: string): void => void process.stdout.write(`${line}\n`)
print('open')
for await (const line of createInterface({ input: process.stdin })) {
  const [command, id] = line.split(' ')
  if (command === 'close') break
  if (command === 'count') print(String(await db.count()))
  if (command === 'observe')
    void db.observe(`Box ${id} stands in the hall.`, { speaker: id }).then(
      () => print(`+${id}`),
      (error: { code: string }) => print(`-${id} ${error.code}`),
    )
}
await db.close()
process.exit()
