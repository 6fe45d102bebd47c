import type { Caller } from '../api/caller.js'
import type { Episode, EpisodeId, EpisodePatch, UpdateOptions } from '../api/episode.js'
import { loadOnce, ofLoaded } from '../base/load-once.js'
import type { Updater } from './update.js'

/** Changes what episodes say, as an {@link Updater}, which is loaded with the first change where it is not at hand. */
export class LateUpdater {
  readonly #get: () => Promise<Updater>
  #made: Updater | undefined

  /** @param made the updater where it is at hand. */
  constructor(load: () => Promise<Updater>, made?: Updater) {
    this.#made = made
    this.#get = loadOnce(async () => (this.#made = await load()))
  }

  /** The episode that a slot is about to have, as the indexes have it. */
  pending(slot: number): Episode | undefined {
    return this.#made?.pending(slot)
  }

  /** @throws AgidbError as {@link Updater.update}, and `AGIDB_WORKER` where it cannot be loaded. */
  async update(caller: Caller, id: EpisodeId, patch: EpisodePatch, options?: UpdateOptions): Promise<Episode> {
    if (this.#made !== undefined) return this.#made.update(caller, id, patch, options)
    const late = (updater: Updater, ...given: [EpisodeId, EpisodePatch, UpdateOptions?]) =>
      updater.update(caller, ...given)
    return ofLoaded(this.#get, late)(id, patch, options)
  }

  /** See {@link Updater.extracted}. */
  async extracted(...given: Parameters<Updater['extracted']>): Promise<void> {
    return (this.#made ?? (await this.#get())).extracted(...given)
  }

  /** See {@link Updater.restate}. */
  async restate(...given: Parameters<Updater['restate']>): Promise<void> {
    return (this.#made ?? (await this.#get())).restate(...given)
  }
}
