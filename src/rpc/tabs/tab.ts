import type { ChangeListener, MemoryChange } from '../../api/change.js'
import { AgidbError, toWire } from '../../base/errors.js'
import { newHandle, randomIds } from '../../base/ids.js'
import { ENDED, Listeners } from '../../api/listeners.js'
import type { MethodTable } from '../../api/methods/method.js'
import { changes, METHODS, refusedToWrite } from '../../api/registry.js'
import type { Admission } from './admission.js'
import { fromOwnerIn, noticeIn, remoteSpec } from './boundary.js'
import type { Call } from './call.js'
import { Calls } from './calls.js'
import { callEngine, type Shared } from './owner.js'
import { namesOf, type Channel, type TabEnvironment } from './environment.js'
import type { RemoteMethod, FromClient, FromOwner, Notice } from './protocol.js'
import { LeaderElection } from './leader-election.js'
import { Heartbeat, SILENT_PINGS } from './heartbeat.js'

/** How often a tab that waits asks its owner for a sign of life. */
const PING_MS = 500
/**
 * How long a tab has been a client before it prepares to be the owner: opening and what is asked first come before
 * that.
 */
const PREPARE_MS = 1000

export interface TabOptions {
  /** The database. */
  readonly name: string
  readonly place: TabEnvironment
  /**
   * Opens the engine, in this thread, under this handle; the tab owns it. Called each time the tab becomes the owner.
   */
  readonly open: (handle: string) => Promise<Shared>
  /**
   * Loads what {@link open} needs beside the data. Called once in a tab that waits, so that it need not be done when it
   * is to own the database.
   */
  readonly prepare?: () => Promise<unknown>
  /** For provenance. */
  readonly writer: string
  readonly readOnly: boolean
  /** The methods that tabs may call. Default: the registry. */
  readonly methods?: MethodTable
  /** What is encrypted by what this tab was opened with. Default: nothing, and no other tab is asked. */
  readonly admission?: Admission
  /** For tests: how often a waiting tab asks for a sign of life, in milliseconds. */
  readonly pingMs?: number
}

/**
 * One of several tabs with the same database. Exactly one at a time owns it, that which holds a Web Lock: its engine
 * has the files open. The others send it their calls. When the lock comes free, because its tab closed, crashed or
 * stepped down, the next one opens the engine, and calls that were not answered are sent again: to the tab that is the
 * owner then, or to the engine of this tab.
 */
export class Tab {
  readonly handle = newHandle(Date.now())
  readonly #options: TabOptions
  readonly #names: ReturnType<typeof namesOf>
  readonly #all: Channel
  readonly #pipe: Channel
  readonly #makeId = randomIds()
  readonly #listeners = new Listeners()
  readonly #calls = new Calls()
  readonly #alive = new AbortController()
  readonly #election: LeaderElection
  readonly #heartbeat: Heartbeat
  /** While another is, or is about to be, and listens. */
  #term: string | undefined
  /** That of the last that had the database open. */
  #lastTerm: string | undefined
  /** Whether a passphrase or a key opens the memory of the owner. */
  #isLocked: boolean | undefined
  #preparing: ReturnType<typeof setTimeout> | undefined
  #wasOpen = false
  #opened!: () => void
  #refused!: (error: unknown) => void
  #failure: unknown
  #closing: Promise<void> | undefined

  constructor(options: TabOptions) {
    this.#options = options
    this.#names = namesOf(options.name)
    const { place, pingMs = PING_MS } = options
    this.#election = new LeaderElection({
      ...options,
      handle: this.handle,
      names: this.#names,
      pingMs,
      alive: this.#alive.signal,
      isClosing: () => this.#closing !== undefined,
      open: () => options.open(this.handle),
      began: (engine) => this.#owns(engine),
      cannotOwn: (error) => this.#cannotOwn(error),
      unanswered: () => this.#calls.answers,
      changed: () => this.#heartbeat.tick(),
      post: (notice) => this.#post(notice),
    })
    this.#heartbeat = new Heartbeat({
      everyMs: pingMs,
      waits: () => this.#waits(),
      ask: () => this.#post({ kind: 'hello', from: this.handle }),
      silent: () => {
        if (place.stealsFromOwner === false) this.#cannotOwn(silent(pingMs), false)
        else this.#election.depose()
      },
    })
    this.#all = options.place.channel(this.#names.all)
    this.#pipe = options.place.channel(this.#names.tab(this.handle))
    place.onReached = () => this.#reached()
    this.#all.onmessage = ({ data }) => this.#heardAll(noticeIn(data))
    this.#pipe.onmessage = ({ data }) => this.#heard(fromOwnerIn(data))
  }

  /**
   * Resolves when the tab is the owner or has found it.
   *
   * @throws AgidbError what opening the engine throws, if this tab is to be the owner; what refuses it admission, if
   * another one is
   */
  async open(): Promise<void> {
    const opened = new Promise<void>((resolve, reject) => {
      this.#opened = resolve
      this.#refused = reject
    })
    await this.#holdLife()
    this.#heartbeat.tick()
    this.#post({ kind: 'hello', from: this.handle })
    this.#election.queue()
    await opened
    const { admission } = this.#options
    if (admission && !this.#election.engine && (this.#isLocked || admission.encryption)) {
      try {
        const { askAdmission } = await admission.load()
        await askAdmission(admission.encryption, (asked) => this.call('admit', [asked]))
      } catch (error) {
        await this.close()
        throw error
      }
    }
    this.#wasOpen = true
  }

  /** Calls a method, wherever the engine is. */
  async call(method: RemoteMethod, args: readonly unknown[]): Promise<unknown> {
    if (this.#failure !== undefined) throw this.#failure
    if (this.#closing !== undefined) throw closed()
    const { readOnly, methods = METHODS } = this.#options
    const spec = remoteSpec(method, methods)
    if (readOnly && changes(method, args, methods)) throw refusedToWrite(method)
    const call = this.#calls.begin(method, spec, args)
    this.#dispatch(call)
    this.#heartbeat.tick()
    try {
      const answer = await call.answered
      return this.#election.engine === undefined && spec.relayed ? spec.relayed(answer) : answer
    } finally {
      this.#calls.end(call)
    }
  }

  subscribe(listener: ChangeListener): () => void {
    if (this.#closing !== undefined) throw closed()
    return this.#listeners.add(listener)
  }

  /** Waits for the calls that were made, and closes everything. The next tab in line takes over. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  /**
   * As the owner: closes the database, until {@link resume}; a client stays one. For a page that is about to be
   * frozen.
   */
  async pause(): Promise<void> {
    this.#election.stopWaiting()
    await this.#election.leave()
  }

  /** Takes part in the election of the owner again. */
  resume(): void {
    if (this.#closing === undefined && this.#failure === undefined && this.#election.isPaused) this.#election.queue()
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#calls.answers)
    this.#election.stopWaiting()
    this.#election.engine?.forget(this.handle)
    await this.#election.leave().finally(() => {
      this.#end()
      this.#listeners.clear()
    })
  }

  #end(): void {
    this.#election.stopWaiting()
    this.#alive.abort()
    this.#heartbeat.end()
    clearTimeout(this.#preparing)
    this.#all.close()
    this.#pipe.close()
  }

  /** Holds a lock from now on by which others know that this tab lives. */
  #holdLife(): Promise<void> {
    const { locks } = this.#options.place
    const over = new Promise<void>((resolve) => this.#alive.signal.addEventListener('abort', () => resolve()))
    return new Promise((resolve, reject) => {
      locks.request(this.#names.tab(this.handle), {}, () => (resolve(), over)).catch(reject)
    })
  }

  /** Whether anything waits for another tab. */
  #waits(): boolean {
    const here = this.#election.engine !== undefined || this.#election.isOpening
    return (
      !here && (this.#calls.size > 0 || !this.#wasOpen) && this.#failure === undefined && !this.#alive.signal.aborted
    )
  }

  /** This tab has the database open. */
  #owns(engine: Shared): void {
    this.#term = undefined
    engine.subscribe((change) => this.#listeners.tell(change))
    this.#begin()
    this.#dispatchAll()
  }

  /** There is an owner, this tab or another, which has the database open. */
  #begin(): void {
    if (this.#wasOpen) {
      const change: MemoryChange = {
        kind: 'ownerChanged',
        ids: [],
        slot: -1,
        writer: this.#options.writer,
        from: this.handle,
        own: false,
      }
      this.#listeners.tell(change)
    }
    this.#opened()
  }

  #dispatchAll(): void {
    this.#calls.each((call) => this.#dispatch(call))
  }

  /** @param isLost whether the lock was given back or taken away: a tab that goes on trying asks for it again. */
  #cannotOwn(error: unknown, isLost = true): void {
    const busy = toWire(error).code === 'AGIDB_IN_USE'
    if (!this.#wasOpen || !busy) {
      this.#failure = error
      this.#refused(error)
      this.#end()
      this.#listeners.tell(ENDED)
    } else if (isLost) {
      // The previous owner still holds its files, as when it is frozen: waiting callers get the error, and this tab
      // tries again.
      this.#election.queue()
    }
    this.#calls.each((call) => call.reject(error))
  }

  /** Gives a call to the engine, wherever that is; if it is nowhere, the call waits until it is somewhere. */
  #dispatch(call: Call): void {
    const { engine, isLeaving } = this.#election
    if (engine !== undefined) {
      if (!isLeaving) void this.#run(call, engine)
    } else if (this.#term !== undefined) {
      const { writer, readOnly } = this.#options
      call.send(
        (message) => this.#send(message),
        this.#term,
        { writer, readOnly, received: this.#calls.received },
        this.#makeId,
      )
    }
  }

  /** Runs a call in the engine here: with its number, if another owner may have had it done. */
  async #run(call: Call, engine: Shared): Promise<void> {
    const { writer, readOnly } = this.#options
    const { number, method, args, sent } = call
    try {
      call.resolve(
        await callEngine(engine, { writer, readOnly, from: this.handle, ...(sent && { call: number }) }, method, args),
      )
    } catch (error) {
      const { code, details } = toWire(error)
      const undone = code === 'AGIDB_CLOSED' && !details['observed']
      if (undone && this.#closing === undefined) return // it is asked again, of the next owner
      call.reject(error)
    }
  }

  /** What was sent before may not have come through: it is sent again once the owner welcomes this tab. */
  #reached(): void {
    this.#term = undefined
    this.#post({ kind: 'hello', from: this.handle })
  }

  #heardAll(notice: Notice | undefined): void {
    if (notice === undefined) return
    if (notice.kind === 'hello') return this.#election.announced(notice.from)
    if (this.#election.engine !== undefined) return
    this.#heartbeat.heard()
    if (notice.kind === 'change') this.#listeners.tell({ ...notice.change, own: notice.change.from === this.handle })
    else if (notice.term !== this.#term) this.#post({ kind: 'hello', from: this.handle })
    else if (notice.kind === 'owner') this.#follows(notice.term)
  }

  #heard(message: FromOwner | undefined): void {
    if (message === undefined || this.#election.engine !== undefined) return
    this.#heartbeat.heard()
    if (message.kind === 'welcome') this.#welcomed(message)
    else this.#calls.heard(message)
  }

  #welcomed({ term, open, locked }: Extract<FromOwner, { kind: 'welcome' }>): void {
    this.#isLocked = locked
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
    // what is wrong shows when it is needed
    this.#preparing ??= prepare && setTimeout(() => void prepare().catch(() => {}), PREPARE_MS)
    this.#begin()
  }

  #post(notice: Notice): void {
    if (!this.#alive.signal.aborted) this.#all.postMessage(notice)
  }

  #send(message: FromClient): void {
    if (!this.#alive.signal.aborted) this.#pipe.postMessage(message)
  }
}

function silent(pingMs: number): AgidbError {
  const silentMs = SILENT_PINGS * pingMs
  const message =
    `the process that has this database open gave no answer for ${silentMs / 1000} s: it is busy or stopped; ` +
    'what was asked of it may be done yet, when it goes on. End that process, or let it go on (SIGCONT)'
  return new AgidbError('AGIDB_IN_USE', message, { silentMs, mayBeDone: true })
}

function closed(): AgidbError {
  return new AgidbError('AGIDB_CLOSED', 'the database is closed; open it again to use it')
}
