import type { Agidb } from '../../src/index.js'
import type { Observation } from '../../src/api/episode.js'
import { turn } from '../../src/base/event-loop-turn.js'
import { grown } from '../growth.js'

export const SESSIONS = 20
/** Single episodes that are forgotten. */
export const SINGLE = 20
const BATCH = 1_000
const CUE = 'fuel cell pressure'

/** How long something took, and the recalls that ran meanwhile; all in milliseconds. */
export interface Disturbed {
  readonly name: string
  readonly took: number
  /** Each recall that ran beside it, one after the other. */
  readonly beside: readonly number[]
  /** Recalls before it began. */
  readonly alone: readonly number[]
}

export interface ForgetTimes {
  /** Forgetting one session, and taking that back. */
  readonly session: readonly Disturbed[]
  /** Forgetting single episodes, in milliseconds. */
  readonly single: readonly number[]
}

/**
 * Fills a memory with so many turns in 20 sessions and times what it takes to forget of them.
 *
 * @param source turns of which more are grown where `count` asks for more
 * @param consolidated whether they are consolidated before, so that atoms and the self-vector rest on them
 */
export async function forgetTimes(
  db: Agidb,
  source: readonly Observation[],
  count: number,
  consolidated: boolean,
): Promise<ForgetTimes> {
  const turns = count <= source.length ? source.slice(0, count) : [...grown(source, count, { seed: 1 })]
  for (let from = 0; from < count; from += BATCH)
    await db.observeMany(
      turns.slice(from, from + BATCH).map((turn, i) => ({
        ...turn,
        id: `e${from + i}`,
        session: `session ${Math.floor(((from + i) * SESSIONS) / count)}`,
      })),
    )
  if (consolidated) await db.consolidate()
  await db.recall(CUE, { whole: true }) // the codebook is there

  let auditId: string | undefined
  const session = [
    await disturbed(db, 'one of 20 sessions', async () => {
      auditId = (await db.unlearn({ session: 'session 7' }, 'bench')).auditId
    }),
    await disturbed(db, 'taking it back', async () => void (await db.restoreWithinWindow(auditId!))),
  ]
  const single: number[] = []
  for (let i = 0; i < SINGLE; i++)
    single.push(await timed(() => db.unlearn({ episode: `e${Math.floor(((i + 0.5) * count) / SINGLE)}` }, 'bench')))
  return { session, single }
}

/** Does something while recalls run one after the other. */
async function disturbed(db: Agidb, name: string, work: () => Promise<void>): Promise<Disturbed> {
  const alone: number[] = []
  for (let i = 0; i < 10; i++) alone.push(await timed(() => db.recall(CUE)))
  let isDone = false
  const done = timed(work).finally(() => (isDone = true))
  const beside: number[] = []
  while (!isDone) {
    beside.push(await timed(() => db.recall(CUE)))
    await turn() // what else the thread has to do gets its turn, as between the questions of users
  }
  return { name, took: await done, beside, alone }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
