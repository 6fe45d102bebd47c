/** A memory whose signatures PostgreSQL searches, beside the same one with its signatures in main memory. */
import { performance } from 'node:perf_hooks'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { Agidb } from '../../src/runtimes/node/index.js'
import { postgresStorage, type PostgresDriver } from '../../src/storage/adapters/postgres/postgres.js'
import { quantile } from '../section.js'

const OPTIONS = { extract: 'none', autoConsolidate: false, learnFromRecall: false } as const
const BATCH = 5_000
/** Questions whose answers fill the caches. */
const WARMING = 20

/** What is asked, and how many. */
export interface Asking {
  readonly episodes: number
  readonly questions: number
  readonly textOf: (i: number) => string
}

/** A PGlite with pgvector, and what closes it. */
export async function pgvector(): Promise<{ readonly driver: PostgresDriver; close(): Promise<void> }> {
  const driver = await PGlite.create({ extensions: { vector } })
  await driver.exec(`create extension vector; set maintenance_work_mem = '512MB'`)
  return { driver, close: () => driver.close() }
}

/** Fills a memory where there is none, asks it both ways, and prints what that took and how the answers differ. */
export async function compareSearches(driver: PostgresDriver, asking: Asking): Promise<void> {
  const { episodes } = asking
  const filled = await fill(driver, asking)
  if (filled !== undefined) console.log(`written in ${(filled / 1000).toFixed(1)} s`)
  // Once more, so that what the first opening makes is not counted as opening.
  const making = performance.now()
  await (await Agidb.open({ storage: postgresStorage(driver, { search: 'server' }), ...OPTIONS })).close()
  console.log(`bits and indexes that were lacking made in ${((performance.now() - making) / 1000).toFixed(1)} s`)
  const { rows } = (await driver.query(
    `select c.relname as name, pg_relation_size(c.oid)::text as bytes from pg_class c
    where c.relname = 'agidb_bits' or c.relname like 'agidb\\_near\\_%' or c.relname = 'agidb_bits_pkey' order by 1`,
  )) as { rows: { name: string; bytes: string }[] }
  for (const { name, bytes } of rows) console.log(`${name}: ${(Number(bytes) / episodes).toFixed(0)} bytes an episode`)
  const server = await ask(driver, 'server', asking)
  const memory = await ask(driver, 'memory', asking)
  let [first, shared, all, same] = [0, 0, 0, 0]
  for (const [i, expected] of memory.entries()) {
    const found = server[i]
    if (found[0] === expected[0]) first++
    if (found.join() === expected.join()) same++
    shared += found.filter((id) => expected.includes(id)).length
    all += expected.length
  }
  const share = (part: number, of: number) => `${((100 * part) / of).toFixed(1)} %`
  console.log(
    `of ${memory.length} questions the same first match: ${share(first, memory.length)}, the same ten in the same ` +
      `order: ${share(same, memory.length)}; of all matches: ${share(shared, all)}`,
  )
}

async function fill(driver: PostgresDriver, { episodes, textOf }: Asking): Promise<number | undefined> {
  const db = await Agidb.open({ storage: postgresStorage(driver, { search: 'server' }), ...OPTIONS })
  const { episodes: there } = await db.stats()
  const from = performance.now()
  for (let at = there; at < episodes; at += BATCH) {
    const count = Math.min(BATCH, episodes - at)
    await db.observeMany(Array.from({ length: count }, (_, i) => ({ text: textOf(at + i) })))
  }
  const took = performance.now() - from
  await db.close()
  return there < episodes ? took : undefined
}

/** Asks a memory, prints what that took, and answers the ids of the matches of each question. */
async function ask(
  driver: PostgresDriver,
  search: 'server' | 'memory',
  { episodes, questions, textOf }: Asking,
): Promise<string[][]> {
  const opening = performance.now()
  const db = await Agidb.open({ storage: postgresStorage(driver, { search }), ...OPTIONS })
  const opened = performance.now() - opening
  const answers: string[][] = []
  const times: number[] = []
  for (let i = -WARMING; i < questions; i++) {
    const text = textOf(((i + WARMING) * 7_919) % episodes)
    // Whole texts, and what one remembers of them.
    const cue = i % 2 === 0 ? text : text.split(' ').slice(2, 9).join(' ')
    const from = performance.now()
    const { matches } = await db.recall(cue, { learn: false, k: 10 })
    if (i < 0) continue
    times.push(performance.now() - from)
    answers.push(matches.map(({ id }) => id))
  }
  const { memoryParts } = await db.stats()
  await db.close()
  const each = (bytes: number) => `${(bytes / episodes).toFixed(0)} bytes`
  console.log(
    `search: ${search}: opened in ${(opened / 1000).toFixed(1)} s; recall p50 ${quantile(times, 0.5).toFixed(0)} ms, ` +
      `p95 ${quantile(times, 0.95).toFixed(0)} ms; main memory of the process ` +
      `${(process.memoryUsage().rss / 1e6).toFixed(0)} MB; by stats() an episode: ` +
      `kernel ${each(memoryParts.kernel)}, indexes ${each(memoryParts.indexes)}, storage ${each(memoryParts.storage)}`,
  )
  return answers
}
