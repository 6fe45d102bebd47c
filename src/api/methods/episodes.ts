import type {
  Episode,
  EpisodeId,
  EpisodesOptions,
  Observation,
  ObserveContext,
  ObserveManyOptions,
  TimeInput,
} from '../episode.js'
import type { Registration } from './method.js'

/** The methods of episodes. */
export interface EpisodeMethods {
  /** Remembers a text. Resolves to its id once it is durable. */
  observe(text: string, context?: ObserveContext): Promise<EpisodeId>
  /** Remembers many texts, in order, one journal flush a batch. All are checked before the first is written. */
  observeMany(items: readonly Observation[], options?: ObserveManyOptions): Promise<EpisodeId[]>
  /** The episode with this id, or `undefined`. */
  getEpisode(id: EpisodeId): Promise<Episode | undefined>
  /** All episodes in the order in which they were observed, in pages. */
  episodes(options?: EpisodesOptions): AsyncIterable<Episode[]>
  /** Says that `byId` replaces `id` from the valid time `at` on (default: when `byId` began). */
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
  supersede: { effect: 'writes' },
}

/** What will become an episode, with an id. What is no plain object is left for the engine to refuse. */
function identified(value: unknown, newId: (prefix: string) => string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return (value as { readonly id?: unknown }).id === undefined ? { ...value, id: newId('ep_') } : value
}
