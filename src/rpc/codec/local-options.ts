import type { MethodSpec } from '../../api/methods/method.js'
import type { Progress } from '../../base/progress.js'

/** A progress callback, on the side that made it. */
export type ProgressCallback = (progress: Progress) => void

/** The options of a call that stay in the thread of its caller: neither a signal nor a function can be cloned. */
export interface LocalOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: ProgressCallback
}

/**
 * Takes the local options out of the arguments of a call, where the registry says that its method has some. Options
 * that are no object cross as they are: the engine refuses them.
 */
export function takeLocalOptions(
  { interruption }: MethodSpec,
  args: readonly unknown[],
): [crossing: readonly unknown[], local: LocalOptions] {
  if (interruption === undefined) return [args, {}]
  const options = args[interruption.options]
  if (typeof options !== 'object' || options === null) return [args, {}]
  const { signal, onProgress, ...crossing } = options as LocalOptions
  const sent = [...args]
  sent[interruption.options] = crossing
  return [sent, { signal, onProgress }]
}

/** The inverse, in the thread of the engine: `local` is what stands there for the options of the caller. */
export function addLocalOptions(
  { interruption }: MethodSpec,
  args: readonly unknown[],
  local: LocalOptions,
): readonly unknown[] {
  if (interruption === undefined) return args
  const options = args[interruption.options]
  if (options === null || (options !== undefined && typeof options !== 'object')) return args
  const given = [...args]
  given[interruption.options] = { ...(options as object), ...local }
  return given
}
