import { AgidbError } from '../base/errors.js'
import { loadOnce, ofLoaded } from '../base/load-once.js'
import type { EpisodeId } from '../api/episode.js'
import type { StoredRecord } from '../records/stored-record.js'
import type { MemoryContext } from '../memory/context.js'
import type { MemoryService } from '../memory/methods.js'
import type { FloorsPart } from '../memory/part.js'
import type { Floors } from '../memory/memory.js'
import type { CallerService } from './caller-methods.js'
import type { EngineSettings } from './settings.js'

/**
 * The floors beside the episodes. They are loaded and built by the first call that needs them; a memory whose floors
 * are empty does without.
 */
export class LateFloors {
  readonly #build: (module: FloorsPart) => Floors
  readonly #load: () => Promise<FloorsPart>
  #built: { readonly floors: Floors; readonly methodsOf: FloorsPart['methodsOf'] } | undefined
  #isFree = false

  /** @param module present where the floors are needed at once. */
  constructor(load: () => Promise<FloorsPart>, build: (module: FloorsPart) => Floors, module: FloorsPart | undefined) {
    this.#build = build
    this.#load = loadOnce(load)
    if (module !== undefined) this.#take(module)
  }

  /** The floors where they are built; `undefined` as long as they hold nothing. */
  get now(): Floors | undefined {
    return this.#built?.floors
  }

  /** An episode, or what is told of it, with what it was observed for. */
  shown<E extends { readonly id: EpisodeId }>(one: E): E {
    return this.now?.links.shown(one) ?? one
  }

  /** @throws AgidbError `AGIDB_WORKER` where they cannot be loaded, `AGIDB_CLOSED` where the memory was closed. */
  async get(): Promise<Floors> {
    return (await this.#loaded()).floors
  }

  /** The methods of a service, which load the floors where they are not there. */
  service(service: MemoryService, names: readonly string[]): CallerService {
    return (caller) => {
      const built = this.#built
      if (built !== undefined) return built.methodsOf(built.floors, service, caller)
      const late = (name: string) =>
        ofLoaded(
          () => this.#loaded(),
          ({ floors, methodsOf }, ...given: never[]) => methodsOf(floors, service, caller)[name](...given),
        )
      return Object.fromEntries(names.map((name) => [name, late(name)]))
    }
  }

  /** Gives their memory back. */
  free(): void {
    this.#isFree = true
    this.#built?.floors.free()
  }

  async #loaded() {
    if (this.#built !== undefined) return this.#built
    const module = await this.#load()
    if (this.#isFree) throw new AgidbError('AGIDB_CLOSED', 'the database was closed; open it again to use it')
    return this.#built ?? this.#take(module)
  }

  #take(module: FloorsPart) {
    return (this.#built = { floors: this.#build(module), methodsOf: module.methodsOf })
  }
}

/** Options that the floors use. */
const THEIR_OPTIONS = [
  'autoBelieve',
  'decideRevision',
  'retention',
  'sourceTrust',
  'summarizer',
  'surpriseProfile',
  'surpriseThreshold',
  'tombstoneDays',
] as const satisfies readonly (keyof MemoryContext['options'])[]

/** Whether a memory needs its floors from the start: they hold records, or an option or extension uses them. */
export function needsFloors(options: EngineSettings, records: readonly StoredRecord[]): boolean {
  const { extensions = [] } = options
  return records.length > 0 || extensions.length > 0 || THEIR_OPTIONS.some((option) => options[option] !== undefined)
}
