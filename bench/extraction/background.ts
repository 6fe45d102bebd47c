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

/**
 * Observes a third of some texts, asks once they are read; observes another, asks while they are read, and once they
 * are; and observes the last and waits.
 */
export async function readInBackground(
  db: Pick<Database, 'observeMany' | 'recall' | 'stats'>,
  texts: readonly Observation[],
  cues: readonly string[],
): Promise<Background> {
  const third = Math.floor(texts.length / 3)
  const part = (n: number) => db.observeMany(texts.slice(n * third, (n + 1) * third))
  const pending = async () => (await db.stats()).extraction?.pending ?? 0
  let asked = 0
  const recall = async () => {
    await new Promise<void>((resolve) => setTimeout(resolve, PAUSE_MS))
    const started = performance.now()
    await db.recall(cues[asked++ % cues.length])
    return performance.now() - started
  }

  await part(0)
  await db.recall(cues[0], { whole: true })
  for (let i = 0; i < WARM; i++) await recall()
  const alone: number[] = []
  for (let i = 0; i < cues.length; i++) alone.push(await recall())

  await part(1)
  const meanwhile: number[] = []
  while ((await pending()) > 0) for (let i = 0; i < RECALLS_PER_LOOK; i++) meanwhile.push(await recall())
  // The memory is twice as large now: half of the recalls that are compared are those before, half those after.
  for (let i = 0; i < cues.length; i++) alone.push(await recall())

  await part(2)
  const left = await pending()
  const started = performance.now()
  await db.recall(cues[0], { whole: true })
  return { textsPerSecond: (1_000 * left) / (performance.now() - started), alone, meanwhile }
}
