import type { BrowserOptions } from './runtimes/browser/index.js'
import type { Database } from './api/scope.js'
import { Agidb as edge, type EdgeOptions } from './runtimes/edge/index.js'
import type { Salvaged, SalvageOptions } from './api/salvage.js'
import type { NodeOptions } from './runtimes/node/index.js'

/** A memory; see the methods of {@link Database}. */
export type Agidb = Database

export type * from './api/public.js'
export { AgidbError, type ErrorCode, type ErrorDetails } from './base/errors.js'
export { fitSurpriseProfile } from './memory/sensory/surprise-profile.js'
export type { BrowserOptions, EdgeOptions, NodeOptions }

/**
 * How `agidb` is seen by the compiler, which does not know where the code will run: `open` takes the options of
 * every place, and each place refuses those of the others. The runtime or bundler loads the entry of its place;
 * this one, where it knows of none, is that of the edge.
 */
export const Agidb: {
  /** Opens a memory: in a browser by `name`, in Node, Bun and Deno by `path`, anywhere with `storage: 'memory'`. */
  open(options: BrowserOptions | NodeOptions | EdgeOptions): Promise<Database>
  /** Brings out what can be read of a damaged database of a browser. Elsewhere it rejects with `AGIDB_UNSUPPORTED`. */
  salvage(options: SalvageOptions): Promise<Salvaged>
} = edge
