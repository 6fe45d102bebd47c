/** The law of forgetting on the storage of a browser: random histories, each with a twin in main memory. */
import fc from 'fast-check'
import { openEngine } from '../../src/engine/open.js'
import { loadKernel } from '../../src/kernel/load.js'
import { BROWSER_PARTS, mirroringPart } from '../../src/runtimes/browser/parts.js'
import { browserStorage } from '../../src/storage/adapters/browser/browser.js'
import { memoryStorage } from '../../src/storage/adapters/memory.js'
import type { Place } from '../../test/unit/memory/forgetting/history.js'
import { forgottenAndUnseen, trials } from '../../test/unit/memory/forgetting/twins.js'

export interface Twins {
  /** Histories whose answers were compared. */
  readonly compared: number
  /** Where the memory was kept. */
  readonly storage: string
  /** What differs, and for which history; absent where nothing does. */
  readonly failure?: string
}

const { searchParams } = new URL(location.href)
const [numRuns, seed] = [Number(searchParams.get('runs')), Number(searchParams.get('seed'))]
const kernel = await loadKernel()
let [compared, storage] = [0, '']

const inBrowser =
  (name: string): Place =>
  async (clock, options) => {
    const place = { storage: browserStorage(name, mirroringPart), kernel, parts: BROWSER_PARTS }
    const db = await openEngine({ ...place, clock, seed: 1, ...options })
    ;({ storage } = await db.stats())
    return db
  }
const inMainMemory: Place = (clock, options) =>
  openEngine({ storage: memoryStorage(), kernel, parts: BROWSER_PARTS, clock, seed: 1, ...options })

const law = fc.asyncProperty(trials, async (trial) => {
  const place = inBrowser(`twins-${seed}-${compared++}`)
  const [forgotten, unseen] = (await forgottenAndUnseen(trial, place, inMainMemory)).map((all) => JSON.stringify(all))
  if (forgotten === unseen) return
  let at = 0
  while (forgotten[at] === unseen[at]) at++
  throw new Error(`${forgotten.slice(at - 200, at + 100)}\nis not\n${unseen.slice(at - 200, at + 100)}`)
})
const failure = await fc.assert(law, { numRuns, seed }).then(
  () => undefined,
  (error: unknown) => String(error),
)
postMessage({ compared, storage, ...(failure !== undefined && { failure }) } satisfies Twins)
