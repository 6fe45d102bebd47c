/** What the graphs of the kernel take: bytes a node, calls a second, walks, and the longest call while they grow. */
import { writeFile } from 'node:fs/promises'
import type { AssociationGraph, EntityGraph, GraphKernel, StoredGraph, TemporalChain } from '../src/kernel/graph.js'
import { loadKernel } from '../src/kernel/load.js'
import { readKernel } from '../src/kernel/node.js'
import { referenceKernel } from '../src/kernel/reference/kernel.js'
import { commandLine, UsageError } from './command.js'
import { thisMachine } from './machine.js'
import { seeded } from './random.js'
import { quantile } from './section.js'
import { graphKernelOf } from '../src/kernel/graphs.js'

const HELP = `
What the graphs of the kernel take, in WebAssembly and, up to --reference episodes, in TypeScript: bytes a node, calls a
second, the longest single call while the graphs grow, activation and personalised PageRank. Each episode is in a list
of its session, associated with the three before it, and names two of the entities, the frequent ones more often (Zipf).

  npm run bench:graph-kernel -- [--sizes 100000,1000000] [--reference 100000] [--walks 200] [--json FILE]
`

const { values } = commandLine(HELP, {
  options: {
    sizes: { type: 'string', default: '100000,1000000' },
    reference: { type: 'string', default: '100000' },
    walks: { type: 'string', default: '200' },
    json: { type: 'string' },
  },
})
const sizes = values.sizes.split(',').map(Number)
const [most, walks] = [Number(values.reference), Number(values.walks)]
if (![...sizes, walks].every((n) => Number.isInteger(n) && n > 0) || !Number.isInteger(most))
  throw new UsageError('--sizes, --reference and --walks take whole numbers')

/** Episodes of a session. */
const SESSION = 40
/** Entities for each episode. */
const ENTITIES = 0.2
const PERSON = 0

/** What was measured of one kernel at one size. */
interface Measured {
  readonly kernel: string
  readonly episodes: number
  readonly figures: Readonly<Record<string, number>>
}

/** Times a memory is grown. Each call counts with its shortest time, so that what else runs is left out. */
const ROUNDS = 3

/** The same calls, made several times over, each with the shortest time that it took. */
class Timed {
  #best: number[] = []
  #at = 0

  /** Begins with the first call again. */
  again(): void {
    this.#at = 0
  }

  run(call: () => void): void {
    const took = elapsed(call)
    this.#best[this.#at] = Math.min(this.#best[this.#at] ?? Infinity, took)
    this.#at++
  }

  /** In milliseconds. */
  get longest(): number {
    return this.#best.reduce((longest, took) => Math.max(longest, took), 0)
  }

  get perSecond(): number {
    return (1000 * this.#best.length) / this.#best.reduce((sum, took) => sum + took, 0)
  }
}

/** Rank of an entity: the logarithm of it is even, so that the first are named most. */
function zipf(random: number, count: number): number {
  return Math.min(count - 1, Math.floor(Math.exp(random * Math.log(count + 1))) - 1)
}

/** How long each kind of call took while a memory grew. */
interface Growth {
  readonly strengthen: Timed
  readonly insert: Timed
  readonly link: Timed
}

/** The graphs of a kernel. */
interface Graphs {
  readonly associations: AssociationGraph
  readonly chain: TemporalChain
  readonly entities: EntityGraph
}

function made(graphs: GraphKernel): Graphs {
  return { associations: graphs.associations(), chain: graphs.chain(), entities: graphs.entities() }
}

function grow(episodes: number, { associations, chain, entities }: Graphs, { strengthen, insert, link }: Growth): void {
  const random = seeded(7)
  const names = Math.ceil(episodes * ENTITIES)
  for (const timed of [strengthen, insert, link]) timed.again()
  for (let slot = 0; slot < episodes; slot++) {
    const session = Math.floor(slot / SESSION)
    const first = session * SESSION
    insert.run(() => chain.insert(slot, session, slot === first ? undefined : slot - 1))
    for (let other = Math.max(first, slot - 3); other < slot; other++)
      strengthen.run(() => void associations.strengthen(slot, other, 1 / (slot - other)))
    for (let i = 0; i < 2; i++) {
      const name = `entity ${zipf(random(), names)}`
      link.run(() => void entities.link(entities.add(name, PERSON), slot))
    }
  }
}

/** The times of walks from random seeds, the shortest of each, in milliseconds. */
function timed(episodes: number, walk: (seeds: Uint32Array, strengths: Float32Array) => unknown): number[] {
  const random = seeded(11)
  return Array.from({ length: walks }, () => {
    const seeds = Uint32Array.from({ length: 10 }, () => Math.floor(random() * episodes))
    const strengths = Float32Array.from(seeds, (_, i) => 1 / (i + 1))
    return Math.min(...Array.from({ length: ROUNDS }, () => elapsed(() => walk(seeds, strengths))))
  })
}

function elapsed(call: () => void): number {
  const start = performance.now()
  call()
  return performance.now() - start
}

function measure(kernel: string, graphs: GraphKernel, episodes: number): Measured {
  const growth: Growth = { strengthen: new Timed(), insert: new Timed(), link: new Timed() }
  for (let round = 1; round < ROUNDS; round++) {
    const earlier = made(graphs)
    grow(episodes, earlier, growth)
    for (const graph of [earlier.associations, earlier.chain, earlier.entities]) graph.free()
  }
  const over = made(graphs)
  grow(episodes, over, growth)
  const { associations, chain, entities } = over
  const { strengthen, insert, link } = growth
  const spread = timed(episodes, (seeds, strengths) => associations.activate(seeds, strengths))
  const ranked = timed(episodes, (seeds, strengths) => graphs.pageRank(over, seeds, strengths))
  const all: readonly StoredGraph[] = [associations, chain, entities]
  const saved: Uint8Array[] = []
  const figures = {
    'bytes a node of associations': associations.bytes / associations.nodes,
    'bytes a node of the chain': chain.bytes / chain.nodes,
    'bytes a link of entities, all in': entities.bytes / entities.links,
    'MB in all': all.reduce((sum, graph) => sum + graph.bytes, 0) / 1e6,
    'strengthen, a second': strengthen.perSecond,
    'insert into the chain, a second': insert.perSecond,
    'link an entity, a second': link.perSecond,
    'longest strengthen, ms': strengthen.longest,
    'longest insert, ms': insert.longest,
    'longest link, ms': link.longest,
    'activate from 10 seeds, median ms': quantile(spread, 0.5),
    'activate from 10 seeds, p95 ms': quantile(spread, 0.95),
    'PageRank from 10 seeds, median ms': quantile(ranked, 0.5),
    'PageRank from 10 seeds, p95 ms': quantile(ranked, 0.95),
    'decay all, ms': elapsed(() => associations.decay(0.9)),
    'save, ms': elapsed(() => void saved.push(...all.map((graph) => graph.save()))),
    'MB saved': 0,
    'load, ms': 0,
  }
  figures['MB saved'] = saved.reduce((sum, bytes) => sum + bytes.length, 0) / 1e6
  for (const graph of all) graph.free()
  const loaded = [graphs.associations(), graphs.chain(), graphs.entities()]
  figures['load, ms'] = elapsed(() => loaded.forEach((graph, i) => graph.load(saved[i])))
  for (const graph of loaded) graph.free()
  return { kernel, episodes, figures }
}

const wasm = await loadKernel({ kernel: await readKernel() })
const reference = referenceKernel()
const measured: Measured[] = []
for (const episodes of sizes) {
  measured.push(measure(wasm.name, graphKernelOf(wasm), episodes))
  if (episodes <= most) measured.push(measure(reference.name, graphKernelOf(reference), episodes))
}

const heads = measured.map(({ kernel, episodes }) => `${kernel}, ${episodes.toLocaleString('en')}`)
console.log(['', ...heads].join(' | '))
for (const name of Object.keys(measured[0].figures)) {
  const cells = measured.map(({ figures }) => Number(figures[name].toPrecision(3)).toLocaleString('en'))
  console.log([name, ...cells].join(' | '))
}
for (const { kernel, episodes, figures } of measured) {
  const beside = measured.find((other) => other.kernel !== kernel && other.episodes === episodes)
  if (kernel === wasm.name && beside !== undefined) {
    const ratio = (name: string) => (beside.figures[name] / figures[name]).toPrecision(2)
    const walk = 'from 10 seeds, median ms'
    console.log(
      `TypeScript : WebAssembly, activate ${ratio(`activate ${walk}`)}, PageRank ${ratio(`PageRank ${walk}`)}`,
    )
  }
}
if (values.json !== undefined)
  await writeFile(values.json, JSON.stringify({ machine: thisMachine(), measured }, undefined, 2))
