import { once } from 'node:events'
import { openNode } from '../../src/runtimes/node/engine.js'
import { type FoundAfterKill, OF_A_SESSION, type Step, textOf } from './forgetting-story.js'

/**
 * Waits for a line with a run, a folder and a kind of encryption; opens the memory that is there, prints what it finds
 * in one line, then observes, unlearns, restores and expires until it is killed: run by `forgetting-kill.ts`. A call
 * that fails ends it.
 */

const DAY = 86_400_000

const [given] = (await once(process.stdin.setEncoding('utf8'), 'data')) as [string]
const { run, path, encryption } = JSON.parse(given) as {
  run: number
  path: string
  encryption: 'none' | 'keys-beside'
}
const db = await openNode({ path, encryption, codebook: 'none' })
const say = (line: string): void => void process.stdout.write(`${line}\n`)
// What a crash left of an expiry is erased by now, and not some time after the opening.
await db.expire()
say(JSON.stringify(await found()))

/** Sessions that are forgotten and not expired. */
const forgotten: string[] = []
for (let round = 0; ; round++) {
  const session = `${run}-${round}`
  const items = Array.from({ length: OF_A_SESSION }, (_, i) => ({ text: textOf(session, i), session }))
  const ids = await told('observe', [session], () => db.observeMany(items))
  await db.assertBelief({ claim: `the gate of session ${session} is open`, confidence: 0.9, evidence: ids })
  if (round % 4 === 3) continue
  const { auditId } = await told('unlearn', [session], () => db.unlearn({ session }, session))
  if (round % 4 === 0) await told('restore', [session], () => db.restoreWithinWindow(auditId!))
  else forgotten.push(session)
  if (round % 4 === 2) await told('expire', forgotten.splice(0), () => db.expire(Date.now() + 31 * DAY))
}

async function told<T>(step: Step, sessions: readonly string[], work: () => Promise<T>): Promise<T> {
  say(`?${[step, ...sessions].join(' ')}`)
  const result = await work()
  say(`!${[step, ...sessions].join(' ')}`)
  return result
}

async function found(): Promise<FoundAfterKill> {
  const episodes: Record<string, string[]> = {}
  for await (const page of db.episodes({ limit: 1000 }))
    for (const { id, session } of page) (episodes[session!] ??= []).push(id)
  const beliefs = await db.whatDoIBelieve('the gate is open', { k: 1000 })
  const believed = beliefs.map(({ claim }) => /session (\S+) is/.exec(claim)![1])
  const unlearned: Record<string, string> = {}
  // The reason of each is the name of its session; a later one takes the place of an earlier one.
  for (const { auditId, state } of await db.unlearnHistory(0)) {
    const report = await db.unlearnReport(auditId)
    if (report?.reason !== undefined) unlearned[report.reason] = state
  }
  const problems = (await db.verify()).problems.filter(({ harm }) => harm !== 'none')
  return { episodes, believed, unlearned, opening: (await db.stats()).opening, problems }
}
