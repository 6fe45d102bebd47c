import type { Database, Observation } from '../library.js'

/** What was measured of reading texts behind `observe`. */
export interface Background {
  /** Texts a second that are read while nothing else is asked. */
  readonly textsPerSecond: number
  /** Milliseconds of recalls, before and after texts are read and meanwhile. */
  readonly alone: readonly number[]
  readonly meanwhile: readonly number[]
}

/** Recalls before times count: code that runs often is compiled better. */
const WARM = 100

/** Milliseconds between two recalls. Without any, a recall that awaits nothing would leave no time to anything else. */
const PAUSE_MS = 2
/** Recalls between two looks at how far the reading is, which takes a millisecond or two. */
const RECALLS_PER_LOOK = 10

/** Parts of the texts: the first warms up, recalls are timed while each of the others but the last is read. */
const PARTS = 5

/**
 * Observes some texts part by part. Asks before and after a part is read and meanwhile, and waits for the last part
 * without asking.
 */
export async function readInBackground(
  db: Pick<Database, 'observeMany' | 'recall' | 'stats'>,
  texts: readonly Observation[],
  cues: readonly string[],
): Promise<Background> {
  const size = Math.floor(texts.length / PARTS)
  const observe = (part: number) => db.observeMany(texts.slice(part * size, (part + 1) * size))
  const pending = async () => (await db.stats()).extraction?.pending ?? 0
  let asked = 0
  const recall = async () => {
    await new Promise<void>((resolve) => setTimeout(resolve, PAUSE_MS))
    const started = performance.now()
    await db.recall(cues[asked++ % cues.length])
    return performance.now() - started
  }
  const alone: number[] = []
  const meanwhile: number[] = []
  const askAlone = async () => {
    for (let i = 0; i < cues.length; i++) alone.push(await recall())
  }

  await observe(0)
  await db.recall(cues[0], { whole: true })
  for (let i = 0; i < WARM; i++) await recall()
  await askAlone()
  for (let part = 1; part < PARTS - 1; part++) {
    await observe(part)
    while ((await pending()) > 0) for (let i = 0; i < RECALLS_PER_LOOK; i++) meanwhile.push(await recall())
    await askAlone() // the memory has grown
  }

  await observe(PARTS - 1)
  const left = await pending()
  const started = performance.now()
  await db.recall(cues[0], { whole: true })
  return { textsPerSecond: (1_000 * left) / (performance.now() - started), alone, meanwhile }
}
