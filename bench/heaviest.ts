import type { Observation } from '../src/core/episode.js'
import { heaviest } from '../src/hdc/heaviest.js'
import type { Arena, Query } from '../src/kernel/port.js'
import { analyse } from '../src/recall/cue.js'
import { grown, Questions } from './growth.js'
import { seeded, shuffled } from './random.js'
import { MultiProbe, type Shape } from './multi-probe.js'
import { indexed } from './ranking.js'
import { quantile } from './section.js'
import type { Table, TableRow } from './tabular.js'

/** Of which so many are looked for among so many that a scan finds. */
const [BEST, FOUND] = [10, 100]
const DIMENSIONS = [128, 256, 512, 1024, 2048]

/** Of hash tables, beside it: more and more of them, and of the buckets that are looked at. */
const SHAPES: readonly Shape[] = [
  { tables: 16, bits: 12, probes: 16 },
  { tables: 16, bits: 12, probes: 128 },
  { tables: 64, bits: 14, probes: 64 },
  { tables: 64, bits: 14, probes: 512 },
  { tables: 128, bits: 16, probes: 256 },
  { tables: 128, bits: 16, probes: 1024 },
]

interface Asked {
  readonly arena: Arena
  readonly queries: readonly Query[]
}

/**
 * What a scan at the heaviest dimensions of a query finds of what one at all of them does, and how long it takes: a table for
 * each number of turns, grown out of real ones, and questions about them.
 */
export async function* heaviestDimensions(source: readonly Observation[], sizes: readonly number[], count: number): AsyncGenerator<Table> {
  for (const size of sizes) {
    const questions = new Questions(size, count)
    const indexes = await indexed(observed(grown(source, size), questions))
    const cues = questions.asked.map(({ cue }) => analyse(indexes, cue, undefined))
    const kinds: Record<string, Asked> = {
      text: { arena: indexes.text, queries: cues.flatMap(({ text }) => text ?? []) },
      latents: { arena: indexes.latents!.arena, queries: cues.flatMap(({ latent }) => latent?.query ?? []) },
    }
    const rows: TableRow[] = [undefined, ...DIMENSIONS].map((dimensions) => ({ name: dimensions === undefined ? 'all dimensions' : `${dimensions} heaviest`, cells: {} }))
    for (const [kind, asked] of Object.entries(kinds)) {
      measured(asked).forEach(({ share, ms }, i) => Object.assign(rows[i].cells, { [`${kind}: share`]: share, [`${kind}: scan ms`]: ms }))
    }
    yield {
      title: `Share of the ${BEST} best at all dimensions that are among the ${FOUND} best at the heaviest; ${size} turns, ${questions.asked.length} questions`,
      subject: { section: 'heaviest', count: size },
      columns: Object.keys(kinds).flatMap((kind) => [`${kind}: share`, `${kind}: scan ms`]),
      rows,
    }
    yield hashing(kinds, size)
  }
}

/** What multi-probe hashing finds of the same, how much it must look at for that, and how long it takes. */
function hashing(kinds: Readonly<Record<string, Asked>>, size: number): Table {
  const rows: TableRow[] = SHAPES.map(({ tables, bits, probes }) => ({ name: `${tables} tables of ${bits} bits, ${probes} buckets of each`, cells: {} }))
  for (const [kind, asked] of Object.entries(kinds)) {
    hashed(asked, size).forEach((figures, i) => {
      for (const [figure, value] of Object.entries(figures)) Object.assign(rows[i].cells, { [`${kind}: ${figure}`]: value })
    })
  }
  return {
    title: `Share of the ${BEST} best that multi-probe hashing finds; ${size} turns`,
    subject: { section: 'hashing', count: size },
    columns: Object.keys(kinds).flatMap((kind) => ['share', 'looked at', 'ms', 'bytes each'].map((figure) => `${kind}: ${figure}`)),
    rows,
    notes: ['looked at: share of all signatures of which the exact score is taken; bytes each: of the tables, for each signature'],
  }
}

function hashed({ arena, queries }: Asked, size: number): Record<string, number>[] {
  const slots: number[] = []
  const signatures: Uint8Array[] = []
  for (let slot = 0; slot < size; slot++) {
    const signature = arena.get(slot)
    if (signature === undefined) continue
    slots.push(slot)
    signatures.push(signature)
  }
  const wanted = queries.map((query) => new Set(arena.scan(query, BEST).slots))
  let index: MultiProbe | undefined
  return SHAPES.map((shape, i) => {
    const before = SHAPES[i - 1]
    if (index === undefined || before.tables !== shape.tables || before.bits !== shape.bits) index = new MultiProbe(signatures, shape, seeded(5))
    let found = 0
    let looked = 0
    const times = queries.map((query, q) => {
      const started = performance.now()
      const near = index!.near(query, shape.probes).map((item) => slots[item])
      arena.score(query, near)
      const ms = performance.now() - started
      looked += near.length / slots.length
      for (const slot of near) if (wanted[q].has(slot)) found++
      return ms
    })
    return { share: found / (BEST * queries.length), 'looked at': looked / queries.length, ms: quantile(times, 0.5), 'bytes each': index.bytes }
  })
}

/** For all dimensions, then for as many as there are: of what is wanted, and the median time. */
function measured({ arena, queries }: Asked): { share: number; ms: number }[] {
  const random = seeded(4)
  const results = [undefined, ...DIMENSIONS].map((dimensions) => ({ dimensions, found: 0, times: [] as number[] }))
  for (const query of queries) {
    const wanted = new Set(arena.scan(query, BEST).slots)
    // The next is another query: nothing is counted already.
    for (const result of shuffled(results, random)) {
      const asked = result.dimensions === undefined ? query : heaviest(query, result.dimensions)
      arena.scan({ ...asked, signs: asked.signs.map((byte) => ~byte) }, 1)
      const started = performance.now()
      const { slots } = arena.scan(asked, FOUND)
      result.times.push(performance.now() - started)
      for (const slot of slots) if (wanted.has(slot)) result.found++
    }
  }
  return results.map(({ found, times }) => ({ share: found / (BEST * queries.length), ms: quantile(times, 0.5) }))
}

function* observed(observations: Iterable<Observation>, questions: Questions): Generator<Observation> {
  let index = 0
  for (const observation of observations) {
    questions.offer(index++, observation)
    yield observation
  }
}
