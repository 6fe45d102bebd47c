import { linesUntilKilled } from '../crash/lines.js'
import { startProgram, type Runtime } from './runtimes.js'

/** What a number of kills did. */
export interface Kills {
  readonly kills: number
  /** Commits that were acknowledged. */
  readonly acknowledged: number
  /** Those of them that were not there afterwards, or not as a whole. */
  readonly lost: number
}

const ROUNDS = 3
/** Commits of a round, at least, before the program is killed. */
const COMMITS = 12

/** Kills a program that commits, looks at what it left, and has the next one go on from there. */
export async function killed(runtime: Runtime, place: string, folder: string): Promise<Kills> {
  let [there, lost] = [0, 0]
  for (let round = 0; round < ROUNDS; round++) {
    const writer = startProgram(runtime, 'write', place, folder)
    writer.stderr.resume()
    let acknowledged = there
    const failure = await linesUntilKilled(writer, (line) => {
      acknowledged = Number(line)
      // Commits of different sizes are under way when the kill comes.
      if (acknowledged === there + COMMITS + round) setTimeout(() => writer.kill('SIGKILL'), 7 * round)
    })
    if (failure !== undefined) throw failure as Error
    const { commits, rest, wrong } = await left(runtime, place, folder)
    if (rest > 0 || wrong > 0) throw new Error(`after a kill ${rest} episodes of a commit were there, ${wrong} wrong`)
    lost += Math.max(0, acknowledged - commits)
    there = commits
  }
  return { kills: ROUNDS, acknowledged: there, lost }
}

async function left(runtime: Runtime, place: string, folder: string) {
  const checker = startProgram(runtime, 'check', place, folder)
  let text = ''
  checker.stdout.setEncoding('utf8').on('data', (part: string) => (text += part))
  checker.stderr.resume()
  await new Promise((resolve) => checker.once('close', resolve))
  return JSON.parse(text) as { readonly commits: number; readonly rest: number; readonly wrong: number }
}
