import type { Database } from '../../api/scope.js'
import type { AdapterPlace, MemoryPlace, OpenOptions } from '../../api/open-options.js'
import { checkKeys, checkStorage } from '../../api/check.js'
import { AgidbError } from '../../base/errors.js'
import { optionsOf } from '../../api/option-table.js'
import { customStorage } from '../../storage/adapters/custom.js'
import { memoryStorage } from '../../storage/adapters/memory.js'
import { openInIsolate } from './open.js'

/** Options of `Agidb.open` on the edge. */
export type EdgeOptions = OpenOptions & (MemoryPlace | AdapterPlace)

/** A memory; see the methods of {@link Database}. */
export type Agidb = Database

export type * from '../../api/public.js'
export { AgidbError, type ErrorCode, type ErrorDetails } from '../../base/errors.js'
export { type AskModel, extractWith, type ExtractWithOptions } from '../../extraction/llm/extract-with.js'
export { fitSurpriseProfile } from '../../memory/sensory/surprise-profile.js'

export const Agidb = {
  /**
   * Opens a database in this isolate. Where WebAssembly may not be compiled from bytes (Cloudflare), pass `kernel`:
   * `import kernel from 'agidb/kernel.wasm'`; without it the TypeScript kernel runs, which gives the same answers more
   * slowly.
   *
   * @throws AgidbError `AGIDB_KERNEL`; `AGIDB_UNKNOWN_OPTION`; `AGIDB_INVALID_ARGUMENT`
   */
  async open(options: EdgeOptions): Promise<Database> {
    checkKeys('open', options, optionsOf('edge'))
    const { storage } = options ?? {}
    checkStorage(storage)
    const place = storage === 'memory' ? memoryStorage() : customStorage(storage)
    return (await openInIsolate(place, options)).database
  },

  /**
   * Salvage is for browsers.
   *
   * @throws AgidbError `AGIDB_UNSUPPORTED` always: there are no files of agidb on the edge.
   */
  async salvage(): Promise<never> {
    throw new AgidbError('AGIDB_UNSUPPORTED', 'there is nothing to salvage here: on the edge a memory has no files')
  },
}
