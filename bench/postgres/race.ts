/** Two writers, each in a namespace of its own, and eight readers; in the midst the server is killed. */
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { AgidbError, Agidb } from '../../src/runtimes/node/index.js'
import { postgresStorage } from '../../src/storage/adapters/postgres/postgres.js'
import type { PostgresServer } from '../../test/fixtures/postgres-server.js'
import { quantile } from '../section.js'

const NAMESPACES = ['first', 'second']
const READERS = 8
/** Episodes a commit. */
const EACH = 20
/** Milliseconds between two commits of a writer. */
const PAUSE = 50
const OPTIONS = { extract: 'none', autoConsolidate: false, learnFromRecall: false } as const

/** Of the system: no such socket, refused, reset; of PostgreSQL (appendix A): class 57, it stops or starts. */
const DOWN = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', '57P01', '57P02', '57P03'])

/** What was written and seen. */
interface Told {
  readonly lines: readonly string[]
  /** What is not as it should be; empty where nothing is. */
  readonly problems: readonly string[]
}

/** One namespace, as its writer knows it. */
interface Written {
  readonly namespace: string
  /** When each commit was acknowledged; commits that the server may have stored without an answer count, too. */
  readonly acknowledged: number[]
  /** Commits whose answer did not come. */
  open: number
}

/** Lets them run for some seconds, and says what happened. */
export async function race(server: PostgresServer, seconds: number): Promise<Told> {
  const written = NAMESPACES.map((namespace): Written => ({ namespace, acknowledged: [], open: 0 }))
  const codes = new Map<string, number>()
  const problems: string[] = []
  const seen: number[] = []
  const asked: number[] = []
  let reopened = 0
  const end = performance.now() + seconds * 1000
  const isOver = () => performance.now() >= end

  /** Runs a program again and again: what a killed server refuses has a code, and then it opens anew. */
  const going = async (program: () => Promise<void>): Promise<void> => {
    while (!isOver()) {
      try {
        await program()
      } catch (error) {
        if (error instanceof AgidbError) codes.set(error.code, (codes.get(error.code) ?? 0) + 1)
        else if (!isDown(error)) problems.push(`an error without a code: ${String(error)}`)
        await wait(100)
      }
    }
  }

  const write = async (one: Written): Promise<void> => {
    const client = await server.connect()
    const db = await Agidb.open({ storage: postgresStorage(client, one), ...OPTIONS })
    const stored = (await db.stats()).episodes
    const known = one.acknowledged.length * EACH
    if (stored < known || stored > known + one.open * EACH || stored % EACH !== 0)
      problems.push(`${one.namespace}: ${known} episodes were acknowledged, and ${stored} are there`)
    while (one.acknowledged.length * EACH < stored) one.acknowledged.push(performance.now())
    one.open = 0
    while (!isOver()) {
      const from = one.acknowledged.length * EACH
      one.open++
      await db.observeMany(Array.from({ length: EACH }, (_, i) => ({ text: textOf(one.namespace, from + i) })))
      one.open--
      one.acknowledged.push(performance.now())
      await wait(PAUSE)
    }
    await db.close()
    await client.end()
  }

  const read = async (one: Written): Promise<void> => {
    const [client, listener] = [await server.connect(), await server.connect()]
    const storage = postgresStorage(client, { namespace: one.namespace, readOnly: true, listener })
    const db = await Agidb.open({ storage, readOnly: true, ...OPTIONS })
    let last = 0
    let change = () => {}
    db.subscribe(({ kind }) => kind === 'changesApplied' && (reopened++, change()))
    const look = async (): Promise<void> => {
      const { episodes } = await db.stats()
      if (episodes % EACH !== 0)
        problems.push(`${one.namespace}: a reader saw ${episodes} episodes, a part of a commit`)
      if (episodes < last) problems.push(`${one.namespace}: a reader saw ${episodes} episodes after ${last}`)
      const now = performance.now()
      for (let commit = last / EACH; last > 0 && commit < episodes / EACH; commit++)
        if (one.acknowledged[commit] !== undefined) seen.push(Math.max(0, now - one.acknowledged[commit]))
      last = episodes
      if (episodes === 0) return
      const text = textOf(one.namespace, episodes - 1)
      const from = performance.now()
      const { matches } = await db.recall(text, { learn: false })
      asked.push(performance.now() - from)
      if (!matches.some((match) => match.text === text)) problems.push(`${one.namespace}: "${text}" was not found`)
    }
    while (!isOver()) {
      const changed = new Promise<void>((resolve) => (change = resolve))
      await look()
      await Promise.race([changed, wait(500)])
    }
    // The writers are done within one commit; then every reader is told of the last one, and opens its memory again:
    // on a busy machine it is up to five openings behind.
    for (let tries = 0; last < one.acknowledged.length * EACH && tries < 600; tries++) {
      await wait(100)
      last = (await db.stats()).episodes
    }
    if (last !== one.acknowledged.length * EACH)
      problems.push(`${one.namespace}: a reader saw ${last} of ${one.acknowledged.length * EACH} episodes in the end`)
    await db.close()
    await Promise.all([client.end(), listener.end()])
  }

  const kill = async (): Promise<void> => {
    await wait((seconds * 1000) / 2)
    await server.stop('SIGQUIT')
    await server.start()
  }
  const readers = Array.from({ length: READERS }, (_, i) => written[i % written.length])
  const writing = written.map((one) => going(() => write(one)))
  await wait(500) // A reader makes no memory.
  await Promise.all([...writing, ...readers.map((one) => going(() => read(one))), kill()])

  for (const one of written) {
    const client = await server.connect()
    const db = await Agidb.open({
      storage: postgresStorage(client, { ...one, readOnly: true }),
      readOnly: true,
      ...OPTIONS,
    })
    const texts = new Set<string>()
    for await (const page of db.episodes({ limit: 1_000 })) for (const { text } of page) texts.add(text)
    const lost = Array.from({ length: one.acknowledged.length * EACH }, (_, i) => textOf(one.namespace, i))
    const missing = lost.filter((text) => !texts.has(text)).length
    if (missing > 0) problems.push(`${one.namespace}: ${missing} episodes were acknowledged, and are not there`)
    await db.close()
    await client.end()
  }
  const commits = written.map(({ acknowledged }) => acknowledged.length)
  const milliseconds = (all: readonly number[]) => {
    const [half, most, last] = [0.5, 0.95, 1].map((q) => quantile(all, q).toFixed(0))
    return `p50 ${half} ms, p95 ${most} ms, ${last} at most`
  }
  return {
    problems,
    lines: [
      `2 writers, ${READERS} readers, ${seconds} s; the server was killed after ${seconds / 2} s`,
      `commits: ${commits.join(' and ')}, of ${EACH} episodes`,
      `errors: ${Array.from(codes, ([code, count]) => `${code} ${count} times`).join(', ') || 'none'}`,
      `readers opened the memory again ${reopened} times; a commit was seen ${milliseconds(seen)} later`,
      `recall of a reader beside all others: ${asked.length} times, ${milliseconds(asked)}`,
      ...(problems.length > 0 ? problems : ['lost: nothing; seen: every commit whole, in order, by each reader']),
    ],
  }
}

/** What `pg` says while it connects to a server that is down or starts: no error of agidb. */
function isDown(error: unknown): boolean {
  const { code } = error as { readonly code?: string }
  return (code !== undefined && DOWN.has(code)) || String(error).includes('Connection terminated unexpectedly')
}

function textOf(namespace: string, i: number): string {
  return `Parcel ${i} of the ${namespace} depot was handed over to driver ${i % 97}.`
}
