import { openNode } from '../../src/node/engine.js'
import { observation, observations } from './story.js'

/** Observes, removes and compacts until it is killed, and prints what was acknowledged, with a minus before what was removed: run by `node-kill.ts`. */

const [path, run] = [process.argv[2], Number(process.argv[3])]
const db = await openNode({ path, durability: process.argv[4] as 'strict' | 'relaxed' })

function acknowledge(ids: readonly string[]): void {
  process.stdout.write(ids.map((id) => `${id}\n`).join(''))
}

for (let index = 0; ; ) {
  const batch = index % 7 === 0 ? 40 : 1
  if (batch === 1) {
    const { text, ...context } = observation(run, index)
    acknowledge([await db.observe(text, context)])
  } else acknowledge(await db.observeMany(observations(run, index, batch)))
  index += batch
  if (index % 5 === 0) {
    // Said before, so that it is not expected any more, and after, so that it may not come back.
    const id = `run${run}-${index - 1}`
    process.stdout.write(`?${id}\n`)
    await db.remove(id)
    process.stdout.write(`-${id}\n`)
  }
  if (index % 60 < batch) void db.compact().catch(fail)
}

function fail(error: unknown): void {
  console.error(error)
  process.exit(1)
}
