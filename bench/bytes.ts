/**
 * What an episode takes of main memory, by the byte: `npx tsx bench/bytes.ts COUNT TRANSCRIPT…` observes as many turns
 * grown out of transcripts in a new folder, asks `stats()`, and weighs the same indexes part by part.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCodebook } from '../src/encoding/codebook/node.js'
import { parseCodebook } from '../src/encoding/codebook/codebook.js'
import type { Observation } from '../src/api/episode.js'
import { Indexes } from '../src/indexes/indexes.js'
import { nodeKernel } from '../src/runtimes/node/engine.js'
import { grown } from './growth.js'
import { Agidb } from './library.js'
import { readTurns } from './turns.js'

const [wanted, ...transcripts] = process.argv.slice(2)
const COUNT = Number(wanted)
const BATCH = 1000
const source = await readTurns(...transcripts)

/** Turns in calls. */
function* batches(): Generator<Observation[]> {
  let batch: Observation[] = []
  for (const item of grown(source, COUNT)) {
    if (batch.push(item) < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

function print(title: string, parts: Readonly<Record<string, number>>): void {
  console.log(`\n${title}`)
  for (const [name, bytes] of Object.entries(parts))
    console.log(
      `${name.padEnd(30)}${bytes.toLocaleString('en').padStart(15)}${(bytes / COUNT).toFixed(1).padStart(10)}`,
    )
}

/** Of the engine, whole. */
async function whole(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'agidb-bytes-'))
  try {
    const db = await Agidb.open({ path: join(folder, 'memory.agidb'), shards: 0 })
    const empty = (await db.stats()).memoryParts
    for (const batch of batches()) await db.observeMany(batch)
    const { memory, memoryParts } = await db.stats()
    print('memoryParts, bytes, and bytes an episode', { ...memoryParts, memory })
    print('the same of a memory that is empty', empty)
    await db.close()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Of the indexes, part by part. */
async function byPart(): Promise<void> {
  const indexes = new Indexes(await nodeKernel(), parseCodebook(await readCodebook()))
  let slot = 0
  for (const batch of batches()) {
    for (const item of batch) {
      const at = String(item.at)
      const episode = {
        ...item,
        at,
        validTo: undefined,
        expiresAt: undefined,
        recordedAt: at,
        id: `ep_${String(slot).padStart(26, '0')}`,
        triples: [],
        provenance: { writer: 'agidb', episodes: [] },
      }
      indexes.add(slot++, episode, indexes.encode(episode).signatures)
    }
  }
  const { text, structured, latents, catalog, postings, timeline, traits, mentions } = indexes
  const parts = { catalog, postings, timeline, traits, mentions, latents: latents! }
  const named = Object.fromEntries(
    Object.entries(parts).map(([name, { bytes }]) => [name === 'latents' ? 'word pieces' : name, bytes]),
  )
  const indexed = Object.values(named).reduce((sum, bytes) => sum + bytes, 0)
  print('kernel: arenas', {
    'text arena': text.bytes,
    'latent arena': indexes.signatures.get('latent')!.arena.bytes,
    'structured arena': structured.bytes,
  })
  print('indexes', { ...named, 'words that are known': indexes.bytes - indexed })
  indexes.free()
}

await whole()
await byPart()
