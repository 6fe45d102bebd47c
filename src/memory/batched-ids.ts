import type { EpisodeId } from '../api/episode.js'
import type { StorageEvent } from '../api/stats.js'
import { toIso } from '../api/time.js'
import { toWire } from '../base/errors.js'
import type { NewEvent } from '../records/event-log.js'
import type { MemoryContext } from './context.js'
import { unref } from '../base/unref.js'

/** Notes that are learned in one event. */
const BATCH = 64
/** How long a batch waits for more notes, milliseconds. */
const WAIT_MS = 2_000

/** Episodes that were found together. */
interface Note {
  readonly at: number
  readonly ids: readonly EpisodeId[]
}

/** A batch of notes: each id once, and the places of each note in that list. */
export interface BatchOfIds {
  /** When the first was (ISO 8601, UTC). */
  readonly since: string
  readonly ids: readonly EpisodeId[]
  /** Of each note when it was, in milliseconds after the first, then its places in `ids`. */
  readonly notes: readonly (readonly number[])[]
}

/** Learns what was found, after it was answered: a batch of answers is one event. */
export class BatchedIds {
  readonly #context: Pick<MemoryContext, 'learn' | 'indexes' | 'clock' | 'writer'>
  readonly #eventOf: (batch: BatchOfIds) => NewEvent
  readonly #failed: { readonly kind: string; readonly what: string }
  #waiting: Note[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #writing: Promise<void> = Promise.resolve()
  #failure: unknown

  /** @param failed how it is told that nothing can be learned any more: a kind of event, and what would be learned. */
  constructor(
    context: Pick<MemoryContext, 'learn' | 'indexes' | 'clock' | 'writer'>,
    eventOf: (batch: BatchOfIds) => NewEvent,
    failed: { readonly kind: string; readonly what: string },
  ) {
    this.#context = context
    this.#eventOf = eventOf
    this.#failed = failed
  }

  /** That it failed, and why. Questions are answered without it. */
  get events(): StorageEvent[] {
    if (this.#failure === undefined) return []
    const { code, message } = toWire(this.#failure)
    const { kind, what } = this.#failed
    return [{ kind, message: `${what} could not be learned: ${message}`, details: { code } }]
  }

  /** Notes what an answer found, best first. */
  note(ids: readonly EpisodeId[]): void {
    if (ids.length === 0 || this.#failure !== undefined) return
    this.#waiting.push({ at: this.#context.clock(), ids })
    if (this.#waiting.length >= BATCH) return void this.flush()
    this.#timer ??= setTimeout(() => void this.flush(), WAIT_MS)
    // It must not keep a process alive.
    unref(this.#timer)
  }

  /** Forgets what was noted: the memory is another one now. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#waiting = []
  }

  /** Learns all that was noted. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const notes = this.#waiting
    this.#waiting = []
    if (notes.length > 0) this.#writing = this.#writing.then(() => this.#learn(notes))
    return this.#writing
  }

  async #learn(notes: readonly Note[]): Promise<void> {
    try {
      await this.#context.learn({ writer: this.#context.writer, from: '' }, () => {
        const batch = this.#batchOf(notes)
        return { events: batch === undefined ? [] : [this.#eventOf(batch)], result: () => undefined }
      })
    } catch (error) {
      this.#failure = error
    }
  }

  /** What was noted of what is still there; `undefined` where nothing is. */
  #batchOf(notes: readonly Note[]): BatchOfIds | undefined {
    const { catalog } = this.#context.indexes
    const ids: EpisodeId[] = []
    const places = new Map<EpisodeId, number>()
    const since = notes[0].at
    const learned: number[][] = []
    for (const note of notes) {
      const there = note.ids.filter((id) => catalog.slot(id) !== undefined)
      for (const id of there)
        if (!places.has(id)) {
          places.set(id, ids.length)
          ids.push(id)
        }
      if (there.length > 0) learned.push([Math.max(0, note.at - since), ...there.map((id) => places.get(id)!)])
    }
    return learned.length === 0 ? undefined : { since: toIso(since), ids, notes: learned }
  }
}
