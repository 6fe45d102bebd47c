import { MessageChannel } from 'node:worker_threads'
import { expose, type Endpoint } from 'comlink'
import { afterEach, expect, vi } from 'vitest'
import type { Engine } from '../../../../src/engine/engine.js'
import { readKernel } from '../../../../src/kernel/node.js'
import { scanHost } from '../../../../src/pools/scan/host.js'
import type { ScanHost, StartScanThread } from '../../../../src/pools/scan/port.js'
import type { ScanThreads } from '../../../../src/pools/scan/pool.js'
import { scanThreadAt } from '../../../../src/pools/scan/wire.js'

const ports: { close(): void }[] = []
afterEach(() => ports.splice(0).forEach((port) => port.close()))

/** Shards behind real message ports, in this thread. */
export async function threads(
  change: (host: ScanHost, failed: () => void) => ScanHost = (host) => host,
): Promise<ScanThreads & { readonly asked: number[]; readonly from: number; ended: number }> {
  const started: number[] = []
  const start: StartScanThread = (failed) => {
    const { port1, port2 } = new MessageChannel()
    ports.push(port1, port2)
    const which = started.push(0) - 1
    const host = scanHost()
    expose(
      { ...host, scan: (...args) => (started[which]++, host.scan(...args)) } satisfies ScanHost,
      port2 as unknown as Endpoint,
    )
    return { host: change(scanThreadAt(port1 as unknown as Endpoint), failed), end: () => (all.ended++, port1.close()) }
  }
  const all = { start, kernel: await readKernel(), cores: 2, from: 20, patience: Infinity, asked: started, ended: 0 }
  return all
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

/** A sentence that is like some others. */
export const say = (i: number) =>
  `${WORDS[i % 12]} ${WORDS[(i * 5 + 3) % 12]} ${WORDS[Math.floor(i / 12) % 12]} number ${i}`

/** So many of them. */
export const said = (count: number) => Array.from({ length: count }, (_, i) => ({ id: `e${i}`, text: say(i) }))

/** What an answer says, but for what differs each time. */
export async function found(db: Engine, cue: string | undefined, options = {}) {
  const { matches } = await db.recall(cue, { k: 8, ...options })
  return matches.map(({ id, confidence, signals }) => ({ id, confidence, signals }))
}

/** Waits until the two shards hold about two thirds of the episodes. */
export async function filled(db: Engine) {
  await vi.waitFor(async () => {
    await db.recall('harbour')
    const { shards, memoryParts, episodes } = await db.stats()
    expect(shards.threads).toBe(2)
    expect(shards.episodes).toBeGreaterThanOrEqual(0.5 * episodes)
    expect(memoryParts.shards).toBeGreaterThan(0)
  }, 30_000)
}
