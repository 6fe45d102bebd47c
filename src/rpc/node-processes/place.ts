import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { AgidbError, toWire } from '../../base/errors.js'
import { namesOf, type Channel, type Locks, type LockWish, type TabEnvironment } from '../tabs/environment.js'
import { greet } from './greeting.js'
import { GOODBYE, Hub } from './hub.js'
import { Link } from './link.js'
import type { Message } from './message.js'

/** How long somebody may have the lock and not be reached before that is an error: it may be about to let go. */
const PATIENCE_MS = 2_000
/** Milliseconds between two attempts. Different ones, since all that wait try at the same time. */
const PAUSE_MS = [5, 40] as const

/** The lock of a folder that processes share. */
export interface SharedLock {
  /**
   * Takes the lock, and answers what gives it back.
   *
   * @throws AgidbError `AGIDB_IN_USE` while another has it.
   */
  take(served: { readonly key: string; readonly serve: (socket: Socket) => void }): Promise<() => void>
  /** Connects to the process that has it; `undefined` where that is not possible. */
  reach(): Promise<{ readonly socket: Socket; readonly key: string } | undefined>
}

/**
 * What the processes that share a folder have in common, as tabs have Web Locks and broadcast channels: the lock of the
 * folder makes one of them the owner, to which all others connect by a local socket. What one of these posts reaches
 * the owner alone; a post of the owner reaches all listeners. Their connections tell the owner that they live.
 */
export class ProcessPlace implements TabEnvironment {
  readonly stealsFromOwner = false
  readonly locks: Locks
  /** Told when another owner, or the same one by another connection, can be reached. */
  onReached: () => void = () => {}
  readonly #ownerLock: string
  readonly #lock: SharedLock
  readonly #awayMs: number | undefined
  readonly #channels = new Map<string, ProcessChannel>()
  /** The lock by which others know that this one lives. */
  #life: string | undefined
  /** While this process has the lock. */
  #hub: Hub | undefined
  /** While another has it. */
  #link: Link | undefined

  /**
   * @param database as in `namesOf`.
   * @param awayMs for tests: how long a process may be away that has not said that it goes.
   */
  constructor(database: string, lock: SharedLock, awayMs?: number) {
    this.#ownerLock = namesOf(database).owner
    this.#lock = lock
    this.#awayMs = awayMs
    this.locks = { request: (name, wish, held) => this.#request(name, wish, held) }
  }

  readonly channel = (name: string): Channel => {
    const channel = new ProcessChannel(
      (data) => this.#post({ channel: name, data }),
      () => this.#channels.delete(name),
    )
    this.#channels.set(name, channel)
    return channel
  }

  async #request<T>(name: string, { signal }: LockWish, held: (lock: unknown) => Promise<T>): Promise<T> {
    if (name === this.#ownerLock) return this.#lead(signal, held)
    // The first is this process's own, which is free: no other process knows its name yet.
    this.#life ??= name
    if (name !== this.#life) await this.#expectHub().watch(name, signal)
    return held({ name })
  }

  /** Others are known to be gone in the process that has the lock alone. */
  #expectHub(): Hub {
    if (this.#hub !== undefined) return this.#hub
    throw new AgidbError('AGIDB_INTERNAL', 'only the owner waits for the locks of others')
  }

  /** Waits until this process can have the lock; meanwhile it is connected to the process that has it. */
  async #lead<T>(signal: AbortSignal | undefined, held: (lock: unknown) => Promise<T>): Promise<T> {
    for (let waited = 0; ; ) {
      signal?.throwIfAborted()
      if (await this.#follow(signal)) {
        waited = 0
        continue
      }
      const key = crypto.randomUUID()
      const hub = new Hub(key, (message) => this.#heard(message), this.#awayMs)
      const release = await this.#lock
        .take({ key, serve: (socket) => void hub.serve(socket) })
        .catch((error: unknown) => {
          if (toWire(error).code !== 'AGIDB_IN_USE' || waited >= PATIENCE_MS) throw error
        })
      if (release !== undefined) return this.#hold(hub, release, signal, held)
      const pause = PAUSE_MS[0] + Math.random() * (PAUSE_MS[1] - PAUSE_MS[0])
      await sleep(pause, undefined, { ref: false })
      waited += pause
    }
  }

  async #hold<T>(
    hub: Hub,
    release: () => void,
    signal: AbortSignal | undefined,
    held: (lock: unknown) => Promise<T>,
  ): Promise<T> {
    try {
      signal?.throwIfAborted()
      this.#hub = hub
      return await held({ name: this.#ownerLock })
    } finally {
      this.#hub = undefined
      release() // before the others are told, who then find it free
      hub.close()
    }
  }

  /**
   * Talks to the process that has the lock until the connection ends. False where no process has it.
   *
   * @throws AgidbError `AGIDB_IN_USE` where that one refuses.
   */
  async #follow(signal: AbortSignal | undefined): Promise<boolean> {
    const reached = await this.#lock.reach()
    if (reached === undefined) return false
    const { socket, key } = reached
    socket.unref()
    const end = (): void => void socket.destroy()
    signal?.addEventListener('abort', end)
    const greeted = await greet(socket, key, [...this.#channels.keys()])
    signal?.removeEventListener('abort', end)
    if (greeted === undefined) return false
    if (greeted.said.refused !== null) throw refusal(greeted.said.refused)
    const link = (this.#link = new Link(socket, greeted.rest))
    link.onMessage = (message) => this.#heard(message)
    const leave = (): void => {
      link.post({ channel: GOODBYE, data: undefined })
      link.close()
    }
    if (signal?.aborted) leave()
    signal?.addEventListener('abort', leave)
    this.onReached()
    await link.ended
    signal?.removeEventListener('abort', leave)
    this.#link = undefined
    return true
  }

  #heard({ channel, data }: Message): void {
    this.#channels.get(channel)?.onmessage?.({ data })
  }

  #post(message: Message): void {
    this.#hub?.post(message)
    this.#link?.post(message)
  }
}

/** One of the channels between the owner and the others. */
class ProcessChannel implements Channel {
  onmessage: Channel['onmessage'] = null
  readonly postMessage: (message: unknown) => void
  readonly close: () => void

  constructor(post: (message: unknown) => void, close: () => void) {
    this.postMessage = post
    this.close = close
  }
}

function refusal(reason: string): AgidbError {
  const message = `another process has this database open and does not share it with this one: ${reason}`
  return new AgidbError('AGIDB_IN_USE', message, { reason })
}
