// What uses IndexedDB: the copy of a journal, and the storage where there is no OPFS. It also checks files. The
// worker of a page loads it when it first needs it.
import { Mirror } from '../../mirror/mirror.js'
import { reconcile } from '../../mirror/reconcile.js'
import { Tables } from '../../mirror/indexeddb.js'
import { checkFiles } from '../../recovery/check.js'
import { indexedDbStorage } from './indexeddb-storage.js'

export { checkFiles, indexedDbStorage, Mirror, reconcile, Tables }

/** The part as the worker gets it. */
export interface Mirroring {
  readonly checkFiles: typeof checkFiles
  readonly indexedDbStorage: typeof indexedDbStorage
  readonly Mirror: typeof Mirror
  readonly reconcile: typeof reconcile
  readonly Tables: typeof Tables
}
