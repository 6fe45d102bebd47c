import { graphKernelOf, type graphMemoryBytes } from '../../kernel/graphs.js'
import type { Kernel } from '../../kernel/port.js'
import type { Index } from '../port.js'
import { type AssociationSources, type Associations, associationIndex } from './associations.js'
import { type ChainSources, type SessionChain, chainIndex } from './chain.js'
import { type Entities, type EntitySources, entityIndex } from './entities.js'

export { graphMemoryBytes, loadGraphs } from '../../kernel/graphs.js'

/** What of the memory the graphs follow from, beside the events. */
export type GraphSources = ChainSources & EntitySources & AssociationSources

/** The indexes that are graphs, by the names of their parts in a checkpoint. */
export interface GraphIndexes {
  readonly chain: Index<SessionChain>
  readonly entities: Index<Entities>
  readonly associations: Index<Associations>
}

/** The graphs, which a page loads when something is first asked of them. */
export interface GraphsPart {
  readonly graphIndexes: typeof graphIndexes
  readonly graphMemoryBytes: typeof graphMemoryBytes
}

/** Loads the graphs, and what of them a kernel does not bring along. */
export type LoadGraphs = (kernel: Kernel) => Promise<GraphsPart>

/** New, empty graphs in the memory of a kernel. */
export function graphIndexes(kernel: Kernel, sources: GraphSources): GraphIndexes {
  const graphs = graphKernelOf(kernel)
  const made = { chain: chainIndex(graphs), entities: entityIndex(graphs), associations: associationIndex(graphs) }
  for (const { contents } of Object.values(made)) contents.use(sources)
  return made
}
