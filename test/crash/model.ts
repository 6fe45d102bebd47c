import { parseArgs } from 'node:util'
import { lookAtCrashes, newLooked, type Mode } from '../unit/storage/crash-states.js'
import * as encrypted from '../unit/storage/crypto/crash-states.js'

/**
 * Opens what crashes of the machine leave of random workloads, on a model of a disk, and counts:
 * `npm run test:model -- --states 100000 --durability relaxed`. Without a durability: half of the states each. With
 * `--encrypted` the storage is encrypted, and rows are erased.
 */

const { values } = parseArgs({
  options: {
    states: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1000' },
    durability: { type: 'string' },
    encrypted: { type: 'boolean', default: false },
  },
})
if (values.encrypted) await lookAtEncrypted(Number(values.states), Number(values.seed))
else await lookAtPlain()

/** Throws where a commit is there in part, or a key is left that reads what was erased. */
async function lookAtEncrypted(states: number, first: number): Promise<void> {
  const looked = encrypted.newLooked()
  const started = performance.now()
  for (let seed = first; looked.states < states; seed++) await encrypted.lookAtCrashes(seed, looked)
  const { workloads, again, tried } = looked
  console.log(
    `encrypted: ${looked.states} crash states of ${workloads} workloads with erasures (${again} crashes of a ` +
      `recovery; ${tried} erased texts tried with every key that was left): nothing acknowledged is lost, nothing ` +
      `erased can be read; ${((performance.now() - started) / 1000).toFixed(0)} s`,
  )
}

async function lookAtPlain(): Promise<void> {
  const modes = (values.durability === undefined ? ['strict', 'relaxed'] : [values.durability]) as Mode[]
  for (const mode of modes) {
    const looked = newLooked()
    const started = performance.now()
    for (let seed = Number(values.seed); looked.states < Number(values.states) / modes.length; seed++)
      await lookAtCrashes(seed, looked, mode)
    const { states, again, kills, images, operations, workloads, lacking, mostLacked } = looked
    const lost =
      mode === 'strict'
        ? 'nothing acknowledged is lost'
        : `${lacking} lack the last commits that were acknowledged and not flushed, ${mostLacked} at most, never ` +
          'one before another, nor any that was flushed; ' +
          'nothing acknowledged is lost where only the process was killed'
    console.log(
      `${mode}: ${states} crash states of ${workloads} workloads (${operations} operations on files; ${again} ` +
        'crashes of a recovery; ' +
        `${kills} after the process was killed and another opened what it left; ${images} opened from an image): ` +
        `${lost}, nothing removed comes back, ` +
        `all open and go on; ${((performance.now() - started) / 1000).toFixed(0)} s`,
    )
    if (mode === 'strict' && lacking > 0) throw new Error(`${lacking} states lack what was acknowledged`)
  }
}
