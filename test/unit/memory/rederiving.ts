import type { Episode } from '../../../src/api/episode.js'
import type { LearningEvent } from '../../../src/api/learning.js'
import type { Engine } from '../../../src/engine/engine.js'
import { OWN_PARTS } from '../../../src/engine/whole.js'
import { DIMENSION } from '../../../src/kernel/port.js'
import { Beliefs } from '../../../src/memory/beliefs/beliefs.js'
import type { MemoryContext } from '../../../src/memory/context.js'
import { Atoms } from '../../../src/memory/knowledge/atoms.js'
import type { ChangedEpisode, MadeEvent } from '../../../src/memory/projection.js'
import { SelfVector } from '../../../src/memory/self/self-vector.js'
import type { NewEvent } from '../../../src/records/event-log.js'
import { NOW, openMemory } from '../engine/open.js'

const CALLER = { writer: 'test', from: 'test' }

interface Placed {
  readonly slot: number
  readonly episode: Episode
}

/** A memory whose clock is set by hand, and second floors of it that can be asked what is to be rederived. */
export class Rederiving {
  time = NOW
  db!: Engine
  #context!: MemoryContext
  #floors!: readonly (Atoms | Beliefs)[]
  readonly #forgotten: Placed[] = []
  readonly #revived: Placed[] = []

  async open(): Promise<this> {
    const service = (context: MemoryContext) => {
      this.#context = context
      const selfVector = new SelfVector(context.indexes.kernel.threshold(new Int32Array(DIMENSION)))
      this.#floors = [new Atoms(context, selfVector, OWN_PARTS), new Beliefs(context, OWN_PARTS)]
      return { projections: [selfVector, ...this.#floors].flatMap(({ projections }) => projections) }
    }
    this.db = await openMemory({ clock: () => this.time, extensions: [{ service }] })
    return this
  }

  /** Takes episodes out of the indexes, and has the events be those of a memory that never had them. */
  async forget(ids: readonly string[]): Promise<void> {
    const { indexes, find, fetch } = this.#context
    const { catalog } = indexes
    const changed: ChangedEpisode[] = []
    for (const id of ids) {
      const slot = catalog.slot(id)!
      const episode = (await find(id))!
      const revived = catalog.supersededBy(id)
      const episodes = await fetch(revived)
      indexes.remove(slot, episode)
      this.#forgotten.push({ slot, episode })
      changed.push({ id, slot, live: false, before: episode })
      for (const [i, slot] of revived.entries()) {
        const { superseded: _, ...rest } = episodes[i]!
        indexes.update(slot, rest)
        this.#revived.push({ slot, episode: episodes[i]! })
        changed.push({ id: rest.id, slot, live: true, updated: true })
      }
    }
    await this.rederive(changed.filter(({ slot, live }) => live === catalog.has(slot)))
  }

  /** Has the indexes and the events be as if nothing had been forgotten. */
  async restore(): Promise<void> {
    const { indexes } = this.#context
    const changed: ChangedEpisode[] = []
    for (const { slot, episode } of this.#forgotten) {
      indexes.add(slot, episode, indexes.encode(episode).signatures)
      changed.push({ id: episode.id, slot, live: true })
    }
    for (const { slot, episode } of this.#revived) {
      if (!indexes.catalog.has(slot)) continue
      indexes.update(slot, episode)
      changed.push({ id: episode.id, slot, live: true, updated: true })
    }
    this.#forgotten.length = this.#revived.length = 0
    await this.rederive(changed)
  }

  /** What floors tell of their events; see `Service.told`. */
  told(events: readonly LearningEvent[]): LearningEvent[] {
    const told = this.#floors.map((floor) => floor.told(this.#context.log.all()))
    const byId = new Map(told.flatMap((one) => [...one].map(([event, other]) => [event.id, other] as const)))
    return events.flatMap((event) => (byId.has(event.id) ? (byId.get(event.id) ?? []) : event))
  }

  async rederive(changed: readonly ChangedEpisode[]): Promise<void> {
    const gone: LearningEvent[] = []
    const made: MadeEvent[] = []
    for (const floor of this.#floors) {
      const rederived = await floor.rederive(changed)
      gone.push(...rederived.gone)
      made.push(...rederived.made)
    }
    await this.#context.retract(
      gone.map(({ id }) => id),
      CALLER,
    )
    const signatures = new Map<NewEvent, Uint8Array>()
    for (const { event, signature } of made) if (signature !== undefined) signatures.set(event, signature)
    const events = made.map(({ event }) => event)
    await this.#context.learn(CALLER, () => ({ events, signatures, result: () => undefined }))
  }
}
