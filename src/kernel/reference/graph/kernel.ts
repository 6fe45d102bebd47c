import { EDGE_BYTES, PAIR_BYTES, TagGraph } from '../../graph/tags.js'
import type { CoActivation, GraphKernel, PageRankOptions, Reached, WalkedGraphs } from '../../graph.js'
import { ReferenceAssociations } from './association.js'
import { ReferenceChain } from './chain.js'
import { ReferenceEntities } from './entities.js'
import { pageRank } from './page-rank.js'
import { ReferenceTagTable } from './tag-table.js'

/** The graphs in plain TypeScript: the oracle of the tests, and what runs where WebAssembly SIMD is missing. */
export const referenceGraphs: GraphKernel = {
  associations: () => new ReferenceAssociations(),
  chain: () => new ReferenceChain(),
  entities: () => new ReferenceEntities(),
  coActivation(): CoActivation {
    return new TagGraph(new ReferenceTagTable(PAIR_BYTES), new ReferenceTagTable(EDGE_BYTES), () => undefined)
  },
  pageRank(over: WalkedGraphs, seeds: Uint32Array, strengths: Float32Array, options?: PageRankOptions): Reached {
    const { associations = this.associations(), chain = this.chain() } = over
    const entities = (over.entities as ReferenceEntities | undefined) ?? new ReferenceEntities()
    return pageRank({ associations, chain, entities, compare: entities.compareNodes }, seeds, strengths, options)
  },
}
