import type { Database, Observation } from '../library.js'

/** What was measured of reading texts behind `observe`. */
export interface Background {
  /** Texts a second that are read while nothing else is asked. */
  readonly textsPerSecond: number
  /** Milliseconds of recalls one after the other, while nothing is read and while texts are read. */
  readonly alone: readonly number[]
  readonly meanwhile: readonly number[]
}

/** Recalls before times count: code that runs often is compiled better. */
const WARM = 100

/**
 * Observes a third of some texts, asks once they are read; observes another and asks while they are read; and observes
 * the last and waits.
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
    const started = performance.now()
    await db.recall(cues[asked++ % cues.length])
    return performance.now() - started
  }

  await part(0)
  await db.recall(cues[0], { whole: true })
  for (let i = 0; i < WARM; i++) await recall()
  const alone: number[] = []
  for (let i = 0; i < 2 * cues.length; i++) alone.push(await recall())

  await part(1)
  const meanwhile: number[] = []
  while ((await pending()) > 0) meanwhile.push(await recall())

  await part(2)
  const left = await pending()
  const started = performance.now()
  await db.recall(cues[0], { whole: true })
  return { textsPerSecond: (1_000 * left) / (performance.now() - started), alone, meanwhile }
}
