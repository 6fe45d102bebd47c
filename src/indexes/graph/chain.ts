import { part, type CheckpointParts } from '../../base/checkpoint-parts.js'
import { type GraphKernel, NO_NODE, type TemporalChain } from '../../kernel/graph.js'
import type { Catalog } from '../catalog.js'
import type { Index } from '../port.js'
import type { Timeline } from '../timeline.js'

/** What of the memory the chain follows from. */
export interface ChainSources {
  readonly catalog: Pick<Catalog, 'session'>
  readonly timeline: Pick<Timeline, 'previous' | 'next'>
}

/** Keeps the successor of each episode in the memory of the kernel, where walks over all graphs find it. */
export function chainIndex(graphs: GraphKernel): Index<SessionChain> {
  const chain = new SessionChain(graphs.chain())
  return {
    contents: chain,
    add: (slot) => chain.set(slot),
    update: (slot) => chain.set(slot),
    remove: (slot) => chain.remove(slot),
  }
}

/** The order of the timeline as a graph of the kernel. */
export class SessionChain {
  readonly graph: TemporalChain
  #sources: ChainSources | undefined
  /** In the kernel's memory. */
  readonly bytes = 0

  constructor(graph: TemporalChain) {
    this.graph = graph
  }

  /** Bytes of the graph in the kernel. */
  get graphBytes(): number {
    return this.graph.bytes
  }

  /** Says where the order of the episodes is looked up; it has an episode before this has it. */
  use(sources: ChainSources): void {
    this.#sources = sources
  }

  /** Puts an episode where the timeline has it. */
  set(slot: number): void {
    const { graph } = this
    const session = this.#sources?.catalog.session(slot) ?? -1
    if (graph.has(slot)) {
      if (graph.session(slot) === session) return
      graph.remove(slot)
    }
    if (session < 0) return
    // Of episodes that come together, those after this one are in the timeline before they are here.
    const there = (other: number) => (other >= 0 && graph.has(other) ? other : NO_NODE)
    const { timeline } = this.#sources!
    graph.insert(slot, session, there(timeline.previous(slot)), there(timeline.next(slot)))
  }

  remove(slot: number): void {
    this.graph.remove(slot)
  }

  save(parts: CheckpointParts, name: string): void {
    parts.set(`${name}.TPCH`, this.graph.save())
  }

  load(parts: CheckpointParts, name: string): void {
    this.graph.load(part(parts, `${name}.TPCH`, Uint8Array))
  }

  /** Gives the kernel's memory back. */
  free(): void {
    this.graph.free()
  }
}
