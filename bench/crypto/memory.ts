import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Encryption } from '../../src/api/encryption.js'
import { openNode } from '../../src/runtimes/node/engine.js'
import { readTurns } from '../turns.js'

/** Turns of one session. */
const OF_A_SESSION = 50
const OPENINGS = 3
const ASKED = 40

/** Times of one memory: wall clock, and of all processors. */
type Times = Readonly<Record<string, { readonly wall: number; readonly cpu: number }>>

/** Prints what a memory takes with encryption, as a share of what it takes without, by turns. */
export async function memoryCost(rounds: number, episodes: number): Promise<void> {
  const transcript = fileURLToPath(new URL('../../demo/data/apollo13.jsonl', import.meta.url))
  const said = await readTurns(transcript)
  const turns = Array.from({ length: episodes }, (_, i) => ({
    ...said[i % said.length],
    session: `session ${Math.floor(i / OF_A_SESSION)}`,
  }))
  const pairs: { readonly without: Times; readonly with: Times }[] = []
  for (let round = 0; round <= rounds; round++) {
    // By turns, so that what heats up or slows down the machine meets both.
    const plainFirst = round % 2 === 0
    const first = await times(turns, plainFirst ? 'none' : 'keys-beside')
    const second = await times(turns, plainFirst ? 'keys-beside' : 'none')
    // The first round warms up.
    if (round > 0) pairs.push(plainFirst ? { without: first, with: second } : { without: second, with: first })
  }
  for (const part of Object.keys(pairs[0].without)) {
    const median = (of: (pair: (typeof pairs)[number]) => number) =>
      pairs.map(of).sort((a, b) => a - b)[pairs.length >> 1]
    const wall = median((pair) => pair.with[part].wall / pair.without[part].wall)
    const cpu = median((pair) => pair.with[part].cpu / pair.without[part].cpu)
    const without = median((pair) => pair.without[part].wall)
    const ratios = `time × ${wall.toFixed(2)}, processor time × ${cpu.toFixed(2)}`
    console.log(`${part.padEnd(24)} ${ratios}  (${without.toFixed(1)} ms without)`)
  }
}

async function times(turns: Awaited<ReturnType<typeof readTurns>>, encryption: Encryption): Promise<Times> {
  const path = await mkdtemp(join(tmpdir(), 'agidb-bench-'))
  try {
    const db = await openNode({ path, encryption })
    const ingest = await timed(() => db.observeMany(turns))
    const recall = await timed(async () => {
      for (let i = 0; i < ASKED; i++) await db.recall(turns[(i * 37) % turns.length].text)
    })
    const close = await timed(() => db.close())
    const open = await timed(async () => {
      for (let i = 0; i < OPENINGS; i++) await (await openNode({ path })).close()
    })
    await rm(join(path, 'index.agidb'))
    const replay = await timed(async () => (await openNode({ path })).close())
    return { ingest, recall, close, open, 'open without checkpoint': replay }
  } finally {
    await rm(path, { recursive: true })
  }
}

async function timed(work: () => Promise<unknown>): Promise<{ readonly wall: number; readonly cpu: number }> {
  const [began, cpu] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(cpu)
  return { wall: performance.now() - began, cpu: (user + system) / 1000 }
}
