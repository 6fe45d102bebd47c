import type { EpisodeId } from '../../api/episode.js'
import type { StorageEvent } from '../../api/stats.js'
import { RECALLED } from '../../indexes/graph/association-steps.js'
import { BatchedIds } from '../batched-ids.js'
import type { MemoryContext } from '../context.js'

/** Learns what is recalled together, after the recalls were answered. */
export class RecallLearning {
  readonly #batches: BatchedIds

  constructor(context: Pick<MemoryContext, 'learn' | 'indexes' | 'clock' | 'writer'>) {
    this.#batches = new BatchedIds(
      context,
      ({ since, ids, notes }) => ({ kind: 'recallsLearned', since, episodes: ids, recalls: notes }),
      { kind: 'recall-learning-failed', what: 'what was recalled together' },
    )
  }

  /** That it failed, and why. Recalls are answered without it. */
  get events(): StorageEvent[] {
    return this.#batches.events
  }

  /** Notes the best matches of a recall, best first. */
  note(matches: readonly { readonly id: EpisodeId; readonly lowConfidence: boolean }[]): void {
    const episodes = matches.filter(({ lowConfidence }) => !lowConfidence).map(({ id }) => id)
    this.#batches.note(episodes.slice(0, RECALLED))
  }

  /** Forgets what was noted: the memory is another one now. */
  stop(): void {
    this.#batches.stop()
  }

  /** Learns from all recalls that were noted. */
  flush(): Promise<void> {
    return this.#batches.flush()
  }
}
