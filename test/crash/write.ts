import type { Agidb } from '../../src/api/agidb.js'
import { thins } from './moment.js'
import { observation, observations } from './story.js'

/** The calls that a writer makes. */
export type Writable = Pick<Agidb, 'observe' | 'observeMany' | 'compact' | 'episodes' | 'remove'>

/** How many must be there before a memory is thinned out: four megabytes of garbage are worth a compaction. */
const ENOUGH = 1500

/**
 * Observes, removes and compacts until its process is killed, and says what was acknowledged, a line each (see
 * `Ledger`). What is about to be removed is said, and heard, before.
 */
export async function writeUntilKilled(
  db: Writable,
  run: number,
  say: (lines: readonly string[]) => void | Promise<void>,
): Promise<never> {
  let index = 0
  const observeMore = async (count: number): Promise<void> => {
    const { text, ...context } = observation(run, index)
    const ids = count === 1 ? [await db.observe(text, context)] : await db.observeMany(observations(run, index, count))
    index += count
    void say(ids.map((id) => `+${id}`))
  }
  const remove = async (ids: readonly string[]): Promise<void> => {
    await say(ids.map((id) => `?${id}`))
    await Promise.all(ids.map((id) => db.remove(id).then(() => say([`-${id}`]))))
  }

  if (thins(run)) {
    const ids: string[] = []
    for await (const page of db.episodes({ limit: 1000 })) ids.push(...page.map(({ id }) => id))
    if (ids.length < ENOUGH) {
      await observeMore(ENOUGH - ids.length)
      ids.push(...observations(run, 0, index).map(({ id }) => id))
    }
    await remove(ids.filter((_, place) => place % 10 > 0))
    void say(['|'])
    await new Promise((resolve) => setTimeout(resolve, 2500))
  }
  for (let rounds = 0; ; rounds++) {
    await observeMore(rounds % 7 === 0 ? 100 : 1)
    if (rounds % 5 === 0) await remove([`run${run}-${index - 1}`])
    if (rounds % 6 === 5) void db.compact()
  }
}
