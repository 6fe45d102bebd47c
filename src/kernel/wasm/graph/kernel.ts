import * as wasm from '../../built/agidb_graphs.js'
import type { CoActivation, GraphKernel, PageRankOptions, Reached, WalkedGraphs } from '../../graph.js'
import { checkNodeSeeds, pageRankWalk } from '../../graph/checks.js'
import { EDGE_BYTES, PAIR_BYTES, TagGraph } from '../../graph/tags.js'
import { WasmAssociationGraph } from './association.js'
import { WasmTemporalChain } from './chain.js'
import { WasmEntityGraph } from './entities.js'
import { reachedOf } from './reached.js'
import { WasmTagTable } from './tag-table.js'

/** The graphs in the memory of WebAssembly. */
export class WasmGraphs implements GraphKernel {
  /** Stand for graphs that are left out. */
  #empty: Required<OwnGraphs> | undefined

  associations(): WasmAssociationGraph {
    return new WasmAssociationGraph()
  }

  chain(): WasmTemporalChain {
    return new WasmTemporalChain()
  }

  entities(): WasmEntityGraph {
    return new WasmEntityGraph()
  }

  coActivation(): CoActivation {
    const [pairs, edges] = [new WasmTagTable(PAIR_BYTES), new WasmTagTable(EDGE_BYTES)]
    return new TagGraph(pairs, edges, () => {
      pairs.free()
      edges.free()
    })
  }

  pageRank(over: WalkedGraphs, seeds: Uint32Array, strengths: Float32Array, options?: PageRankOptions): Reached {
    this.#empty ??= { associations: this.associations(), chain: this.chain(), entities: this.entities() }
    const { associations, chain, entities } = over as OwnGraphs
    const all = {
      associations: associations ?? this.#empty.associations,
      chain: chain ?? this.#empty.chain,
      entities: entities ?? this.#empty.entities,
    }
    checkNodeSeeds(all.entities, seeds, strengths)
    const rank = pageRankWalk(options)
    const { damping, epsilon, entity, relation, association, forward, backward } = rank
    const { iterations, hops, edges, fan, most, answer } = rank
    const words = wasm.pageRank(
      all.associations.held.live,
      all.chain.held.live,
      all.entities.held.live,
      seeds,
      strengths,
      Float32Array.of(damping, epsilon, entity, relation, association, forward, backward),
      Uint32Array.of(iterations, hops, edges, fan, most, answer),
    )
    return reachedOf(words)
  }
}

/** Graphs of this kernel. */
interface OwnGraphs {
  readonly associations?: WasmAssociationGraph
  readonly chain?: WasmTemporalChain
  readonly entities?: WasmEntityGraph
}
