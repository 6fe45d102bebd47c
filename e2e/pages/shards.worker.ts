/** An engine that shares its scans from a few episodes on, and one that never does: what both answer. */
import { openEngine } from '../../src/engine/open.js'
import { CORE_MODULE } from '../../src/kernel/core-module.js'
import { loadKernel } from '../../src/kernel/load.js'
import { startScanThread } from '../../src/pools/scan/browser.js'
import { BROWSER_PARTS, mirroringPart } from '../../src/runtimes/browser/parts.js'
import { browserStorage } from '../../src/storage/adapters/browser/browser.js'

export interface Shared {
  /** Whether the worker is cross-origin isolated: what memory that is shared between threads needs. */
  readonly isolated: boolean
  /** Threads, and the episodes that they answered for. */
  readonly shards: { readonly threads: number; readonly episodes: number }
  readonly together: readonly string[][]
  readonly alone: readonly string[][]
}

const WORDS = [
  'harbour',
  'lantern',
  'violin',
  'orchard',
  'granite',
  'saddle',
  'teapot',
  'glacier',
  'ribbon',
  'compass',
  'walnut',
  'feather',
]
const say = (i: number) => `${WORDS[i % 12]} ${WORDS[(i * 5 + 3) % 12]} ${WORDS[Math.floor(i / 12) % 12]} number ${i}`

async function answers(
  name: string,
  cores: number,
): Promise<{ readonly shards: Shared['shards']; readonly found: string[][] }> {
  const kernel = { url: CORE_MODULE.url().href }
  const shardThreads = { start: startScanThread, kernel, cores, from: 20, patience: Infinity }
  const db = await openEngine({
    storage: browserStorage(name, mirroringPart),
    kernel: await loadKernel(),
    parts: BROWSER_PARTS,
    shardThreads,
  })
  if ((await db.stats()).episodes === 0)
    await db.observeMany(Array.from({ length: 300 }, (_, i) => ({ id: `e${i}`, text: say(i) })))
  const held = async () => (await db.stats()).shards.episodes
  const until = performance.now() + 30_000
  for (let tries = 0; cores > 0 && (await held()) < 100 && performance.now() < until; tries++) {
    await db.recall(`warm ${tries}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const { shards } = await db.stats()
  const found = []
  for (let i = 0; i < 20; i++)
    found.push((await db.recall(say(i * 7), { k: 8 })).matches.map(({ id, confidence }) => `${id} ${confidence}`))
  await db.close()
  return { shards, found }
}

const together = await answers('shared', 1)
const alone = await answers('shared', 0)
postMessage({
  isolated: crossOriginIsolated,
  shards: together.shards,
  together: together.found,
  alone: alone.found,
} satisfies Shared)
