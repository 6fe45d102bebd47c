import { useSyncExternalStore } from 'react'
import type { Episode, EpisodeId } from '../../api/episode.js'
import type { Goal } from '../../api/goal.js'
import type { LiveEpisodes } from '../../api/live.js'
import type { Recall } from '../../api/recall.js'
import type { Database } from '../../api/scope.js'
import { type LiveValue, PENDING, type Snapshot } from '../store/live-value.js'
import type { LiveRecallOptions } from '../store/store.js'
import { useMemoryStore } from './provider.js'

/** Options of every hook. */
export interface HookOptions {
  /**
   * Whether a component waits for the first answer as `<Suspense>` has it, and throws an error to the nearest error
   * boundary. Default false: the status says how far it is.
   */
  readonly suspense?: boolean
}

const pending = (): Snapshot<never> => PENDING

/** What a recall answers, now and after each change that makes it another one. */
export function useRecall(cue: string, options: LiveRecallOptions & HookOptions = {}): Snapshot<Recall> {
  const { suspense, ...asked } = options
  return useLive(useMemoryStore().recall(cue, asked), suspense)
}

/** The newest episodes that pass, in the order in which they were observed. */
export function useMemories(which: LiveEpisodes & HookOptions = {}): Snapshot<readonly Episode[]> {
  const { suspense, ...listed } = which
  return useLive(useMemoryStore().memories(listed), suspense)
}

/** One episode; its value is `undefined` where there is none with this id. */
export function useMemory(id: EpisodeId, { suspense }: HookOptions = {}): Snapshot<Episode | undefined> {
  return useLive(useMemoryStore().memory(id), suspense)
}

/** The active goals. */
export function useGoals({ suspense }: HookOptions = {}): Snapshot<readonly Goal[]> {
  return useLive(useMemoryStore().goals(), suspense)
}

/** What a function answers that asks the memory; `key` names the question. */
export function useAsk<T>(key: string, ask: (db: Database) => Promise<T>, { suspense }: HookOptions = {}): Snapshot<T> {
  return useLive(useMemoryStore().ask(key, ask), suspense)
}

function useLive<T>(value: LiveValue<T>, suspense = false): Snapshot<T> {
  const snapshot = useSyncExternalStore<Snapshot<T>>(value.subscribe, value.getSnapshot, pending)
  if (!suspense || snapshot.status === 'ready') return snapshot
  if (snapshot.status === 'failed') throw snapshot.error
  throw value.ready()
}
