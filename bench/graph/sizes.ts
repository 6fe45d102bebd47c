import { ENTITY_TYPES, RELATION_TYPES } from '../../src/api/graph.js'
import { NO_NODE } from '../../src/kernel/graph.js'
import type {
  AssociationGraph,
  CoActivation,
  EntityGraph,
  GraphKernel,
  StoredGraph,
  TemporalChain,
} from '../../src/kernel/graph.js'
import { loadKernel } from '../../src/kernel/load.js'
import { readKernel } from '../../src/kernel/node.js'
import { seeded } from '../random.js'
import type { Table } from '../tabular.js'
import { graphKernelOf } from '../../src/kernel/graphs.js'

/** Turns of a session. */
const SESSION = 100
/** Episodes that a later one is recalled with: so many edges does an association node get beside its neighbour's. */
const RECALLED_WITH = 4
/** Episodes of an entity, in the mean, where entities are named again: each episode names one. */
const EPISODES = 10
/** Tags of the memory, and pairs of them that are recalled together. */
const TAGS = 200
const PAIRS = 10_000

const AGAIN = 'entities of ten episodes each'
const OWN = 'entities of one episode each'

/** Graphs by what the table calls them. */
type Filled = Readonly<Record<string, { readonly bytes: number; readonly nodes: number; readonly paper: number }>>

/** Bytes of all graphs, filled by so many episodes, beside what their layout comes to on paper. */
export async function graphSizes(counts: readonly number[]): Promise<Table> {
  const kernel = graphKernelOf(await loadKernel({ kernel: await readKernel() }))
  const rows: Record<string, Record<string, number>> = {}
  const sums: Record<string, Record<string, number>> = {}
  for (const count of counts) {
    const graphs = filled(kernel, count)
    const sum = (key: 'bytes' | 'paper', left: string) =>
      Object.entries(graphs).reduce((total, [name, graph]) => total + (name === left ? 0 : graph[key]), 0)
    for (const [name, { bytes, nodes, paper }] of Object.entries(graphs))
      rows[name] = { ...rows[name], 'B a node': Number((bytes / nodes).toFixed(1)), ...cells(count, bytes, paper) }
    for (const [used, left] of [OWN, AGAIN].map((used) => [used, used === OWN ? AGAIN : OWN]))
      sums[`all, with ${used}`] = {
        ...sums[`all, with ${used}`],
        ...cells(count, sum('bytes', left), sum('paper', left)),
      }
  }
  return {
    title: 'Bytes of the graphs',
    subject: { section: 'graph-sizes' },
    columns: ['B a node', ...counts.flatMap((count) => Object.keys(cells(count, 0, 0)))],
    rows: Object.entries({ ...rows, ...sums }).map(([name, cells]) => ({ name, cells })),
    notes: [
      `Sessions of ${SESSION} turns. Each episode is associated with the one before it and ${RECALLED_WITH} others,`,
      'and names an entity, which has a relation to another. On paper: 4 + 20 × 8 bytes an episode of associations, 16',
      'of the chain, 64 an entity and 12 a relation, 4 for each episode that names it, and a megabyte for tags.',
    ],
  }
}

function filled(kernel: GraphKernel, count: number): Filled {
  const weighed = <G extends StoredGraph>(graph: G, nodes: (graph: G) => number, paper: (nodes: number) => number) => {
    const measured = { bytes: graph.bytes, nodes: nodes(graph), paper: paper(nodes(graph)) }
    graph.free()
    return measured
  }
  const entities = ({ entities }: EntityGraph) => entities
  return {
    associations: weighed(
      associated(kernel, count),
      ({ nodes }) => nodes,
      () => (4 + 20 * 8) * count,
    ),
    chain: weighed(
      chained(kernel, count),
      ({ nodes }) => nodes,
      () => 16 * count,
    ),
    [OWN]: weighed(named(kernel, count, count), entities, (nodes) => (64 + 12 + 4) * nodes),
    [AGAIN]: weighed(
      named(kernel, count, Math.ceil(count / EPISODES)),
      entities,
      (nodes) => (64 + 12) * nodes + 4 * count,
    ),
    'co-activation of tags': weighed(
      tagged(kernel),
      ({ pairs, edges }) => pairs.size + edges.size,
      () => 1_000_000,
    ),
  }
}

function associated(kernel: GraphKernel, count: number): AssociationGraph {
  const random = seeded(1)
  const graph = kernel.associations()
  for (let slot = 1; slot < count; slot++) {
    if (slot % SESSION > 0) graph.strengthen(slot - 1, slot, 1)
    for (let i = 0; i < RECALLED_WITH; i++) graph.strengthen(slot, Math.floor(random() * slot), random())
  }
  return graph
}

function chained(kernel: GraphKernel, count: number): TemporalChain {
  const graph = kernel.chain()
  for (let slot = 0; slot < count; slot++)
    graph.insert(slot, Math.floor(slot / SESSION), slot % SESSION === 0 ? NO_NODE : slot - 1)
  return graph
}

/** Entities in turns, each of which has a relation to the one before it. */
function named(kernel: GraphKernel, count: number, entities: number): EntityGraph {
  const random = seeded(1)
  const graph = kernel.entities()
  let before: number | undefined
  for (let slot = 0; slot < count; slot++) {
    const entity = graph.add(`entity ${slot % entities}`, slot % ENTITY_TYPES.length)
    graph.link(entity, slot)
    if (before !== undefined && slot < entities)
      graph.relate(before, entity, Math.floor(random() * RELATION_TYPES.length))
    before = entity
  }
  return graph
}

function tagged(kernel: GraphKernel): CoActivation {
  const random = seeded(1)
  const tag = () => `tag ${Math.floor(random() * TAGS)}`
  const graph = kernel.coActivation()
  for (let i = 0; i < PAIRS; i++) {
    const [a, b] = [tag(), tag()]
    if (a === b) continue
    graph.pairs.add(a, b, random(), i)
    graph.edges.add(a, b, random(), i)
  }
  return graph
}

function cells(count: number, bytes: number, paper: number): Record<string, number> {
  const of = count.toLocaleString('en')
  return { [`MB, ${of}`]: megabytes(bytes), [`on paper, ${of}`]: megabytes(paper) }
}

function megabytes(bytes: number): number {
  return Number((bytes / 1e6).toFixed(2))
}
