import type { EpisodeId } from '../../api/episode.js'
import type { LearningEvent } from '../../api/learning.js'
import { HEAP, heapBytes } from '../../base/heap-size.js'
import type { AttentionTrace, RecallId } from '../../api/recall.js'
import type { Catalog } from '../../indexes/catalog.js'
import type { Logged } from '../../records/event-log.js'
import { type IsGone, ofEvents, type Projection, type Service } from '../projection.js'

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
 * learning log says that a recall was traced but does not hold its trace, so a rebuild has no traces. A trace whose
 * event was retracted is not shown; it is kept until {@link AttentionTraces.forgetGone}, since the event may come back.
 */
export class AttentionTraces implements Projection, Service {
  readonly projections = [ofEvents(this)]
  readonly #catalog: Pick<Catalog, 'slot'>
  readonly #limit: number
  /** In the order in which they came. */
  readonly #traces = new Map<RecallId, Kept>()
  /** Those whose events were retracted. */
  readonly #retracted = new Set<RecallId>()

  /** @param limit how many are kept. */
  constructor(catalog: Pick<Catalog, 'slot'>, limit: number) {
    this.#catalog = catalog
    this.#limit = limit
  }

  /** Bytes of memory, about. */
  get bytes(): number {
    let sum = 0
    for (const { bytes } of this.#traces.values()) sum += bytes
    return sum
  }

  apply(event: LearningEvent): void {
    if (event.kind === 'attentionTraced') this.#retracted.delete(event.recall)
  }

  retract(events: readonly LearningEvent[]): void {
    for (const event of events) if (event.kind === 'attentionTraced') this.#retracted.add(event.recall)
  }

  keep(id: RecallId, trace: AttentionTrace): void {
    this.#traces.set(id, kept(trace))
    for (const oldest of this.#traces.keys()) {
      if (this.#traces.size <= this.#limit) break
      this.#traces.delete(oldest)
    }
  }

  /**
   * A trace as the episodes that are there leave it: without those that are gone. `undefined` where its answer named
   * one of these.
   */
  find(id: RecallId): AttentionTrace | undefined {
    const found = this.#traces.get(id)?.trace
    if (found === undefined || this.#retracted.has(id)) return undefined
    const isGone = (episode: EpisodeId) => this.#catalog.slot(episode) === undefined
    return found.candidates.some(({ id, retained }) => retained && isGone(id)) ? undefined : without(found, isGone)
  }

  /** Drops for good what {@link find} would not show now. */
  forgetGone(): void {
    for (const id of [...this.#traces.keys()]) {
      const found = this.find(id)
      if (found === undefined) this.#traces.delete(id)
      else if (found !== this.#traces.get(id)!.trace) this.#traces.set(id, kept(found))
    }
    this.#retracted.clear()
  }

  /** A recall whose answer named what is gone was never traced. */
  without(events: readonly Logged[], isGone: IsGone): ReadonlyMap<LearningEvent, undefined> {
    const instead = new Map<LearningEvent, undefined>()
    for (const { event, slot } of events)
      if (event.kind === 'attentionTraced' && event.episodes.some((id) => isGone(id, slot)))
        instead.set(event, undefined)
    return instead
  }
}

function kept(trace: AttentionTrace): Kept {
  return { trace, bytes: Math.round(HEAP.entry + CLONED * heapBytes(trace)) }
}

/** A trace without episodes that are gone, and the time that they told; the trace itself where none is. */
function without(trace: AttentionTrace, isGone: (id: EpisodeId) => boolean): AttentionTrace {
  const { time, ...rest } = trace
  const isTimeGone = time?.event !== undefined && isGone(time.event)
  const names = ({ id, foldedInto }: AttentionTrace['candidates'][number]) =>
    isGone(id) || (foldedInto !== undefined && isGone(foldedInto))
  if (!isTimeGone && !trace.candidates.some(names)) return trace
  const candidates = trace.candidates
    .filter(({ id }) => !isGone(id))
    .map(({ foldedInto, ...candidate }) =>
      foldedInto === undefined || isGone(foldedInto) ? candidate : { ...candidate, foldedInto },
    )
  return { ...rest, ...(time !== undefined && !isTimeGone && { time }), candidates }
}
