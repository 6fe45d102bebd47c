import { Agidb } from '../../src/node.js'
import { observation, observations } from './story.js'

/** Observes until it is killed, and prints each id once it is acknowledged: run by `node-kill.ts`. */

const [path, run] = [process.argv[2], Number(process.argv[3])]
const db = await Agidb.open({ path })

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
}
