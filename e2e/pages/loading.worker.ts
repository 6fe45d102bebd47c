/**
 * A memory in OPFS that is opened again, with recall answering from fewer memories on than usual while older ones are
 * still being loaded.
 */
import type { Recall } from '../../src/api/recall.js'
import type { Engine } from '../../src/engine/engine.js'
import { openEngine } from '../../src/engine/open.js'
import { loadKernel } from '../../src/kernel/load.js'
import { BROWSER_PARTS, mirroringPart } from '../../src/runtimes/browser/parts.js'
import { browserStorage } from '../../src/storage/adapters/browser/browser.js'

export interface Loaded {
  readonly storage: string
  readonly kernel: string
  /** Kinds of what opening reports. */
  readonly opening: readonly string[]
  /** The episodes whose texts are asked for. */
  readonly asked: readonly string[]
  /** What was answered before the memory was closed. */
  readonly before: readonly Answer[]
  /** The same questions as soon as it is open again. */
  readonly early: readonly Answer[]
  /** And with `whole: true`. */
  readonly whole: readonly Answer[]
  /** What is still being loaded in the end. */
  readonly loading: unknown
}

type Answer = Pick<Recall, 'matches' | 'loading'>

/** More than a block of the kernel's arenas holds: what is left over is in another, and newer. */
const COUNT = 40_000
const LATE_FROM = 1_000

const WORDS = [
  'harbour',
  'lantern',
  'violin',
  'orchard',
  'granite',
  'saddle',
  'teapot',
  'glacier',
  'ribbon',
  'compass',
  'walnut',
  'feather',
]
const say = (i: number) => `${WORDS[i % 12]} ${WORDS[(i * 5 + 3) % 12]} ${WORDS[Math.floor(i / 12) % 12]} number ${i}`
/** The newest, and others of any age. */
const CUES = Array.from({ length: 10 }, (_, i) => COUNT - 1 - 4_000 * i)

const open = async (lateFrom?: number): Promise<Engine> =>
  openEngine({
    storage: browserStorage('loading', mirroringPart),
    kernel: await loadKernel(),
    parts: BROWSER_PARTS,
    lateFrom,
  })

async function answers(db: Engine, whole: boolean): Promise<Answer[]> {
  const all = []
  for (const cue of CUES) {
    const { matches, loading } = await db.recall(say(cue), { k: 8, whole })
    all.push({ matches, ...(loading && { loading }) })
  }
  return all
}

let db = await open()
await db.observeMany(Array.from({ length: COUNT }, (_, i) => ({ id: `e${i}`, text: say(i) })))
const before = await answers(db, true)
await db.close()
db = await open(LATE_FROM)
const early = await answers(db, false)
const whole = await answers(db, true)
const { storage, kernel, opening, loading } = await db.stats()
await db.close()
postMessage({
  storage,
  kernel,
  opening: opening.map(({ kind }) => kind),
  asked: CUES.map((cue) => `e${cue}`),
  before,
  early,
  whole,
  loading,
} satisfies Loaded)
