import { parseArgs } from 'node:util'
import { lookAtCrashes, type Looked } from '../storage/crash-states.js'

/** Opens what crashes of the machine leave of random workloads, on a model of a disk, and counts: `npm run test:model -- --states 100000`. */

const { values } = parseArgs({ options: { states: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1000' } } })
const looked: Looked = { states: 0, again: 0, images: 0, operations: 0, workloads: 0 }
const started = performance.now()
for (let seed = Number(values.seed); looked.states < Number(values.states); seed++) await lookAtCrashes(seed, looked)
const { states, again, images, operations, workloads } = looked
console.log(
  `${states} crash states of ${workloads} workloads (${operations} operations on files; ${again} crashes of a recovery; ${images} opened from an image):` +
    ` nothing acknowledged is lost, nothing removed comes back, all open and go on; ${((performance.now() - started) / 1000).toFixed(0)} s`,
)
