import type { Agidb as Memory } from '../../api/agidb.js'
import { methodAt, putMethod } from '../../api/method-path.js'
import { METHODS } from '../../api/registry.js'
import type { Encoders } from '../../api/encoder.js'
import { type Database, withScopes } from '../../api/scope.js'
import type { MemoryPlace, OpenOptions } from '../../api/open-options.js'
import { checkChoice, checkDurability, checkFlag, checkKeys, invalid, isStorageAdapter } from '../../api/check.js'
import { checkEncryptionSecret } from '../../api/encryption-option.js'
import { OPEN_OPTIONS, optionsOf } from '../../api/option-table.js'
import { AgidbError } from '../../base/errors.js'
import type { Salvaged, SalvageOptions } from '../../api/salvage.js'
import { encodeOpenOptions } from '../../rpc/codec/open-options.js'
import { connect, salvage } from '../../rpc/worker/connect.js'
import { isHere } from './here.js'

/** Options of `Agidb.open` in a browser: a `name`, or `storage: 'memory'`. */
export type BrowserOptions = OpenOptions & BrowserOnlyOptions & (NamedPlace | MemoryPlace)

/** A memory of this origin. */
export interface NamedPlace {
  /** Under this name: an OPFS journal and IndexedDB rows. */
  readonly name: string
  readonly storage?: undefined
  readonly path?: undefined
}

/** Options that only browsers take. */
export interface BrowserOnlyOptions {
  /**
   * Ask the browser to keep the memory when room is short, when one is opened that holds something. Some browsers then
   * ask the user. Default true; whether it was granted says `stats().room.persisted`.
   */
  readonly persist?: boolean
  /**
   * The engine worker, for a bundler that does not understand `new Worker(new URL(…, import.meta.url))`:
   * a module worker that runs `agidb/worker`, or a function that makes one. The database owns it and
   * ends it on `close`. Default: the worker beside this library.
   */
  readonly worker?: Worker | (() => Worker)
}

/** A memory; see the methods of {@link Database}. */
export type Agidb = Database

export type * from '../../api/public.js'
export { AgidbError, type ErrorCode, type ErrorDetails } from '../../base/errors.js'
export { type AskModel, extractWith, type ExtractWithOptions } from '../../extraction/llm/extract-with.js'
export { fitSurpriseProfile } from '../../memory/sensory/surprise-profile.js'

export const Agidb = {
  /**
   * Opens a database in an engine worker of its own. Several tabs may have the same one open: the engine of one of them
   * answers all, with the options that it was opened with but for `writer` and `readOnly`, and when it goes another
   * takes over (see docs/architecture.md).
   *
   * @throws AgidbError `AGIDB_IN_USE` when a tab that does not answer, or another program, has it open;
   * `AGIDB_NOT_FOUND` when it is to be read only and is not there; `AGIDB_WORKER` when the worker cannot start;
   * `AGIDB_KERNEL`; `AGIDB_UNSUPPORTED`; `AGIDB_NEWER_FORMAT`; `AGIDB_FOREIGN_FILE`; `AGIDB_CORRUPT`;
   * `AGIDB_UNKNOWN_OPTION`; `AGIDB_INVALID_ARGUMENT`
   */
  async open(options: BrowserOptions): Promise<Database> {
    checkKeys('open', options, optionsOf('browser'))
    const { storage, worker, persist = OPEN_OPTIONS.persist.default, ...rest } = options ?? {}
    checkPlace(storage, rest.name)
    if (typeof persist !== 'boolean') throw invalid('persist must be true or false', { option: 'persist' })
    checkFlag('readOnly', rest.readOnly)
    checkDurability(rest.durability, storage)
    if (storage !== undefined && rest.readOnly)
      throw invalid("readOnly needs a database that is kept; storage: 'memory' begins empty", { option: 'readOnly' })
    // Encoded for each worker, since what is transferred to one is gone here.
    const open = async (place: object) => {
      const crossing = encodeOpenOptions({ ...rest, ...place }) // which refuses what is wrong before a worker starts
      return encodingHere(await connect(startWorker(worker), crossing), rest.encoders)
    }
    const db = await open({})
    if (persist && storage === undefined) void askToPersist(db).catch(() => {})
    return withScopes(
      db,
      async (key) => {
        if (worker !== undefined && typeof worker !== 'function') throw needsWorkers()
        return open(storage === undefined ? { name: `${rest.name}~${key}` } : {})
      },
      async (...given) => (await import('./listening/listening.js')).listen(rest, ...given),
    )
  },

  /**
   * Brings out what can be read of a database that cannot be opened any more, since its journal is damaged and
   * IndexedDB does not have what that lacks: as an export, for `import` into a database of another name, and as the
   * files themselves. Nothing is changed, unless it is to `repair` the database: then it can be opened again with what
   * could be read, and the damaged files are kept whole beside it. What was changed or removed by a commit that cannot
   * be read is found as it was before.
   *
   * @throws AgidbError `AGIDB_NOT_FOUND`; `AGIDB_IN_USE`; `AGIDB_CORRUPT` when nothing is found and it is not to
   * `repair`; `AGIDB_NEWER_FORMAT`; `AGIDB_QUOTA`; `AGIDB_STORAGE`; `AGIDB_UNSUPPORTED` without OPFS; `AGIDB_WORKER`;
   * `AGIDB_PASSPHRASE` for a database that is encrypted, without the `encryption` that opens it; `AGIDB_CORRUPT`
   * where its keys are missing; `AGIDB_UNKNOWN_OPTION`; `AGIDB_INVALID_ARGUMENT`
   */
  async salvage(options: SalvageOptions & Pick<BrowserOnlyOptions, 'worker'>): Promise<Salvaged> {
    checkKeys('salvage', options, ['name', 'passphrase', 'encryption', 'repair', 'worker'])
    const { worker, ...rest } = options ?? {}
    checkPlace(undefined, rest.name)
    checkFlag('repair', rest.repair)
    checkEncryptionSecret(rest.encryption)
    return salvage(startWorker(worker), rest)
  },
}

/** A memory whose page encodes what cannot be sent to its worker. */
function encodingHere(db: Memory, encoders: Encoders | undefined): Memory {
  for (const [method, { crossing }] of encoders ? Object.entries(METHODS) : []) {
    if (crossing === undefined) continue
    const send = methodAt(db, method)
    const encoded = async (args: readonly unknown[]) =>
      args.some(isHere) ? (await import('./encoded-here.js')).encodedHere(args, encoders!) : args
    putMethod(db, method, async (...args: unknown[]) => send(...(await encoded(args))))
  }
  return db
}

/**
 * Asks the browser not to delete the memory when room is short: when one is opened that holds something, which is when
 * there is something to lose, and browsers grant it sooner to a page that is used again.
 */
async function askToPersist(db: Memory): Promise<void> {
  const { episodes, room } = await db.stats()
  if (episodes > 0 && room?.persisted === false) await navigator.storage.persist()
}

function checkPlace(storage: unknown, name: unknown): void {
  if (isStorageAdapter(storage))
    throw invalid(
      'storage takes no adapter in a browser, because its functions cannot cross to the engine worker: ' +
        "pass a name, or storage: 'memory'",
      { option: 'storage' },
    )
  if (storage !== undefined) checkChoice('storage', storage, ['memory'])
  if (storage !== undefined && name !== undefined)
    throw invalid("open takes a name or storage: 'memory', not both", { option: 'name' })
  if (storage === undefined && (typeof name !== 'string' || name.trim() === '' || /\p{Surrogate}/u.test(name))) {
    throw invalid("open needs a name (a string that is not empty, of valid Unicode), or storage: 'memory'", {
      option: 'name',
    })
  }
}

function needsWorkers(): AgidbError {
  return new AgidbError(
    'AGIDB_UNSUPPORTED',
    'a scope needs a worker of its own: pass open({ worker }) a function that makes one, not a worker',
    { option: 'worker' },
  )
}

function startWorker(worker: BrowserOnlyOptions['worker']): Worker {
  if (worker === undefined && typeof Worker === 'undefined') {
    throw new AgidbError(
      'AGIDB_UNSUPPORTED',
      'no worker can be started here, as in service workers and shared workers: ' +
        'open the database in a page or a dedicated worker',
    )
  }
  let made: Worker
  try {
    made =
      typeof worker === 'function'
        ? worker()
        : (worker ??
          new Worker(new URL('../../../workers/engine.js', import.meta.url), { type: 'module', name: 'agidb' }))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    // Browsers refuse the script of a worker that comes from another origin than the page.
    const standalone =
      error instanceof DOMException && error.name === 'SecurityError'
        ? '; a page that takes the library from another origin imports agidb/standalone'
        : ''
    throw new AgidbError(
      'AGIDB_WORKER',
      `the engine worker could not be started: ${reason}${standalone}`,
      {},
      { cause: error },
    )
  }
  if (typeof (made as Worker | undefined)?.terminate !== 'function')
    throw invalid('worker must be a Worker, or a function that makes one', { option: 'worker' })
  return made
}
