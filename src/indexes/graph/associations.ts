import type { Episode } from '../../api/episode.js'
import { part, type CheckpointParts } from '../../base/checkpoint-parts.js'
import { crc32c } from '../../base/crc32c.js'
import { HEAP } from '../../base/heap-size.js'
import { encodeUtf8 } from '../../base/utf8.js'
import type { AssociationGraph, CoActivation, GraphKernel } from '../../kernel/graph.js'
import type { LearningEvent } from '../../api/learning.js'
import type { Logged } from '../../records/event-log.js'
import type { Attributes } from '../attributes.js'
import type { Catalog } from '../catalog.js'
import type { Index } from '../port.js'
import type { Timeline } from '../timeline.js'
import {
  type AssociationStep,
  concernsAssociations,
  DECAY,
  type PlacedSteps,
  plasticity,
  RECALL_WEIGHT,
  RECALLED,
  RECALLED_TAGS,
  SESSION_WEIGHT,
  slotOf,
  stepsOf,
} from './association-steps.js'
import { StrengthenedAssociations } from './strengthened-associations.js'

/** Episodes and events that are taken in before others get their turn. */
const AT_ONCE = 4_096
const NONE = -1

/** What of the memory associations follow from, beside the events. */
export interface AssociationSources {
  readonly catalog: Pick<Catalog, 'slot' | 'slots' | 'recordedAt'>
  readonly timeline: Pick<Timeline, 'previous' | 'moves'>
  readonly attributes: Pick<Attributes, 'tags'>
}

/** Indexes what was observed and recalled together. */
export function associationIndex(graphs: GraphKernel): Index<Associations> {
  const associations = new Associations(graphs)
  return {
    contents: associations,
    add: (slot) => associations.entered(slot),
    update: (slot, episode) => associations.update(slot, episode),
    remove: (slot) => associations.left(slot),
  }
}

/** The recall before the one that is taken in. */
interface Recalled {
  readonly at: number
  readonly slots: readonly number[]
  readonly tags: readonly string[]
}

/**
 * Which episodes and which tags were together: a function of the live episodes and of the events of the log. Each
 * episode is associated with the one before it in its session, and each event adds what it says, in ascending order of
 * slot; the order matters, since weights decay and the weakest neighbour of a full node goes. So new
 * episodes and events at the end are added; after a change before the end, the next question builds the graph anew.
 */
export class Associations {
  /** What callers strengthened of them: that alone is followed by recall. */
  readonly strengthened: StrengthenedAssociations
  readonly #kernel: GraphKernel
  #graph: AssociationGraph
  #tags: CoActivation
  #sources: AssociationSources | undefined
  #log: () => Iterable<Logged> = () => []
  /** The steps of all events in order; absent since the log changed. */
  #steps: PlacedSteps[] | undefined
  /** The last slot that was taken in, and how many of the events. */
  #through = NONE
  #taken = 0
  /** The last slot after which events were taken in. */
  #after = NONE
  /** Of the ids of the events that were taken in, as a checkpoint had them: to be compared with those of the log. */
  #loaded: number | undefined
  #isStale = false
  #moves = 0
  /** Tags of episodes that were taken in: they may not change unnoticed. */
  #hasTags = false

  constructor(kernel: GraphKernel) {
    this.#kernel = kernel
    this.#graph = kernel.associations()
    this.#tags = kernel.coActivation()
    this.strengthened = new StrengthenedAssociations(kernel)
  }

  /** Says where sessions, tags and ids are looked up. */
  use(sources: AssociationSources): void {
    this.#sources = sources
    this.strengthened.use(sources)
  }

  /** Says where the events stand. */
  follow(log: () => Iterable<Logged>): void {
    this.#log = log
    this.#steps = undefined
    this.strengthened.follow(log)
  }

  /** Whether all there is is taken in. */
  get isSettled(): boolean {
    return !this.#isStale && this.#loaded === undefined && !this.#advance(0)
  }

  /** The graph of episodes, after all there is is taken in. */
  get graph(): AssociationGraph {
    this.settle()
    return this.#graph
  }

  /** The tables of tags, after all there is is taken in. */
  get tags(): CoActivation {
    this.settle()
    return this.#tags
  }

  /** Bytes of main memory beside the kernel's. */
  get bytes(): number {
    return (this.#steps?.length ?? 0) * (HEAP.object + 4 * HEAP.field)
  }

  /** Bytes of the graphs in the kernel. */
  get graphBytes(): number {
    return this.#graph.bytes + this.#tags.bytes + this.strengthened.graphBytes
  }

  /** Says that an episode came to a slot. */
  entered(slot: number): void {
    this.changed(slot)
    this.strengthened.entered(slot)
  }

  /** Says that the episode of a slot went. */
  left(slot: number): void {
    this.changed(slot)
    this.strengthened.left(slot)
  }

  /** Says that the episode of a slot came, went, or may say something else. */
  changed(slot: number): void {
    if (slot <= this.#through || slot <= this.#after) this.#isStale = true
  }

  update(slot: number, { tags }: Pick<Episode, 'tags'>): void {
    const moves = this.#sources?.timeline.moves ?? 0
    if (moves !== this.#moves || this.#hasTags || tags !== undefined) this.changed(slot)
    this.#moves = moves
  }

  /** Says that an event came. */
  came(event: LearningEvent, slot: number): void {
    this.strengthened.came(event, slot)
    if (!concernsAssociations(event)) return
    this.#steps = undefined
    const after = event.kind === 'consolidationRun' ? (event.decays ?? slot) : slot
    if (after < this.#through || after < this.#after) this.#isStale = true
  }

  /** Says that events went. */
  went(events: readonly LearningEvent[]): void {
    this.strengthened.went(events)
    if (!events.some(concernsAssociations)) return
    this.#steps = undefined
    this.#isStale = true
  }

  /** Takes in all there is. */
  settle(): void {
    while (this.#advance(AT_ONCE)) {}
  }

  /** {@link settle} while others get their turn. */
  async settled(breathe: () => Promise<void>): Promise<void> {
    while (this.#advance(AT_ONCE)) await breathe()
  }

  save(parts: CheckpointParts, name: string): void {
    this.settle()
    parts.set(`${name}.through`, Float64Array.of(this.#through, this.#after, this.#taken, this.#digest(this.#taken)))
    parts.set(`${name}.HGPH`, this.#graph.save())
    parts.set(`${name}.COAX`, this.#tags.save())
  }

  load(parts: CheckpointParts, name: string): void {
    const [through, after, taken, digest] = part(parts, `${name}.through`, Float64Array)
    this.#graph.load(part(parts, `${name}.HGPH`, Uint8Array))
    this.#tags.load(part(parts, `${name}.COAX`, Uint8Array))
    this.#through = through
    this.#after = after
    this.#taken = taken
    this.#loaded = digest
    this.#hasTags = this.#tags.pairs.size + this.#tags.edges.size > 0
  }

  /** Gives the kernel's memory back. */
  free(): void {
    this.#freeGraphs()
    this.strengthened.free()
  }

  /** Adds the next episodes and events, `most` at most. True where there may be more. */
  #advance(most: number): boolean {
    const sources = this.#sources
    if (sources === undefined) return false
    this.#steps ??= stepsOf(this.#log())
    if (this.#loaded !== undefined) {
      // Events that are other ones than those of the checkpoint were forgotten, or came back, since.
      if (this.#digest(this.#taken) !== this.#loaded) this.#isStale = true
      this.#loaded = undefined
    }
    if (this.#isStale) this.#clear()
    const steps = this.#steps
    let left = most
    try {
      for (const slot of sources.catalog.slots(this.#through + 1)) {
        for (; this.#taken < steps.length && steps[this.#taken].after < slot; this.#taken++) {
          if (left-- <= 0) return true
          this.#take(steps[this.#taken], sources)
        }
        if (left-- <= 0) return true
        this.#add(slot, sources)
        this.#through = slot
      }
      for (; this.#taken < steps.length; this.#taken++) {
        if (left-- <= 0) return true
        this.#take(steps[this.#taken], sources)
      }
    } catch (error) {
      this.#isStale = true // a part of an episode or an event may be taken in
      throw error
    }
    return false
  }

  #freeGraphs(): void {
    this.#graph.free()
    this.#tags.free()
  }

  #clear(): void {
    this.#freeGraphs()
    this.#graph = this.#kernel.associations()
    this.#tags = this.#kernel.coActivation()
    this.#through = this.#after = NONE
    this.#taken = 0
    this.#isStale = this.#hasTags = false
  }

  #add(slot: number, { timeline, attributes, catalog }: AssociationSources): void {
    const previous = timeline.previous(slot)
    if (previous !== NONE) this.#graph.strengthen(previous, slot, SESSION_WEIGHT)
    const tags = attributes.tags(slot)
    if (tags.length === 0) return
    this.#hasTags = true
    if (tags.length > 1) this.#pair(tags.slice(0, RECALLED_TAGS), catalog.recordedAt(slot))
  }

  #take(placed: PlacedSteps, sources: AssociationSources): void {
    this.#after = Math.max(this.#after, placed.after)
    let last: Recalled | undefined
    for (const step of placed.steps) {
      if (step.kind === 'recall') {
        const now = this.#recalled(step, placed.slot, sources)
        // The first of a batch follows upon the last of the one before.
        last ??= this.#lastBefore(placed, sources)
        if (now.slots.length > 0) this.#recall(now, last)
        last = now
      } else if (step.kind === 'decay') {
        this.#graph.decay(DECAY)
        this.#tags.decay(DECAY)
      } else this.#edge(step, placed.slot, sources)
    }
  }

  #edge(
    step: Extract<AssociationStep, { kind: 'strengthen' | 'forget' }>,
    before: number,
    sources: AssociationSources,
  ): void {
    const [a, b] = [slotOf(step.a, before, sources), slotOf(step.b, before, sources)]
    if (a === undefined || b === undefined) return
    if (step.kind === 'strengthen') this.#graph.strengthen(a, b, step.weight)
    else this.#graph.removeEdge(a, b)
  }

  /** What was recalled together, and after what. */
  #recall(now: Recalled, last: Recalled | undefined): void {
    const { slots, tags } = now
    for (let i = 0; i < slots.length; i++)
      for (let j = 0; j < i; j++) this.#graph.strengthen(slots[j], slots[i], RECALL_WEIGHT)
    this.#pair(tags, now.at)
    const weight = last === undefined ? 0 : RECALL_WEIGHT * plasticity(now.at - last.at)
    if (last === undefined || weight === 0) return
    const together = new Set(slots)
    for (const before of last.slots)
      if (!together.has(before)) for (const slot of slots) this.#graph.strengthen(before, slot, weight)
    for (const before of last.tags)
      for (const tag of tags) {
        if (before === tag) continue
        // The direction from the earlier to the later one is strengthened, the other one weakened.
        this.#tags.edges.add(before, tag, weight, now.at)
        if (this.#tags.edges.get(tag, before) !== undefined) this.#tags.edges.add(tag, before, -weight, now.at)
      }
  }

  #pair(tags: readonly string[], at: number): void {
    for (let i = 0; i < tags.length; i++)
      for (let j = 0; j < i; j++) this.#tags.pairs.add(tags[j], tags[i], RECALL_WEIGHT, at)
  }

  /** A recall by what of it is there. */
  #recalled(
    { at, episodes }: Extract<AssociationStep, { kind: 'recall' }>,
    before: number,
    sources: AssociationSources,
  ): Recalled {
    const known = episodes.map((id) => slotOf(id, before, sources)).filter((slot) => slot !== undefined)
    const slots = [...new Set(known)].slice(0, RECALLED)
    const tags = new Set(slots.flatMap((slot) => sources.attributes.tags(slot)))
    if (tags.size > 0) this.#hasTags = true
    return { at, slots, tags: [...tags].slice(0, RECALLED_TAGS) }
  }

  /** The last recall of the batches before one. */
  #lastBefore(placed: PlacedSteps, sources: AssociationSources): Recalled | undefined {
    for (let i = this.#steps!.indexOf(placed) - 1; i >= 0; i--) {
      const { slot, steps } = this.#steps![i]
      const last = steps.at(-1)
      if (last?.kind === 'recall') return this.#recalled(last, slot, sources)
    }
    return undefined
  }

  #digest(count: number): number {
    const steps = this.#steps ?? []
    if (count > steps.length) return -1
    return crc32c(
      encodeUtf8(
        steps
          .slice(0, count)
          .map(({ event }) => event.id)
          .join(),
      ),
    )
  }
}
