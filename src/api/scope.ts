import { AgidbError } from '../base/errors.js'
import { encodeUtf8 } from '../base/utf8.js'
import { subtle } from '../base/web-crypto.js'
import { toHex } from '../base/hex.js'
import type { Agidb } from './agidb.js'
import type { ChangeListener } from './change.js'
import { checkName, DEFAULT_LIMITS, invalid } from './check.js'
import type { ListenMethods, ListenOptions, CapturedStream, Listening } from './listen.js'
import type { LiveMethods } from './live.js'
import { LiveQueries } from './live-queries.js'
import { frozen, methodAt, putMethod } from './method-path.js'
import type { MethodSpec, MethodTable } from './methods/method.js'
import { METHODS } from './registry.js'

/** Names by kind, at most. */
const MAX_NAMES = 16

/** Whose memory it is, as names by kind: `{ user: 'ann', agent: 'helper' }`. 1 to 16 names of 1 to 1,024 bytes. */
export type ScopeNames = Readonly<Record<string, string>>

/** The method that gives the memories within a memory. */
export interface ScopeMethods {
  /**
   * The memory of a user, an agent or a project, as the names say. It reads and writes only its own episodes and has
   * its own word statistics, so no answer depends on what another scope stored. It is stored beside this memory, and
   * shares its kernel and codebook where both are in one thread. The first call of one of its methods creates it.
   * `db.scope(a).scope(b)` is `db.scope({ ...a, ...b })`.
   *
   * Its `close()` closes this scope alone; closing this memory closes all of its scopes.
   *
   * @throws AgidbError `AGIDB_INVALID_ARGUMENT`; `AGIDB_TOO_LARGE`; `AGIDB_CLOSED`. Its methods reject with what
   * opening throws: `AGIDB_UNSUPPORTED` where the storage adapter has no `scope`.
   */
  scope(names: ScopeNames): Database
}

/** A memory with those within it, live queries and continuous capture: what `Agidb.open` gives. */
export interface Database extends Agidb, ScopeMethods, LiveMethods, ListenMethods {}

/**
 * Opens the memory of a scope.
 *
 * @param key 32 hexadecimal digits that stand for its names.
 */
export type OpenScope = (key: string) => Promise<Agidb>

/**
 * Begins to listen for a memory, or says why it cannot.
 *
 * @param closing fires when the memory is closed.
 */
export type Listen = (
  db: Agidb,
  stream: CapturedStream,
  options: ListenOptions | undefined,
  closing: AbortSignal,
) => Promise<Listening>

/** A memory whose scopes are opened by `open`. */
export function withScopes(db: Agidb, open: OpenScope, listen: Listen, methods: MethodTable = METHODS): Database {
  return new Scopes(db, open, listen, methods).database(db, {})
}

/** The scopes of a memory that are in use. */
class Scopes {
  readonly #open: OpenScope
  readonly #listen: Listen
  readonly #methods: MethodTable
  readonly #root: Agidb
  readonly #inUse = new Map<string, Scope>()
  #isClosed = false

  constructor(root: Agidb, open: OpenScope, listen: Listen, methods: MethodTable) {
    this.#root = root
    this.#open = open
    this.#listen = listen
    this.#methods = methods
  }

  /** A memory with {@link ScopeMethods.scope}; `names` are its own. */
  database(db: Agidb, names: ScopeNames): Database {
    // Made when it is first needed: an edge worker that opens a memory while it starts may not make one yet.
    let made: AbortController | undefined
    const closing = () => (made ??= new AbortController())
    const close = () => {
      queries.end()
      closing().abort()
      return db === this.#root ? this.#close() : db.close()
    }
    const dispose = Symbol.asyncDispose === undefined ? {} : { [Symbol.asyncDispose]: close }
    // Methods may be those of a class, which a copy of the object would not have.
    const view = { ...dispose } as Record<PropertyKey, unknown> & Agidb
    for (const [method, { output }] of Object.entries(this.#methods)) {
      const call = methodAt(db, method)
      // The memory is open until its scopes are closed, and takes no calls meanwhile.
      const guarded = (...args: unknown[]): unknown => (this.#isClosed ? refused(output) : call(...args))
      putMethod(view, method, method === 'close' ? close : guarded)
    }
    const queries = new LiveQueries(view)
    view.scope = (inner: ScopeNames) => this.#scope({ ...names, ...checkedNames(inner) })
    view.live = queries.live.bind(queries)
    view.listen = (stream: CapturedStream, options?: ListenOptions) =>
      this.#listen(view, stream, options, closing().signal)
    return frozen(view, this.#methods) as unknown as Database
  }

  #scope(names: ScopeNames): Database {
    if (this.#isClosed) throw closed()
    const canonical = JSON.stringify(Object.entries(names).sort(([a], [b]) => (a < b ? -1 : 1)))
    const inUse = this.#inUse.get(canonical)
    if (inUse !== undefined && inUse.closing === undefined) return inUse.database
    const scope = new Scope(
      async () => this.#open(await keyOf(canonical)),
      inUse?.closing,
      this.#methods,
      () => {
        if (this.#inUse.get(canonical) === scope) this.#inUse.delete(canonical)
      },
    )
    scope.database = this.database(scope.memory, names)
    this.#inUse.set(canonical, scope)
    return scope.database
  }

  async #close(): Promise<void> {
    this.#isClosed = true
    const scopes = Array.from(this.#inUse.values(), ({ database }) => database.close())
    await Promise.allSettled(scopes)
    await this.#root.close()
    await Promise.all(scopes) // rejects where one could not be closed
  }
}

/** One scope: its memory is opened when it is first asked. */
class Scope {
  /** The memory as its methods; each waits until it is open. */
  readonly memory: Agidb
  declare database: Database
  /** Set from the call of `close` on. */
  closing: Promise<void> | undefined
  readonly #open: () => Promise<Agidb>
  readonly #before: Promise<void>
  readonly #closed: () => void
  #opening: Promise<Agidb> | undefined
  /** Each begins to listen, once the scope is opened: it could not be when it was subscribed. */
  readonly #unheard = new Set<(db: Agidb) => void>()

  /** @param before resolves when the place is free: an earlier handle of this scope may be closing. */
  constructor(open: () => Promise<Agidb>, before: Promise<void> | undefined, methods: MethodTable, closed: () => void) {
    this.#open = open
    this.#before = Promise.resolve(before).catch(() => {}) // who closed it was told
    this.#closed = closed
    const memory: Record<string, unknown> = {}
    for (const [method, { output }] of Object.entries(methods)) {
      if (method === 'close') memory[method] = () => this.#close()
      else if (output === 'changes') memory[method] = (listener: ChangeListener) => this.#subscribe(listener)
      else if (output === 'pages') memory[method] = (...args: unknown[]) => this.#pages(method, args)
      else putMethod(memory, method, async (...args: unknown[]) => methodAt(await this.#opened(), method)(...args))
    }
    this.memory = memory as unknown as Agidb
  }

  /** @throws AgidbError `AGIDB_CLOSED`, at once. What opening throws it rejects with. */
  #opened(): Promise<Agidb> {
    if (this.closing !== undefined)
      throw new AgidbError('AGIDB_CLOSED', 'the scope is closed; call scope again to use it')
    this.#opening ??= this.#before.then(this.#open).then(
      (db) => {
        this.#unheard.forEach((begin) => begin(db))
        this.#unheard.clear()
        return db
      },
      (error: unknown) => {
        this.#opening = undefined // it is tried again with the next call
        throw error
      },
    )
    return this.#opening
  }

  async *#pages(method: string, args: readonly unknown[]): AsyncGenerator<unknown, void, undefined> {
    yield* methodAt(await this.#opened(), method)(...args) as AsyncIterable<unknown>
  }

  #subscribe(listener: ChangeListener): () => void {
    if (typeof listener !== 'function')
      throw invalid('subscribe takes a function that takes a change', { what: 'listener' })
    let isEnded = false
    let end = () => {}
    const begin = (db: Agidb): void => {
      if (!isEnded) end = db.subscribe(listener)
    }
    // Where it cannot be opened nothing changes until it can, and the next call of a method says why.
    this.#opened()
      .then(begin)
      .catch(() => !isEnded && this.#unheard.add(begin))
    return () => {
      isEnded = true
      this.#unheard.delete(begin)
      end()
    }
  }

  #close(): Promise<void> {
    this.closing ??= (this.#opening ?? this.#before)
      .then(
        (db) => db?.close(),
        () => {},
      )
      .finally(this.#closed)
    return this.closing
  }
}

function closed(): AgidbError {
  return new AgidbError('AGIDB_CLOSED', 'the database is closed; open it again to use it')
}

/** What a method answers after `close`, in the form of its other answers. */
function refused(output: MethodSpec['output']): unknown {
  if (output === 'changes') throw closed()
  return output === 'pages' ? refusedPages() : Promise.reject(closed())
}

async function* refusedPages(): AsyncGenerator<never> {
  throw closed()
}

/** @throws AgidbError unless it is an object of names. */
function checkedNames(names: ScopeNames): ScopeNames {
  const what = 'the names of a scope'
  if (typeof names !== 'object' || names === null || Array.isArray(names))
    throw invalid(`${what} must be an object such as { user: 'ann' }`, { what: 'names' })
  const entries = Object.entries(names)
  if (entries.length === 0) throw invalid(`${what} are missing; expected at least one, such as { user: 'ann' }`, {})
  if (entries.length > MAX_NAMES)
    throw invalid(`${what} are ${entries.length}; at most ${MAX_NAMES} are accepted`, { limit: MAX_NAMES })
  for (const [kind, name] of entries) {
    checkName('the kind of a name', kind, DEFAULT_LIMITS)
    if (name === undefined) throw invalid(`scope.${kind} is undefined; expected a name`, { what: kind })
    checkName(`scope.${kind}`, name, DEFAULT_LIMITS)
  }
  return names
}

/** The first 16 bytes of the SHA-256 of the names, as hexadecimal digits: a name that every place can store under. */
async function keyOf(canonical: string): Promise<string> {
  const digest = new Uint8Array(await subtle().digest('SHA-256', encodeUtf8(`agidb/scope/${canonical}`)))
  return toHex(digest.subarray(0, 16))
}
