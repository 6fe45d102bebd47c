import type { Stats } from '../core/agidb.js'
import type { ChangeListener, MemoryChange } from '../core/change.js'
import { AgidbError, toWire } from '../core/errors.js'
import { newHandle, randomIds } from '../core/ids.js'
import { Listeners } from '../core/listeners.js'
import { changes, refusedToWrite } from '../core/methods.js'
import { valueOf } from '../core/outcome.js'
import { fromOwnerIn, noticeIn } from './boundary.js'
import { Call } from './call.js'
import { ask, Owner, type Shared } from './owner.js'
import { namesOf, type Channel, type Place } from './place.js'
import type { Asked, FromClient, FromOwner, Notice } from './protocol.js'

/** How often a tab that waits asks its owner for a sign of life, and after how many times without one it deposes it. */
const PING_MS = 500
const SILENT_PINGS = 10
/** For how many times that long an owner that was deposed may hold its files yet, before whoever waits is told: it wakes, and lets go. */
const PATIENT_PINGS = 20
/** How long a tab has been a client before it prepares to be the owner: opening and what is asked first come before that. */
const PREPARE_MS = 1000

export interface TabOptions {
  /** The database. */
  readonly name: string
  readonly place: Place
  /** Opens the engine, in this thread, under this handle; the tab owns it. Called each time the tab becomes the owner. */
  readonly open: (handle: string) => Promise<Shared>
  /** Loads what {@link open} needs beside the data. Called once in a tab that waits, so that it need not be done when it is to own the database. */
  readonly prepare?: () => Promise<unknown>
  /** For provenance. */
  readonly writer: string
  readonly readOnly: boolean
  /** For tests: how often a waiting tab asks for a sign of life, in milliseconds. */
  readonly pingMs?: number
}

/**
 * One of several tabs with the same database. Exactly one at a time owns it, that which holds a Web Lock: its engine has the files open. The
 * others send it their calls. When the lock comes free, because its tab closed, crashed or stepped down, the next one opens the
 * engine, and calls that were not answered are sent again: to whoever is the owner then, or to the engine here.
 */
export class Tab {
  readonly handle = newHandle(Date.now())
  readonly #options: TabOptions
  readonly #names: ReturnType<typeof namesOf>
  readonly #all: Channel
  readonly #pipe: Channel
  readonly #makeId = randomIds()
  readonly #listeners = new Listeners()
  /** Calls without an answer, in order. */
  readonly #inFlight = new Map<number, Call>()
  readonly #alive = new AbortController()
  #calls = 0
  /** While this tab is the owner. */
  #owning: { readonly engine: Shared; readonly owner: Owner } | undefined
  /** While another is, or is about to be, and listens. */
  #term: string | undefined
  /** That of the last that had the database open. */
  #lastTerm: string | undefined
  /** While this tab has the lock, but not yet the database. */
  #opening: Owner | undefined
  #leaving = false
  /** Ends the waiting for the lock. */
  #waiting = new AbortController()
  /** Gives the lock back. */
  #release = () => {}
  #released: Promise<void> | undefined
  /** Whether the lock was taken away while the database was being opened. */
  #deposed = false
  #preparing: ReturnType<typeof setTimeout> | undefined
  #ticking: ReturnType<typeof setInterval> | undefined
  #silent = 0
  #wasOpen = false
  #opened!: () => void
  #refused!: (error: unknown) => void
  #failure: unknown
  #closing: Promise<void> | undefined

  constructor(options: TabOptions) {
    this.#options = options
    this.#names = namesOf(options.name)
    this.#all = options.place.channel(this.#names.all)
    this.#pipe = options.place.channel(this.#names.tab(this.handle))
    this.#all.onmessage = ({ data }) => this.#heardAll(noticeIn(data))
    this.#pipe.onmessage = ({ data }) => this.#heard(fromOwnerIn(data))
  }

  /**
   * Resolves when the tab is the owner or has found it.
   *
   * @throws AgidbError what opening the engine throws, if this tab is to be the owner
   */
  async open(): Promise<void> {
    const opened = new Promise<void>((resolve, reject) => {
      this.#opened = resolve
      this.#refused = reject
    })
    await this.#holdLife()
    this.#tick()
    this.#post({ kind: 'hello', from: this.handle })
    this.#queue()
    await opened
    this.#wasOpen = true
  }

  /** Calls a method, wherever the engine is. */
  async call(method: Asked, args: readonly unknown[]): Promise<unknown> {
    if (this.#failure !== undefined) throw this.#failure
    if (this.#closing !== undefined) throw closed()
    if (this.#options.readOnly && method !== 'page' && changes(method, args)) throw refusedToWrite(method)
    const call = new Call(++this.#calls, method, args)
    this.#inFlight.set(call.number, call)
    this.#dispatch(call)
    this.#tick()
    try {
      const answer = await call.answered
      return method === 'stats' && this.#owning === undefined ? { ...(answer as Stats), role: 'client' } : answer
    } finally {
      this.#inFlight.delete(call.number)
    }
  }

  subscribe(listener: ChangeListener): () => void {
    if (this.#closing !== undefined) throw closed()
    return this.#listeners.add(listener)
  }

  /** Waits for the calls that were made, and lets go of everything. The next tab in line takes over. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  /** As the owner: lets go of the database, until {@link wake}; a client stays one. For a page that is about to be frozen. */
  async rest(): Promise<void> {
    this.#waiting.abort()
    await this.#leave()
  }

  /** Takes part in the succession again. */
  wake(): void {
    if (this.#closing === undefined && this.#failure === undefined && this.#waiting.signal.aborted) this.#queue()
  }

  async #close(): Promise<void> {
    await Promise.allSettled([...this.#inFlight.values()].map(({ answered }) => answered))
    this.#waiting.abort()
    this.#owning?.engine.forget(this.handle)
    await this.#leave().finally(() => this.#end())
  }

  #end(): void {
    this.#waiting.abort()
    this.#alive.abort()
    clearInterval(this.#ticking)
    clearTimeout(this.#preparing)
    this.#all.close()
    this.#pipe.close()
    this.#listeners.clear()
  }

  /** Holds a lock from now on by which others know that this tab lives. */
  #holdLife(): Promise<void> {
    const { locks } = this.#options.place
    const over = new Promise<void>((resolve) => this.#alive.signal.addEventListener('abort', () => resolve()))
    return new Promise((resolve, reject) => {
      locks.request(this.#names.tab(this.handle), {}, () => (resolve(), over)).catch(reject)
    })
  }

  get #pingMs(): number {
    return this.#options.pingMs ?? PING_MS
  }

  /** Waits in line to be the owner. */
  #queue(): void {
    const waiting = (this.#waiting = new AbortController())
    this.#options.place.locks
      .request(this.#names.owner, { signal: waiting.signal }, async () => {
        if (await this.#take('given')) await this.#released
      })
      .catch((error: unknown) => this.#lost(waiting.signal, error))
  }

  /** Opens the database, for which it has the lock. False when that is to be given back. */
  async #take(lock: 'given' | 'stolen'): Promise<boolean> {
    this.#released = new Promise((resolve) => (this.#release = resolve))
    const { name, place } = this.#options
    const owner = (this.#opening = new Owner(name, place, (notice) => this.#post(notice)))
    this.#deposed = false
    try {
      const engine = await this.#openEngine(lock === 'stolen' ? PATIENT_PINGS * this.#pingMs : 0)
      if (this.#deposed || this.#alive.signal.aborted) {
        owner.close()
        await engine.close()
        if (this.#deposed) this.#queue()
        return false
      }
      this.#term = undefined
      owner.begin(engine, this.handle)
      engine.subscribe((change) => this.#listeners.tell(change))
      this.#owning = { engine, owner }
      this.#begin()
      this.#dispatchAll()
      return true
    } catch (error) {
      owner.close()
      this.#cannotOwn(error)
      return false
    } finally {
      this.#opening = undefined
      this.#tick()
    }
  }

  /** Opens the engine. An owner that was deposed lets go of its files when it wakes: for so many milliseconds that is waited for. */
  async #openEngine(patienceMs: number): Promise<Shared> {
    for (const started = performance.now(); ; ) {
      try {
        return await this.#options.open(this.handle)
      } catch (error) {
        if (toWire(error).code !== 'AGIDB_IN_USE' || performance.now() - started > patienceMs) throw error
        await new Promise((resolve) => setTimeout(resolve, this.#pingMs))
      }
    }
  }

  /** There is an owner, this tab or another, which has the database open. */
  #begin(): void {
    if (this.#wasOpen) {
      const change: MemoryChange = { kind: 'ownerChanged', ids: [], slot: -1, writer: this.#options.writer, from: this.handle, own: false }
      this.#listeners.tell(change)
    }
    this.#opened()
  }

  #dispatchAll(): void {
    for (const call of this.#inFlight.values()) this.#dispatch(call)
  }

  #cannotOwn(error: unknown): void {
    const busy = toWire(error).code === 'AGIDB_IN_USE'
    if (!this.#wasOpen || !busy) {
      this.#failure = error
      this.#refused(error)
      this.#end()
    } else {
      // The one before holds its files yet, as when it is frozen: whoever waits is told, and it goes on trying.
      this.#queue()
    }
    for (const call of this.#inFlight.values()) call.reject(error)
  }

  /** The lock was not granted, or taken away. */
  #lost(waiting: AbortSignal, error: unknown): void {
    if (waiting.aborted || this.#closing !== undefined) return
    if (this.#opening !== undefined) {
      this.#deposed = true
      this.#opening.close()
    } else if (this.#owning === undefined) this.#cannotOwn(error)
    // Deposed, since it gave no sign of life. No commit of this one's can come after the next one's opening: the files are exclusive.
    else void this.#leave().finally(() => this.#queue())
  }

  /** Lets go of the database, if this tab has it. */
  async #leave(): Promise<void> {
    const owning = this.#owning
    if (owning === undefined || this.#leaving) return
    this.#leaving = true
    try {
      await owning.owner.leave([...this.#inFlight.values()].map(({ answered }) => answered))
      await owning.engine.close()
    } finally {
      owning.owner.close()
      this.#owning = undefined
      this.#leaving = false
      this.#release()
      this.#tick()
    }
  }

  /** Gives a call to the engine, wherever that is; if it is nowhere, the call waits until it is somewhere. */
  #dispatch(call: Call): void {
    if (this.#owning !== undefined) {
      if (!this.#leaving) void this.#run(call, this.#owning.engine)
    } else if (this.#term !== undefined) {
      const { writer, readOnly } = this.#options
      call.send((message) => this.#send(message), this.#term, { writer, readOnly, received: this.#received }, this.#makeId)
    }
  }

  /** Runs a call in the engine here: with its number, if another owner may have had it done. */
  async #run(call: Call, engine: Shared): Promise<void> {
    const { writer, readOnly } = this.#options
    const { number, method, args, sent } = call
    try {
      call.resolve(await ask(engine, { writer, readOnly, from: this.handle, ...(sent && { call: number }) }, method, args))
    } catch (error) {
      const { code, details } = toWire(error)
      const undone = code === 'AGIDB_CLOSED' && !details['observed']
      if (undone && this.#closing === undefined) return // it is asked again, of the next owner
      call.reject(error)
    }
  }

  /** The call up to which all are answered. */
  get #received(): number {
    const [first = this.#calls + 1] = this.#inFlight.keys()
    return first - 1
  }

  #heardAll(notice: Notice | undefined): void {
    if (notice === undefined) return
    if (notice.kind === 'hello') {
      return (this.#owning?.owner ?? this.#opening)?.hello(notice.from)
    }
    if (this.#owning !== undefined) return
    this.#silent = 0
    if (notice.kind === 'change') this.#listeners.tell({ ...notice.change, own: notice.change.from === this.handle })
    else if (notice.term !== this.#term) this.#post({ kind: 'hello', from: this.handle })
    else if (notice.kind === 'owner') this.#follows(notice.term)
  }

  #heard(message: FromOwner | undefined): void {
    if (message === undefined || this.#owning !== undefined) return
    this.#silent = 0
    if (message.kind === 'welcome') this.#welcomed(message)
    else if (message.kind === 'progress') this.#inFlight.get(message.call)?.progressed(message.progress)
    else if (message.kind === 'answer') this.#answered(message)
  }

  #answered({ call, outcome }: Extract<FromOwner, { kind: 'answer' }>): void {
    const waiting = this.#inFlight.get(call)
    try {
      waiting?.resolve(valueOf(outcome))
    } catch (error) {
      waiting?.reject(error)
    }
  }

  #welcomed({ term, open }: Extract<FromOwner, { kind: 'welcome' }>): void {
    if (term !== this.#term) {
      this.#term = term
      this.#dispatchAll()
    }
    if (open) this.#follows(term)
  }

  /** Another tab has the database open. */
  #follows(term: string): void {
    if (term === this.#lastTerm) return
    this.#lastTerm = term
    const { prepare } = this.#options
    this.#preparing ??= prepare && setTimeout(() => void prepare().catch(() => {}), PREPARE_MS) // what is wrong shows when it is needed
    this.#begin()
  }

  /** Asks for signs of life for as long as anything waits for another tab, and deposes an owner that gives none. */
  #tick(): void {
    const waits = this.#owning === undefined && this.#opening === undefined && (this.#inFlight.size > 0 || !this.#wasOpen)
    if (!waits || this.#failure !== undefined) {
      clearInterval(this.#ticking)
      this.#ticking = undefined
      return
    }
    if (this.#ticking !== undefined) return
    this.#silent = 0
    // Counted and not timed: a tab that was asleep itself has heard nothing, either.
    this.#ticking = setInterval(() => {
      this.#tick()
      if (this.#ticking === undefined) return
      if (++this.#silent > SILENT_PINGS) return this.#depose()
      this.#post({ kind: 'hello', from: this.handle })
    }, this.#pingMs)
  }

  /** Takes the lock away from an owner that is silent. One tab at a time does so. */
  #depose(): void {
    this.#silent = 0
    if (this.#waiting.signal.aborted) return // resting
    const { locks } = this.#options.place
    const stealing = async (lock: unknown): Promise<void> => {
      if (lock === null) return
      this.#waiting.abort()
      const waiting = (this.#waiting = new AbortController())
      const settled = new Promise<void>((resolve) => {
        locks
          .request(this.#names.owner, { steal: true }, async () => {
            const took = await this.#take('stolen')
            resolve()
            if (took) await this.#released
          })
          .catch((error: unknown) => this.#lost(waiting.signal, error))
          .finally(resolve)
      })
      await settled // nobody else deposes this one before it had its chance
    }
    locks.request(this.#names.thief, { ifAvailable: true }, stealing).catch(() => {})
  }

  #post(notice: Notice): void {
    if (!this.#alive.signal.aborted) this.#all.postMessage(notice)
  }

  #send(message: FromClient): void {
    if (!this.#alive.signal.aborted) this.#pipe.postMessage(message)
  }
}

function closed(): AgidbError {
  return new AgidbError('AGIDB_CLOSED', 'the database is closed; open it again to use it')
}
