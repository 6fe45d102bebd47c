import type { Database, Library, OpenOptions } from '../library.js'
import { Drawing } from './drawing.js'
import { floors } from './floors.js'
import { bytesOf, FixedMemory } from './memory.js'
import { drawnStep, FIRST } from './steps.js'
import { outcome, type Answer, type Unit } from './unit.js'
import { World } from './world.js'

/** Random steps of a history, at least and at most. */
const SHORTEST = 10
const LONGEST = 40
/** The export of one history in so many is imported into another memory. */
const IMPORTED = 4

/** So many random histories, each a function of its number. */
export function histories(count: number): Unit[] {
  const seeds = Array.from({ length: count }, (_, seed) => seed)
  return seeds.map((seed) => ({ name: String(seed), answers: (library) => lived(library, seed) }))
}

/**
 * Takes random steps and answers what each answered; in the end all answers of the floors, before and after the memory
 * was closed and opened, what was told to a subscriber, the bytes of both kinds of export and of the files; and of one
 * history in four the floors of a memory that imported it.
 */
async function* lived(library: Library, seed: number): AsyncGenerator<Answer> {
  const draw = new Drawing(seed)
  const opening = options(draw)
  const { durability } = opening
  const memory = await FixedMemory.create(library, opening)
  const world = new World(memory, draw)
  const told: unknown[] = []
  try {
    let heard = listen(memory.db, told)
    const steps = FIRST.length + SHORTEST + draw.below(LONGEST - SHORTEST + 1)
    for (let i = 0; i < steps; i++) {
      memory.now += 1000
      world.times.push(memory.now)
      const { name, take } = FIRST[i] ?? drawnStep(world)
      const db = memory.db
      yield { name: `step ${i}: ${name}`, value: await outcome(take(world)) }
      if (memory.db !== db) heard = listen(memory.db, told)
    }
    yield* all('', memory.db, world)
    await memory.reopen()
    yield* all('reopened: ', memory.db, world)
    const bytes = await bytesOf(await memory.db.export())
    yield { name: 'export', value: bytes }
    yield { name: 'export of JSON lines', value: await bytesOf(await memory.db.export({ format: 'jsonl' })) }
    if (seed % IMPORTED === 0) yield* imported(memory, bytes, world)
    heard()
    yield { name: 'told', value: told }
    for (const [name, value] of Object.entries(await memory.closed())) {
      // A frame says how much was flushed before it: with relaxed durability that depends on the time.
      if (durability === 'strict' || !name.startsWith('journal')) yield { name: `file ${name}`, value }
    }
  } finally {
    await memory.remove()
  }
}

async function* imported(memory: FixedMemory, bytes: Uint8Array, world: World): AsyncGenerator<Answer> {
  const other = await memory.beside()
  yield { name: 'import', value: await outcome(other.import(bytes)) }
  yield* all('imported: ', other, world)
  await other.close()
}

async function* all(prefix: string, db: Database, { known }: World): AsyncGenerator<Answer> {
  for (const [name, value] of Object.entries(await floors(db, known))) yield { name: prefix + name, value }
}

function listen(db: Database, told: unknown[]): () => void {
  return db.subscribe((change) => told.push(change))
}

/** How the memory of a history is opened. */
function options(draw: Drawing): OpenOptions {
  const [trusted, other] = [0.5 + draw.below(50) / 100, 0.5 + draw.below(50) / 100]
  const decides = draw.chance(0.3)
  // As a language model might, but the same each time.
  const decideRevision: OpenOptions['decideRevision'] = (belief, { text }) => ({
    verdict: verdictOf(belief.claim, text),
    reason: 'by length',
  })
  return {
    codebook: draw.chance(0.75) ? 'none' : 'static',
    ranker: draw.of(['free', 'fusion']),
    durability: draw.of(['strict', 'relaxed']),
    surpriseThreshold: draw.of([0.3, 0.6, 0.9]),
    sourceTrust: draw.maybe({ chat: trusted, '*': other }),
    writer: draw.of(['agidb', 'a writer']),
    decideRevision: decides ? decideRevision : undefined,
  }
}

function verdictOf(claim: string, text: string): 'supports' | 'contradicts' | 'neutral' {
  return (['supports', 'contradicts', 'neutral'] as const)[(claim.length + text.length) % 3]
}
