import type {
  Episode,
  EpisodeId,
  EpisodePatch,
  EpisodeVersion,
  Observation,
  ObserveContext,
  ObserveManyOptions,
  TimeInput,
  UpdateOptions,
} from '../episode.js'
import type { EpisodesOptions } from '../episode-pages.js'
import type { Filter } from '../filter.js'
import { identified } from './identified.js'
import type { Registration } from './method.js'

/** The methods of episodes. */
export interface EpisodeMethods {
  /**
   * Remembers a text. Resolves to its id once it is durable.
   *
   * @throws AgidbError `AGIDB_NOT_FOUND` for a goal or a belief that is not there, `AGIDB_DUPLICATE_ID` for an id that
   * is taken, and the code of what is wrong with a text, a time or another field. Then nothing is stored.
   */
  observe(text: string, context?: ObserveContext): Promise<EpisodeId>
  /**
   * Remembers many texts, in order, one journal flush a batch. All are checked before the first is written.
   *
   * @throws AgidbError as `observe`, naming the item, such as `items[3].goal`; `details.observed` says how many items
   * before it are durable, which is none unless a goal or a belief was forgotten, or the storage failed, meanwhile.
   */
  observeMany(items: readonly Observation[], options?: ObserveManyOptions): Promise<EpisodeId[]>
  /** The episode with this id, or `undefined`. */
  getEpisode(id: EpisodeId): Promise<Episode | undefined>
  /** All episodes in the order in which they were observed, or the newest first, in pages. */
  episodes(options?: EpisodesOptions): AsyncIterable<Episode[]>
  /**
   * Changes what an episode says, in its place: id, order and `recordedAt` stay. From then on everything answers as if
   * it had been observed as it is now. What it said before is kept as a version, unless `options.keep` is false. A
   * patch that changes nothing is no update. Answers the episode as it is now.
   *
   * @throws AgidbError `AGIDB_NOT_FOUND`; for the patch, what `observe` throws; `AGIDB_INVALID_ARGUMENT` for an `at`
   * after the episode was superseded, and for another text of an entry, whose id is the hash of its content.
   */
  update(id: EpisodeId, patch: EpisodePatch, options?: UpdateOptions): Promise<Episode>
  /** What an episode said, oldest first; the last is what it says now. Throws `AGIDB_NOT_FOUND`. */
  history(id: EpisodeId): Promise<EpisodeVersion[]>
  /**
   * How many episodes pass a filter, those that are not true any more included; without one, how many there are.
   *
   * @throws AgidbError that names the part of the filter which is wrong.
   */
  count(filter?: Filter): Promise<number>
  /**
   * Says that `byId` replaces `id` from the valid time `at` on (default: when `byId` began, but not before `id` did).
   * `byId` may be replaced itself, before or after: each episode of such a chain is true until the next takes its
   * place. An episode is replaced once, and a chain is no circle.
   *
   * @throws AgidbError `AGIDB_NOT_FOUND`; `AGIDB_INVALID_ARGUMENT` for an episode that is replaced already, for a
   * circle, and for an `at` before `id` began.
   */
  supersede(id: EpisodeId, byId: EpisodeId, at?: TimeInput): Promise<void>
}

export const episodeMethods: Registration<EpisodeMethods> = {
  observe: {
    effect: 'writes',
    withIds: ([text, context = {}, ...rest], newId) => [text, identified(context, newId), ...rest],
  },
  observeMany: {
    effect: 'writes',
    input: 'items',
    interruption: { options: 1, rejects: 'when-answered' },
    repeated: 'resumed',
    withIds: ([items, ...rest], newId) => [
      Array.isArray(items) ? items.map((item) => identified(item, newId)) : items,
      ...rest,
    ],
  },
  getEpisode: { effect: 'reads' },
  episodes: { effect: 'reads', output: 'pages' },
  update: { effect: 'writes', repeated: { reread: 'getEpisode' } },
  history: { effect: 'reads' },
  count: { effect: 'reads' },
  supersede: { effect: 'writes' },
}
