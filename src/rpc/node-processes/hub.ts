import { setMaxListeners } from 'node:events'
import type { Socket } from 'node:net'
import { welcome } from './greeting.js'
import { Link } from './link.js'
import type { Message } from './message.js'

/** Bytes that may wait for a process that does not read them, as one that is stopped. */
const MAX_UNREAD = 256 * 2 ** 20
/**
 * How long a process that has not said that it goes may be away, in milliseconds: what it asked is not forgotten so
 * long. It comes back at once where it lives; one that is stopped comes when it goes on.
 */
const AWAY_MS = 3_600_000

/** A wait until no process has a name any more. */
interface Watch {
  readonly gone: () => void
  timer?: ReturnType<typeof setTimeout>
}

/** The side of the process that has the lock: the connections of all others. */
export class Hub {
  readonly #key: string
  readonly #heard: (message: Message) => void
  readonly #awayMs: number
  /** The connections by the names of the channels that they listen to. */
  readonly #links = new Map<Link, ReadonlySet<string>>()
  readonly #watches = new Map<string, Watch>()
  #isClosed = false

  /**
   * @param key that processes must show.
   * @param heard takes the messages of all of them.
   * @param awayMs for tests.
   */
  constructor(key: string, heard: (message: Message) => void, awayMs = AWAY_MS) {
    this.#key = key
    this.#heard = heard
    this.#awayMs = awayMs
  }

  /** Takes a connection. */
  async serve(socket: Socket): Promise<void> {
    socket.unref()
    const greeted = await welcome(socket, this.#key)
    if (greeted === undefined) return
    const names = new Set(greeted.said.names)
    const link = new Link(socket, greeted.rest, MAX_UNREAD)
    if (this.#isClosed) return link.destroy()
    this.#links.set(link, names)
    for (const name of names) clearTimeout(this.#watches.get(name)?.timer)
    let saidGoodbye = false
    link.onMessage = (message) => {
      if (message.channel === GOODBYE) saidGoodbye = true
      else if (names.has(message.channel)) this.#heard(message)
    }
    await link.ended
    this.#links.delete(link)
    for (const name of names) this.#left(name, saidGoodbye)
  }

  /** Sends a message to all that listen to its channel. */
  post(message: Message): void {
    for (const [link, names] of this.#links) if (names.has(message.channel)) link.post(message)
  }

  /** Waits until the process with a name is gone: it said so, or was away for too long. */
  watch(name: string, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(this.#watches.get(name)?.timer)
        this.#watches.delete(name)
        reject(signal!.reason as Error)
      }
      const gone = (): void => {
        signal?.removeEventListener('abort', end)
        resolve()
      }
      this.#watches.set(name, { gone })
      if (signal !== undefined) {
        setMaxListeners(0, signal) // one for each process that is waited for
        signal.addEventListener('abort', end)
      }
      if (!this.#has(name)) this.#left(name, false)
    })
  }

  /** Lets go of all connections. */
  close(): void {
    this.#isClosed = true
    for (const link of this.#links.keys()) link.close()
    for (const { timer } of this.#watches.values()) clearTimeout(timer)
    this.#watches.clear()
  }

  #left(name: string, saidGoodbye: boolean): void {
    const watch = this.#watches.get(name)
    if (watch === undefined || this.#has(name)) return
    const end = (): void => {
      this.#watches.delete(name)
      watch.gone()
    }
    if (saidGoodbye) return end()
    clearTimeout(watch.timer)
    watch.timer = setTimeout(end, this.#awayMs)
    watch.timer.unref()
  }

  #has(name: string): boolean {
    return [...this.#links.values()].some((names) => names.has(name))
  }
}

/** The channel on which a process says that it goes and will not come back. */
export const GOODBYE = 'goodbye'
