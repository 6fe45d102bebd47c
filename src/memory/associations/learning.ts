import type { EpisodeId } from '../../api/episode.js'
import type { StorageEvent } from '../../api/stats.js'
import { toWire } from '../../base/errors.js'
import { RECALLED } from '../../indexes/graph/association-steps.js'
import { BatchedIds } from '../batched-ids.js'
import type { MemoryContext } from '../context.js'

/** Learns what is recalled together, after the recalls were answered. */
export class RecallLearning {
  readonly #batches: BatchedIds

  constructor(context: Pick<MemoryContext, 'learn' | 'indexes' | 'clock' | 'writer'>) {
    this.#batches = new BatchedIds(context, ({ since, ids, notes }) => ({
      kind: 'recallsLearned',
      since,
      episodes: ids,
      recalls: notes,
    }))
  }

  /** That it failed, and why. Recalls are answered without it. */
  get events(): StorageEvent[] {
    const { failure } = this.#batches
    if (failure === undefined) return []
    const { code, message } = toWire(failure)
    const told = `what was recalled together could not be learned: ${message}`
    return [{ kind: 'recall-learning-failed', message: told, details: { code } }]
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
