import type { Episode, EpisodeId } from '../../api/episode.js'
import type { Goal } from '../../api/goal.js'
import type { LiveEpisodes, LiveQuery } from '../../api/live.js'
import type { Recall, RecallOptions } from '../../api/recall.js'
import type { Database } from '../../api/scope.js'
import { liveValue, type LiveValue } from './live-value.js'

/** Options of a live recall: those of `recall` that are plain data. */
export type LiveRecallOptions = Omit<RecallOptions, 'signal' | 'image' | 'audio' | 'video' | 'own' | 'latents'>

/** Answers of a memory that stay up to date. The same question gives the same object while it is in use. */
export interface MemoryStore {
  /** The memory. */
  readonly db: Promise<Database>
  /** What `recall` answers. */
  recall(cue: string, options?: LiveRecallOptions): LiveValue<Recall>
  /** The newest episodes that pass. */
  memories(which?: LiveEpisodes): LiveValue<readonly Episode[]>
  /** One episode; `undefined` where there is none with this id. */
  memory(id: EpisodeId): LiveValue<Episode | undefined>
  /** The active goals. */
  goals(): LiveValue<readonly Goal[]>
  /** What a function answers that asks the memory. `key` names the question: the same key is the same question. */
  ask<T>(key: string, ask: (db: Database) => Promise<T>): LiveValue<T>
}

/**
 * Makes a store of answers that stay up to date, for any framework.
 *
 * @param db a memory, or the promise of one. Who opened it closes it.
 */
export function memoryStore(db: Database | PromiseLike<Database>): MemoryStore {
  const opened = Promise.resolve(db)
  // Whoever asks is told.
  opened.catch(() => {})
  const inUse = new Map<string, LiveValue<unknown>>()

  const value = <T>(question: readonly unknown[], ask: (db: Database) => LiveQuery<T>): LiveValue<T> => {
    const key = JSON.stringify(question)
    const known = inUse.get(key)
    if (known !== undefined) return known as LiveValue<T>
    const made = liveValue(async () => ask(await opened), {
      begins: () => void (inUse.has(key) || inUse.set(key, made as LiveValue<unknown>)),
      // Another one may have taken its place.
      idles: () => void (inUse.get(key) === made && inUse.delete(key)),
    })
    inUse.set(key, made as LiveValue<unknown>)
    return made
  }

  return {
    db: opened,
    recall: (cue, options = {}) => value(['recall', cue, options], (db) => db.live(cue, options)),
    memories: (which = {}) => value(['memories', which], (db) => db.live(which)),
    memory: (id) => value(['memory', id], (db) => db.live(() => db.getEpisode(id))),
    goals: () => value<readonly Goal[]>(['goals'], (db) => db.live(() => db.activeGoals())),
    ask: (key, ask) => value(['ask', key], (db) => db.live(() => ask(db))),
  }
}
