import { toWire } from '../../base/errors.js'
import { Owner, type OwnerOptions, type Shared } from './owner.js'

/**
 * For how many pings a deposed owner may still hold its files before waiting callers get an error: when it wakes, it
 * closes them.
 */
const PATIENT_PINGS = 20

/** The tab that is to own the database when it is its turn. */
export interface ElectionOptions extends OwnerOptions {
  readonly handle: string
  /** Milliseconds between two signs of life. */
  readonly pingMs: number
  /** Aborted when the tab is gone. */
  readonly alive: AbortSignal
  /** Whether it is about to go. */
  isClosing(): boolean
  /** Opens the engine, in this thread. */
  open(): Promise<Shared>
  /** It has the database. */
  began(engine: Shared): void
  /** It could not open the database, or not get the lock. */
  cannotOwn(error: unknown): void
  /** Its own calls that are not answered. */
  unanswered(): Promise<unknown>[]
  /** Called when this tab begins to open the database, owns it, or has let go of it. */
  changed(): void
}

/**
 * Makes a tab the owner of its database when it is its turn: waits for the lock, opens the engine, and releases both.
 */
export class LeaderElection {
  readonly #options: ElectionOptions
  /** While this tab is the owner. */
  #owning: { readonly engine: Shared; readonly owner: Owner } | undefined
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

  constructor(options: ElectionOptions) {
    this.#options = options
  }

  /** The engine, while this tab is the owner. */
  get engine(): Shared | undefined {
    return this.#owning?.engine
  }

  /** Whether this tab has the lock, but not yet the database. */
  get isOpening(): boolean {
    return this.#opening !== undefined
  }

  /** Whether this tab is about to let go of the database. */
  get isLeaving(): boolean {
    return this.#leaving
  }

  /** Whether this tab neither has the lock nor waits for it. */
  get isPaused(): boolean {
    return this.#waiting.signal.aborted
  }

  /** Welcomes a tab that looks for the owner, if this is the one. */
  announced(from: string): void {
    const owner = this.#owning?.owner ?? this.#opening
    owner?.announced(from)
  }

  /** Waits in line to be the owner. */
  queue(): void {
    const { place, names } = this.#options
    const waiting = (this.#waiting = new AbortController())
    place.locks
      .request(names.owner, { signal: waiting.signal }, async () => {
        if (await this.#take(0)) await this.#released
      })
      .catch((error: unknown) => this.#lost(waiting.signal, error))
  }

  /** Waits no more. */
  stopWaiting(): void {
    this.#waiting.abort()
  }

  /** Lets go of the database, if this tab has it. */
  async leave(): Promise<void> {
    const owning = this.#owning
    if (owning === undefined || this.#leaving) return
    this.#leaving = true
    try {
      await owning.owner.leave(this.#options.unanswered())
      await owning.engine.close()
    } finally {
      owning.owner.close()
      this.#owning = undefined
      this.#leaving = false
      this.#release()
      this.#options.changed()
    }
  }

  /** Takes the lock away from an owner that is silent. One tab at a time does so. */
  depose(): void {
    if (this.isPaused) return
    const { place, names, pingMs } = this.#options
    const stealing = async (lock: unknown): Promise<void> => {
      if (lock === null) return
      this.#waiting.abort()
      const waiting = (this.#waiting = new AbortController())
      const settled = new Promise<void>((resolve) => {
        place.locks
          .request(names.owner, { steal: true }, async () => {
            const took = await this.#take(PATIENT_PINGS * pingMs)
            resolve()
            if (took) await this.#released
          })
          .catch((error: unknown) => this.#lost(waiting.signal, error))
          .finally(resolve)
      })
      await settled // no other tab deposes this one before it had its chance
    }
    place.locks.request(names.takeover, { ifAvailable: true }, stealing).catch(() => {})
  }

  /**
   * Opens the database, for which it has the lock. False when that is to be given back.
   *
   * @param patienceMs for how long the files may be in use
   */
  async #take(patienceMs: number): Promise<boolean> {
    this.#released = new Promise((resolve) => (this.#release = resolve))
    const options = this.#options
    const owner = (this.#opening = new Owner(options))
    this.#deposed = false
    try {
      const engine = await this.#openEngine(patienceMs)
      if (this.#deposed || options.alive.aborted) {
        owner.close()
        await engine.close()
        if (this.#deposed) this.queue()
        return false
      }
      owner.begin(engine, options.handle)
      this.#owning = { engine, owner }
      options.began(engine)
      return true
    } catch (error) {
      owner.close()
      options.cannotOwn(error)
      return false
    } finally {
      this.#opening = undefined
      options.changed()
    }
  }

  /**
   * Opens the engine. A deposed owner closes its files when it wakes: this waits for that for so many milliseconds.
   */
  async #openEngine(patienceMs: number): Promise<Shared> {
    for (const started = performance.now(); ; ) {
      try {
        return await this.#options.open()
      } catch (error) {
        if (toWire(error).code !== 'AGIDB_IN_USE' || performance.now() - started > patienceMs) throw error
        await new Promise((resolve) => setTimeout(resolve, this.#options.pingMs))
      }
    }
  }

  /** The lock was not granted, or taken away. */
  #lost(waiting: AbortSignal, error: unknown): void {
    if (waiting.aborted || this.#options.isClosing()) return
    if (this.#opening !== undefined) {
      this.#deposed = true
      this.#opening.close()
    } else if (this.#owning === undefined) this.#options.cannotOwn(error)
    // Deposed, since it gave no sign of life. No commit of this one's can come after the next one's opening: the files
    // are exclusive. An error of closing them has nobody to be told to.
    else
      void this.leave()
        .catch(() => {})
        .then(() => this.queue())
  }
}
