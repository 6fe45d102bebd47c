import type { LearningEvent, LearningKind } from '../../api/learning.js'
import type { AssociationGraph, GraphKernel, Neighbours } from '../../kernel/graph.js'
import type { Logged } from '../../records/event-log.js'
import type { Catalog } from '../catalog.js'
import { DECAY, type PlacedSteps, slotOf, stepsOf } from './association-steps.js'

/** Events that are taken in before others get their turn. */
const AT_ONCE = 64
const NONE = -1
const NOTHING: Neighbours = { slots: new Uint32Array(0), weights: new Float32Array(0) }
const KINDS: ReadonlySet<LearningKind> = new Set<LearningKind>([
  'episodesAssociated',
  'edgesForgotten',
  'consolidationRun',
])

/** What knows the slots of ids. */
interface IdSource {
  readonly catalog: Pick<Catalog, 'slot'>
}

/**
 * What callers strengthened of associations. That two episodes follow each other in a session, or were recalled
 * together, is no part of it. A function of the events and of which episodes are live; sessions do not matter, so it is
 * made without a look at the other episodes.
 */
export class StrengthenedAssociations {
  readonly #kernel: GraphKernel
  #graph: AssociationGraph | undefined
  #sources: IdSource | undefined
  #log: () => Iterable<Logged> = () => []
  /** The steps of all events in order; absent since the log changed. */
  #steps: PlacedSteps[] | undefined
  /** How many of the events were taken in, and the last slot after which one was. */
  #taken = 0
  #after = NONE
  /** The slots of all episodes that were named by events that were taken in. */
  readonly #named = new Set<number>()
  #isStale = false

  constructor(kernel: GraphKernel) {
    this.#kernel = kernel
  }

  /** Says where ids are looked up: it may have its catalog later. */
  use(sources: IdSource): void {
    this.#sources = sources
  }

  /** Says where the events stand. */
  follow(log: () => Iterable<Logged>): void {
    this.#log = log
    this.#steps = undefined
  }

  /** Bytes of the graph in the kernel. */
  get graphBytes(): number {
    return this.#graph?.bytes ?? 0
  }

  /** Says that the episode of a slot is gone. */
  left(slot: number): void {
    if (this.#named.has(slot)) this.#isStale = true
  }

  /** Says that there is an episode in a slot: a new one, or one that is back. */
  entered(slot: number): void {
    if (slot <= this.#after) this.#isStale = true
  }

  /** Says that an event came. */
  came(event: LearningEvent, slot: number): void {
    if (!concerns(event)) return
    this.#steps = undefined
    const after = event.kind === 'consolidationRun' ? (event.decays ?? slot) : slot
    if (after < this.#after) this.#isStale = true
  }

  /** Says that events went. */
  went(events: readonly LearningEvent[]): void {
    if (!events.some(concerns)) return
    this.#steps = undefined
    this.#isStale = true
  }

  /**
   * This, after all events are taken in; others get their turn meanwhile. `undefined` where there is no edge. It can be
   * asked on while it is made anew, and then tells what is there so far.
   */
  async settled(breathe: () => Promise<void>): Promise<this | undefined> {
    while (this.#advance()) await breathe()
    return this.edges > 0 ? this : undefined
  }

  /** How many pairs of episodes are associated. */
  get edges(): number {
    return this.#graph?.edges ?? 0
  }

  /** See `AssociationGraph`. */
  neighbours(slot: number): Neighbours {
    return this.#graph?.neighbours(slot) ?? NOTHING
  }

  /** Gives the kernel's memory back; it stays empty from then on. */
  free(): void {
    this.#clear()
    this.#sources = undefined
  }

  /** Takes in the next events. True where there are more. */
  #advance(): boolean {
    if (this.#sources === undefined) return false
    if (this.#isStale) this.#clear()
    this.#steps ??= stepsOf([...this.#log()].filter(({ event }) => concerns(event)))
    try {
      for (let left = AT_ONCE; this.#taken < this.#steps.length; this.#taken++) {
        if (left-- === 0) return true
        this.#take(this.#steps[this.#taken])
      }
    } catch (error) {
      this.#isStale = true // a part of an event may be taken in
      throw error
    }
    return false
  }

  #clear(): void {
    this.#graph?.free()
    this.#graph = undefined
    this.#named.clear()
    this.#taken = 0
    this.#after = NONE
    this.#isStale = false
  }

  #take(placed: PlacedSteps): void {
    this.#after = Math.max(this.#after, placed.after)
    this.#graph ??= this.#kernel.associations()
    for (const step of placed.steps) {
      if (step.kind === 'decay') this.#graph.decay(DECAY)
      else if (step.kind !== 'recall') {
        const [a, b] = [this.#slotOf(step.a, placed.slot), this.#slotOf(step.b, placed.slot)]
        if (a === undefined || b === undefined) continue
        if (step.kind === 'strengthen') this.#graph.strengthen(a, b, step.weight)
        else this.#graph.removeEdge(a, b)
      }
    }
  }

  #slotOf(id: string, before: number): number | undefined {
    const slot = slotOf(id, before, this.#sources!)
    if (slot !== undefined) this.#named.add(slot)
    return slot
  }
}

/** Whether an event changes what callers strengthened. */
function concerns({ kind }: LearningEvent): boolean {
  return KINDS.has(kind)
}
