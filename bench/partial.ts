import type { Arena, Kernel, Query } from '../src/kernel/port.js'
import { Clusters } from './clusters.js'
import { MultiProbe } from './multi-probe.js'
import { seeded } from './random.js'
import { quantile } from './section.js'
import type { Table, TableRow } from './tabular.js'

/** An arena, and what it is asked. */
export interface Asked {
  readonly arena: Arena
  readonly queries: readonly Query[]
}

/** An index that looks at a part of the signatures only, and how many of its buckets it looks at for a query. */
interface Partial {
  readonly name: (probes: number) => string
  readonly probes: readonly number[]
  readonly make: (kernel: Kernel, signatures: readonly Uint8Array[], random: () => number) => Index
}

interface Index {
  /** For each item. */
  readonly bytes: number
  near(query: Query, probes: number): Uint32Array
  free?(): void
}

const PARTIALS: readonly Partial[] = [
  ...(
    [
      [16, 12, [16, 128]],
      [64, 14, [64, 512]],
      [128, 16, [256, 1024]],
    ] as const
  ).map(([tables, bits, probes]) => ({
    name: (probes: number) => `${tables} tables of ${bits} bits, ${probes} buckets of each`,
    probes,
    make: (_: Kernel, signatures: readonly Uint8Array[], random: () => number) =>
      new MultiProbe(signatures, { tables, bits }, random),
  })),
  ...(
    [
      [256, [16, 64]],
      [1024, [64, 256]],
    ] as const
  ).map(([count, probes]) => ({
    name: (probes: number) => `${count.toLocaleString('en')} clusters, the ${probes} nearest`,
    probes,
    make: (kernel: Kernel, signatures: readonly Uint8Array[], random: () => number) =>
      new Clusters(kernel, signatures, count, random),
  })),
]

/**
 * What indexes that look at a part of all signatures find of the `best`, at how many they must look for that, and how
 * long it takes.
 */
export function partialIndexes(
  kernel: Kernel,
  kinds: Readonly<Record<string, Asked>>,
  size: number,
  best: number,
): Table {
  const rows: TableRow[] = PARTIALS.flatMap(({ name, probes }) =>
    probes.map((probes) => ({ name: name(probes), cells: {} })),
  )
  for (const [kind, asked] of Object.entries(kinds)) {
    figures(kernel, asked, size, best).forEach((figures, i) => {
      for (const [figure, value] of Object.entries(figures))
        Object.assign(rows[i].cells, { [`${kind}: ${figure}`]: value })
    })
  }
  return {
    title: `Share of the ${best} best that an index finds which looks at a part of the signatures; ${size} turns`,
    subject: { section: 'partial', count: size },
    columns: Object.keys(kinds).flatMap((kind) =>
      ['share', 'looked at', 'ms', 'bytes each'].map((figure) => `${kind}: ${figure}`),
    ),
    rows,
    notes: [
      'looked at: share of all signatures of which the exact score is taken; bytes each: of the index, for ' +
        'each signature',
    ],
  }
}

function figures(kernel: Kernel, { arena, queries }: Asked, size: number, best: number): Record<string, number>[] {
  const slots: number[] = []
  const signatures: Uint8Array[] = []
  for (let slot = 0; slot < size; slot++) {
    const signature = arena.get(slot)
    if (signature === undefined) continue
    slots.push(slot)
    signatures.push(signature)
  }
  const wanted = queries.map((query) => new Set(arena.scan(query, best).slots))
  return PARTIALS.flatMap(({ make, probes }) => {
    const index = make(kernel, signatures, seeded(5))
    const found = probes.map((probes) => looking(arena, queries, wanted, slots, (query) => index.near(query, probes)))
    index.free?.()
    return found.map((figures) => ({ ...figures, 'bytes each': index.bytes }))
  })
}

function looking(
  arena: Arena,
  queries: readonly Query[],
  wanted: readonly ReadonlySet<number>[],
  slots: readonly number[],
  near: (query: Query) => Uint32Array,
) {
  let found = 0
  let looked = 0
  const times = queries.map((query, q) => {
    const started = performance.now()
    const at = near(query).map((item) => slots[item])
    arena.score(query, at)
    const ms = performance.now() - started
    looked += at.length / slots.length
    for (const slot of at) if (wanted[q].has(slot)) found++
    return ms
  })
  const all = wanted.reduce((sum, { size }) => sum + size, 0)
  return { share: found / all, 'looked at': looked / queries.length, ms: quantile(times, 0.5) }
}
