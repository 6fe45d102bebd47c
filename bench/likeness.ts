import type { Observation } from '../src/api/episode.js'
import { textSignature } from '../src/encoding/text.js'
import { termCounts } from '../src/encoding/tokens.js'
import { readKernel } from '../src/kernel/node.js'
import { loadKernel } from '../src/kernel/load.js'
import { DIMENSION, type Arena, type Kernel } from '../src/kernel/port.js'
import { grown } from './growth.js'
import { drawn, seeded } from './random.js'
import { line } from './recall/exam.js'
import { quantile } from './section.js'
import type { Table } from './tabular.js'

const PAIRS = 20_000
const SAMPLED = 300

/**
 * How near what is grown out of a conversation comes to the conversation itself: both of the same length, and grown to
 * ten times that.
 */
export async function likeness(source: readonly Observation[]): Promise<Table> {
  const kernel = await loadKernel({ kernel: await readKernel() })
  const columns: [string, readonly Observation[]][] = [
    ['real', source],
    ['grown', [...grown(source, source.length)]],
    ['grown, ten times', [...grown(source, 10 * source.length)]],
  ]
  const figures = columns.map(([name, texts]) => [name, measured(kernel, texts)] as const)
  const names = Object.keys(figures[0][1])
  return {
    title: `${source.length} real turns, and what is grown out of them`,
    subject: { section: 'growth' },
    columns: columns.map(([name]) => name),
    rows: names.map((name) => ({
      name,
      cells: Object.fromEntries(figures.map(([column, values]) => [column, values[name]])),
    })),
  }
}

function measured(kernel: Kernel, observations: readonly Observation[]): Record<string, number> {
  const stems = observations.map(({ text }) => termCounts(text))
  const sizes = stems.map((counts) => counts.size)
  const seen = new Set<string>()
  let again = 0
  for (const { text } of observations) {
    if (seen.has(text)) again++
    seen.add(text)
  }
  const [tenth, all] = [kinds(stems.slice(0, Math.floor(stems.length / 10))), kinds(stems)]
  const arena = kernel.arena({ rows: observations.length })
  observations.forEach((observation, slot) => arena.set(slot, textSignature(kernel, line(observation))))
  const pairs = pairwise(kernel, arena)
  const nearest = neighbours(kernel, arena)
  arena.free()
  return {
    'distinct stems a text, mean': sizes.reduce((sum, size) => sum + size, 0) / sizes.length,
    'distinct stems a text, median': quantile(sizes, 0.5),
    'distinct stems a text, 90th percentile': quantile(sizes, 0.9),
    'distinct stems a text, 99th percentile': quantile(sizes, 0.99),
    'stems, all': all.kinds,
    'stems that occur once, share': all.once / all.kinds,
    'growth of stems over the last decade (Heaps)':
      Math.log(all.kinds / tenth.kinds) / Math.log(all.count / tenth.count),
    'said before, word for word, share': again / observations.length,
    'similarity of two, mean': pairs.reduce((sum, pair) => sum + pair, 0) / pairs.length,
    'similarity of two, 99.9th percentile': quantile(pairs, 0.999),
    'similarity to the nearest other, 10th percentile': quantile(nearest, 0.1),
    'similarity to the nearest other, median': quantile(nearest, 0.5),
    'similarity to the nearest other, 90th percentile': quantile(nearest, 0.9),
  }
}

function kinds(stems: readonly ReadonlyMap<string, number>[]): { kinds: number; once: number; count: number } {
  const total = new Map<string, number>()
  let count = 0
  for (const counts of stems) {
    for (const [stem, times] of counts) {
      total.set(stem, (total.get(stem) ?? 0) + times)
      count += times
    }
  }
  return { kinds: total.size, once: [...total.values()].filter((times) => times === 1).length, count }
}

/** Similarities of random pairs. */
function pairwise(kernel: Kernel, arena: Arena): number[] {
  const random = seeded(2)
  const slot = () => Math.floor(random() * arena.size)
  return Array.from({ length: PAIRS }, () => {
    const [a, b] = [slot(), slot()]
    return kernel.similarity(arena.get(a)!, arena.get(a === b ? (b + 1) % arena.size : b)!)
  })
}

/** For some, how alike the nearest other is. */
function neighbours(kernel: Kernel, arena: Arena): number[] {
  const random = seeded(3)
  const slots = Array.from({ length: arena.size }, (_, slot) => slot)
  return Array.from({ length: SAMPLED }, () => {
    const { scores } = arena.scan(kernel.query(arena.get(drawn(slots, random))!), 2)
    return (1 + scores[1] / DIMENSION) / 2
  })
}
