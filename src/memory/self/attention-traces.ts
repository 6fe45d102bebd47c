import type { EpisodeId } from '../../api/episode.js'
import type { LearningEvent } from '../../api/learning.js'
import { HEAP, heapBytes } from '../../base/heap-size.js'
import type { AttentionTrace, RecallId } from '../../api/recall.js'
import { ofEvents, type Projection, type Service } from '../projection.js'

/**
 * How much more a trace takes than objects as they stand in the code: it is a clone, whose properties V8 keeps beside
 * it. Measured in Node 20.
 */
const CLONED = 1.17

/** A trace, and the bytes that it takes. */
interface Kept {
  readonly trace: AttentionTrace
  readonly bytes: number
}

/**
 * The attention traces of the newest recalls (floor 7: the self-model). Traces are kept in main memory only. The
 * learning log says that a recall was traced but does not hold its trace, so a rebuild has no traces. Retracting the
 * event of a recall removes its trace.
 */
export class AttentionTraces implements Projection, Service {
  readonly projections = [ofEvents(this)]
  readonly #limit: number
  /** In the order in which they came. */
  readonly #traces = new Map<RecallId, Kept>()

  /** @param limit how many are kept. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Bytes of memory, about. */
  get bytes(): number {
    let sum = 0
    for (const { bytes } of this.#traces.values()) sum += bytes
    return sum
  }

  apply(): void {}

  retract(events: readonly LearningEvent[]): void {
    for (const event of events) if (event.kind === 'attentionTraced') this.#traces.delete(event.recall)
  }

  keep(id: RecallId, trace: AttentionTrace): void {
    this.#traces.set(id, kept(trace))
    for (const oldest of this.#traces.keys()) {
      if (this.#traces.size <= this.#limit) break
      this.#traces.delete(oldest)
    }
  }

  find(id: RecallId): AttentionTrace | undefined {
    return this.#traces.get(id)?.trace
  }

  /** Leaves an episode out of every trace, and the time that it told; the cue stays, which is the asker's own. */
  forget(id: EpisodeId): void {
    for (const [recall, { trace }] of this.#traces)
      if (names(trace, id)) this.#traces.set(recall, kept(without(trace, id)))
  }
}

function kept(trace: AttentionTrace): Kept {
  return { trace, bytes: Math.round(HEAP.entry + CLONED * heapBytes(trace)) }
}

function names({ time, candidates }: AttentionTrace, id: EpisodeId): boolean {
  return time?.event === id || candidates.some((candidate) => candidate.id === id || candidate.foldedInto === id)
}

function without({ time, ...trace }: AttentionTrace, id: EpisodeId): AttentionTrace {
  const candidates = trace.candidates
    .filter((candidate) => candidate.id !== id)
    .map(({ foldedInto, ...candidate }) =>
      foldedInto === undefined || foldedInto === id ? candidate : { ...candidate, foldedInto },
    )
  return { ...trace, ...(time !== undefined && time.event !== id && { time }), candidates }
}
