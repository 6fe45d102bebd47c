import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Side } from './side.js'
import { MEASURED, type Taken } from './tasks.js'

/** What is compared. */
export interface Plan {
  /** The built entries of the two versions. */
  readonly before: string
  readonly after: string
  /** The bundled child. */
  readonly program: string
  /** An empty folder for the memories. */
  readonly folder: string
  readonly transcript: string
  readonly questions: string
  /** Pairs of processes, and rounds that each pair does after a first one that does not count. */
  readonly pairs: number
  readonly rounds: number
  readonly onProgress: (done: string) => void
}

/** What one round took, in the version before and in the version after. */
export interface Round {
  readonly pair: number
  readonly before: Taken
  readonly after: Taken
}

/**
 * Runs both versions by turns: each does a task, then the other does the same task; who begins changes with each
 * round. Each pair of processes is new, because what a compiler made of the code and where it lies in memory stays the
 * same as long as a process lives.
 */
export async function byTurns(plan: Plan): Promise<Round[]> {
  const rounds: Round[] = []
  for (let pair = 0; pair < plan.pairs; pair++) {
    const sides = await started(plan, pair)
    try {
      for (let round = -1; round < plan.rounds; round++) {
        const taken = await oneRound(sides, round % 2 === 0)
        if (round >= 0) rounds.push({ pair, ...taken })
      }
      await Promise.all([sides.before.end(), sides.after.end()])
    } finally {
      sides.before.kill()
      sides.after.kill()
    }
    plan.onProgress(`pair ${pair + 1} of ${plan.pairs}`)
  }
  return rounds
}

interface Sides {
  readonly before: Side
  readonly after: Side
}

/** Both processes, with memories of their own: where files lie takes part in how fast they are read. */
async function started(plan: Plan, pair: number): Promise<Sides> {
  const start = async (name: 'before' | 'after') => {
    const folder = join(plan.folder, name)
    await mkdir(folder, { recursive: true })
    const side = await Side.start(plan.program, [plan[name], folder, plan.transcript, plan.questions])
    await side.do('fill')
    return side
  }
  if (pair % 2 === 0) return { before: await start('before'), after: await start('after') }
  const after = await start('after')
  return { before: await start('before'), after }
}

async function oneRound({ before, after }: Sides, beforeFirst: boolean): Promise<{ before: Taken; after: Taken }> {
  const taken = { before: {} as Taken, after: {} as Taken }
  for (const task of MEASURED) {
    const first = await (beforeFirst ? before : after).do(task)
    const second = await (beforeFirst ? after : before).do(task)
    taken.before = { ...taken.before, ...(beforeFirst ? first : second) }
    taken.after = { ...taken.after, ...(beforeFirst ? second : first) }
  }
  return taken
}
