import type { EpisodeId } from '../../api/episode.js'
import type { StorageEvent } from '../../api/stats.js'
import { toIso } from '../../api/time.js'
import { toWire } from '../../base/errors.js'
import { RECALLED } from '../../indexes/graph/association-steps.js'
import type { NewEvent } from '../../records/event-log.js'
import type { MemoryContext } from '../context.js'

/** Recalls that are learned from in one event. */
const BATCH = 64
/** How long a batch waits for more recalls, milliseconds. */
const WAIT_MS = 2_000

interface Recalled {
  readonly at: number
  readonly episodes: readonly EpisodeId[]
}

/** Learns what is recalled together, after the recalls were answered: a batch of recalls is one event. */
export class RecallLearning {
  readonly #context: Pick<MemoryContext, 'learn' | 'indexes' | 'clock'>
  readonly #writer: string
  #waiting: Recalled[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #writing: Promise<void> = Promise.resolve()
  #failure: unknown

  constructor(context: Pick<MemoryContext, 'learn' | 'indexes' | 'clock'>, writer: string) {
    this.#context = context
    this.#writer = writer
  }

  /** That it failed, and why. Recalls are answered without it. */
  get events(): StorageEvent[] {
    if (this.#failure === undefined) return []
    const { code, message } = toWire(this.#failure)
    const told = `what was recalled together could not be learned: ${message}`
    return [{ kind: 'recall-learning-failed', message: told, details: { code } }]
  }

  /** Notes the best matches of a recall, best first. */
  note(matches: readonly { readonly id: EpisodeId; readonly lowConfidence: boolean }[]): void {
    const episodes = matches.filter(({ lowConfidence }) => !lowConfidence).map(({ id }) => id)
    if (episodes.length === 0 || this.#failure !== undefined) return
    this.#waiting.push({ at: this.#context.clock(), episodes: episodes.slice(0, RECALLED) })
    if (this.#waiting.length >= BATCH) return void this.flush()
    this.#timer ??= setTimeout(() => void this.flush(), WAIT_MS)
    // It must not keep a process alive.
    const { unref } = this.#timer as { unref?: () => void }
    unref?.call(this.#timer)
  }

  /** Forgets what was noted: the memory is another one now. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#waiting = []
  }

  /** Learns from all recalls that were noted. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const recalls = this.#waiting
    this.#waiting = []
    if (recalls.length > 0) this.#writing = this.#writing.then(() => this.#learn(recalls))
    return this.#writing
  }

  async #learn(recalls: readonly Recalled[]): Promise<void> {
    try {
      await this.#context.learn({ writer: this.#writer, from: '' }, () => {
        const event = this.#eventOf(recalls)
        return { events: event === undefined ? [] : [event], result: () => undefined }
      })
    } catch (error) {
      this.#failure = error
    }
  }

  /** What the recalls found that is still there; `undefined` where nothing is. */
  #eventOf(recalls: readonly Recalled[]): NewEvent<'recallsLearned'> | undefined {
    const { catalog } = this.#context.indexes
    const episodes: EpisodeId[] = []
    const places = new Map<EpisodeId, number>()
    const since = recalls[0].at
    const learned: number[][] = []
    for (const recall of recalls) {
      const there = recall.episodes.filter((id) => catalog.slot(id) !== undefined)
      for (const id of there)
        if (!places.has(id)) {
          places.set(id, episodes.length)
          episodes.push(id)
        }
      if (there.length > 0) learned.push([Math.max(0, recall.at - since), ...there.map((id) => places.get(id)!)])
    }
    return learned.length === 0
      ? undefined
      : { kind: 'recallsLearned', since: toIso(since), episodes, recalls: learned }
  }
}
