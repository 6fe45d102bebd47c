import type { Episode } from '../../api/episode.js'
import type { LearningEvent } from '../../api/learning.js'
import type { CheckpointParts } from '../../base/checkpoint-parts.js'
import { AgidbError } from '../../base/errors.js'
import { graphError } from '../../base/graph-error.js'
import { HEAP } from '../../base/heap-size.js'
import { loadOnce } from '../../base/load-once.js'
import type { Kernel } from '../../kernel/port.js'
import type { Logged } from '../../records/event-log.js'
import type { Index } from '../port.js'
import type { GraphIndexes, GraphSources, GraphsPart, LoadGraphs } from './part.js'

/** With so many new episodes the graphs are loaded, even if no call needs them. */
const MANY = 256

type GraphName = keyof GraphIndexes
/** What the graph of entities takes from an episode, beside its names. */
type Stated = Pick<Episode, 'triples' | 'superseded'>

/** Parts of a checkpoint that wait for the graph that saved them. */
interface Kept {
  readonly name: GraphName
  readonly parts: CheckpointParts
  /** What the names of the parts begin with. */
  readonly prefix: string
}

/**
 * The graphs of a memory. A recall needs them only where something was added to associations, so they are made at the
 * first call that needs them, or after many episodes.
 * Until then new episodes and events are queued. A graph is a function of the live episodes and of the events.
 */
export class LateGraphs {
  readonly #kernel: Kernel
  readonly #sources: GraphSources
  readonly #load: (() => Promise<GraphsPart>) | undefined
  #part: GraphsPart | undefined
  #made: GraphIndexes | undefined
  #isFree = false
  #log: () => Iterable<Logged> = () => []
  /** What changed while there are no graphs, by slot; `undefined` for an episode that is gone. */
  readonly #missed = new Map<number, Stated | undefined>()
  #kept: Kept[] = []
  /** What is to be told of events to graphs of a checkpoint. */
  #told: ((made: GraphIndexes) => void)[] = []

  /** @param part the graphs, or what loads them; without it there are none. */
  constructor(kernel: Kernel, sources: GraphSources, part: GraphsPart | LoadGraphs | undefined) {
    this.#kernel = kernel
    this.#sources = sources
    if (typeof part === 'function') this.#load = loadOnce(() => part(kernel))
    else if (part !== undefined) {
      this.#part = part
      this.#made = part.graphIndexes(kernel, sources)
    }
  }

  /** The graphs. They must have been loaded by {@link get}. */
  get now(): GraphIndexes {
    if (this.#made === undefined) throw graphError('association', new Error('the graphs are not loaded'))
    return this.#made
  }

  /** Bytes of the graphs beside the memory of the kernel. */
  get graphBytes(): number {
    const memory = this.#part?.graphMemoryBytes(this.#kernel)
    if (memory !== undefined) return memory
    const made = Object.values(this.#made ?? {}) as { readonly contents: { readonly graphBytes: number } }[]
    return made.reduce((sum, { contents }) => sum + contents.graphBytes, 0)
  }

  /** @throws AgidbError `AGIDB_WORKER` where they cannot be loaded, `AGIDB_CLOSED` where the memory was closed. */
  async get(): Promise<GraphIndexes> {
    if (this.#made !== undefined || this.#load === undefined) return this.now
    const part = await this.#load()
    if (this.#isFree) throw new AgidbError('AGIDB_CLOSED', 'the database was closed; open it again to use it')
    return this.#made ?? this.#make(part)
  }

  /** Loads the graphs where there are any to load. A failure is reported to the callers that ask for them. */
  async prepare(): Promise<void> {
    if (this.#load !== undefined) await this.get().catch(() => {})
  }

  /** Says where the events stand. */
  follow(log: () => Iterable<Logged>): void {
    this.#log = log
    if (this.#made === undefined) return
    this.#made.associations.contents.follow(log)
    this.#made.entities.contents.follow(log)
  }

  /** Says that an event came. */
  came(event: LearningEvent, slot: number): void {
    this.#tell(({ associations, entities }) => {
      associations.contents.came(event, slot)
      entities.contents.heard([event])
    })
  }

  /** Says that events went. */
  went(events: readonly LearningEvent[]): void {
    this.#tell(({ associations, entities }) => {
      associations.contents.went(events)
      entities.contents.heard(events)
    })
  }

  /** A graph as an index, which queues changes until the graph is loaded. */
  index(name: GraphName): Index {
    // One of the three notes it for all.
    const notes = name === 'entities'
    return {
      contents: this.#contents(name),
      add: (slot, episode, read) => {
        if (this.#made !== undefined) this.#made[name].add(slot, episode, read)
        else if (notes) this.#miss(slot, episode)
      },
      update: (slot, episode, read) => {
        if (this.#made !== undefined) this.#made[name].update(slot, episode, read)
        else if (notes) this.#miss(slot, episode)
      },
      remove: (slot, episode) => {
        if (this.#made !== undefined) this.#made[name].remove(slot, episode)
        else if (notes) this.#miss(slot, undefined)
      },
    }
  }

  #contents(name: GraphName): Index['contents'] {
    const bytes = () => this.#made?.[name].contents.bytes ?? (name === 'entities' ? this.#notedBytes : 0)
    return {
      get bytes() {
        return bytes()
      },
      save: (parts, prefix) => {
        if (this.#made !== undefined || this.#load !== undefined) this.now[name].contents.save(parts, prefix)
      },
      load: (parts, prefix) => {
        if (this.#made !== undefined) this.#made[name].contents.load(parts, prefix)
        else if (this.#load !== undefined && name !== 'chain')
          this.#kept.push({ name, parts: copied(parts, prefix), prefix })
      },
      free: () => {
        this.#isFree = true
        this.#made?.[name].contents.free?.()
      },
    }
  }

  get #notedBytes(): number {
    let sum = this.#missed.size * (HEAP.key + HEAP.object + 2 * HEAP.field)
    for (const { parts } of this.#kept) for (const { byteLength } of parts.values()) sum += byteLength
    return sum
  }

  #miss(slot: number, episode: Stated | undefined): void {
    if (this.#load === undefined) return
    // What no checkpoint brought, and is gone, never was.
    if (episode === undefined && this.#kept.length === 0) this.#missed.delete(slot)
    else this.#missed.set(slot, episode && { triples: episode.triples, superseded: episode.superseded })
    if (this.#missed.size % MANY === 0 && this.#missed.size > 0) void this.prepare()
  }

  #tell(tell: (made: GraphIndexes) => void): void {
    if (this.#made !== undefined) tell(this.#made)
    // New graphs read the log itself.
    else if (this.#kept.length > 0) this.#told.push(tell)
  }

  /** Makes the graphs, and takes in all that they missed. */
  #make(part: GraphsPart): GraphIndexes {
    this.#part = part
    const made = part.graphIndexes(this.#kernel, this.#sources)
    const { chain, entities, associations } = made
    try {
      for (const { name, parts, prefix } of this.#kept) made[name].contents.load(parts, prefix)
      associations.contents.follow(this.#log)
      entities.contents.follow(this.#log)
      entities.contents.heard(Array.from(this.#log(), ({ event }) => event))
      for (const tell of this.#told) tell(made)
      // In the order of their slots, in which sessions have them: an episode can be put only beside one that is there.
      for (const slot of this.#sources.catalog.slots(0)) chain.contents.set(slot)
      for (const [slot, stated] of this.#missed) {
        if (stated === undefined) entities.contents.remove(slot)
        else entities.contents.set(slot, stated)
        associations.contents.changed(slot)
      }
    } catch (error) {
      for (const { contents } of Object.values(made)) contents.free()
      throw error
    }
    this.#missed.clear()
    this.#kept = []
    this.#told = []
    return (this.#made = made)
  }
}

/** The parts whose names begin with a prefix: copies, so that the rest of the checkpoint may go. */
function copied(parts: CheckpointParts, prefix: string): CheckpointParts {
  const own = Array.from(parts).filter(([name]) => name.startsWith(`${prefix}.`))
  return new Map(own.map(([name, array]) => [name, array.slice()]))
}
