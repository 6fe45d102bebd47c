import * as errors from '../../base/errors.js'
import * as episode from '../../records/kinds/episode.js'
import * as registry from '../../records/registry.js'

/**
 * Modules that the parts of the worker share with it, by the names that tools/build-parts.ts gives them: those whose
 * classes and kinds have to be the same ones in both.
 */
export const SHARED = { errors, episode, registry }

export type Shared = typeof SHARED
