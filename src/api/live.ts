import type { Episode } from './episode.js'
import type { EpisodesOptions } from './episode-pages.js'
import type { Recall, RecallOptions } from './recall.js'

/** Options of every live query. */
export interface LiveOptions {
  /** Ends the iteration. */
  readonly signal?: AbortSignal
}

/** The newest episodes that pass what is given here; see {@link EpisodesOptions}. */
export interface LiveEpisodes extends Omit<EpisodesOptions, 'order' | 'after' | 'limit'> {
  /** How many of the newest, 1 to 10,000. Default 1,000. */
  readonly limit?: number
}

/** The answers of a live query, each when it is asked for: see {@link LiveMethods.live}. */
export interface LiveQuery<T> extends AsyncIterable<T> {
  /** The next answer that differs from the last one. Waits until a change makes one. */
  next(): Promise<IteratorResult<T, undefined>>
  /** Ends the iteration; a `next` that waits answers that it is done. */
  return(): Promise<IteratorResult<T, undefined>>
}

/** Questions whose answers are told again when they change. */
export interface LiveMethods {
  /**
   * The answer of a recall, now and each time that a change gives another one.
   *
   * Answers are worked out when they are asked for, one at a time: however many changes there were since the last one,
   * one answer follows, the newest. An answer that equals the last one is left out. The memory does not learn from
   * these recalls. What time alone changes (an episode that expires, a goal whose deadline passes) is seen with the
   * next change.
   *
   * Closing the memory ends the iteration. An answer that fails ends it with its error.
   *
   * ```ts
   * for await (const { matches } of db.live('thai food')) show(matches)
   * ```
   *
   * @throws AgidbError as `recall`, from `next`; `AGIDB_CLOSED`.
   */
  live(cue: string, options?: Omit<RecallOptions, 'signal'> & LiveOptions): LiveQuery<Recall>
  /**
   * The newest episodes that pass a filter, in the order in which they were observed. After new ones only these are
   * read.
   */
  live(which: LiveEpisodes, options?: LiveOptions): LiveQuery<readonly Episode[]>
  /** What a function of the caller's answers, which asks the memory: `db.live(() => db.activeGoals())`. */
  live<T>(ask: () => Promise<T>, options?: LiveOptions): LiveQuery<T>
}
