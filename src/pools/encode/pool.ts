import { stopwatch } from '../../base/clock.js'
import type { Episode } from '../../api/episode.js'
import { headOf } from '../../encoding/spaces/space.js'
import type { Indexes } from '../../indexes/indexes.js'
import { ENCODED_BYTES } from '../../indexes/signature-set.js'
import { COMMIT_EPISODES, type EncodedAhead, type Encoding } from '../../write/write-queue.js'
import type { EncodeConfig, EncodeThread, StartEncodeThread } from './port.js'
import { unref } from '../../base/unref.js'

/**
 * Episodes from which on a thread is started, if they come without a pause: it takes as long to start as a thousand
 * take here.
 */
const WORTH = 4_096
/** A pause … */
const PAUSE_MS = 1_000
/** … and one after which the thread is ended. */
const IDLE_MS = 10_000
/** Memory that it takes, about, before it says how much: a kernel with its words, and a codebook. */
const BYTES = 64 * 2 ** 20
/**
 * Commits whose signatures lie in memory that is shared: one that is written, one that waits for that, and one that is
 * being signed.
 */
const ROOMS = 3

/** A thread that a place has for making signatures. */
export interface EncodeThreads {
  readonly start: StartEncodeThread
  readonly config: EncodeConfig
  /** Episodes that come without a pause, from which on it is started. Default {@link WORTH}. */
  readonly from?: number
}

/**
 * A thread that makes the signatures of episodes that wait to be written, while this one reads, writes and indexes
 * those before. It is started when many come, and ended when no more do. What it does not answer is made here: the same
 * signatures, with it and without.
 */
export class EncodePool implements EncodedAhead {
  readonly #threads: EncodeThreads
  readonly #indexes: Indexes
  /** Bytes that it may take. Asked again and again: it may become less. */
  readonly #room: () => number
  #thread: EncodeThread | undefined
  #ready = false
  #over = false
  /** Memory that nobody uses. */
  #rooms: Uint8Array[] = []
  /** What to do when the thread ends before it has answered. */
  readonly #waiting = new Set<() => void>()
  #came = 0
  #last = -Infinity
  #bytes = 0
  #idle: ReturnType<typeof setTimeout> | undefined

  constructor(threads: EncodeThreads, indexes: Indexes, room: () => number) {
    this.#threads = threads
    this.#indexes = indexes
    this.#room = room
  }

  /** Bytes of memory that the thread takes. */
  get bytes(): number {
    return this.#bytes
  }

  encode(episodes: readonly Episode[]): Promise<Encoding | undefined> | undefined {
    this.#consider(episodes.length)
    const room = this.#ready ? this.#rooms.pop() : undefined
    if (room === undefined || this.#thread === undefined) return undefined
    const { host } = this.#thread
    const rooms = this.#rooms
    return new Promise((resolve) => {
      const ended = () => resolve(undefined)
      this.#waiting.add(ended)
      host
        .encode(
          episodes.map((episode) => [episode.text, headOf(episode)]),
          room.subarray(0, episodes.length * ENCODED_BYTES),
        )
        .then(({ made, bytes }) => {
          if (!this.#waiting.has(ended)) return
          const signed = this.#indexes.encoded(episodes, room, made)
          this.#waiting.delete(ended)
          this.#bytes = bytes
          resolve({ signed, release: () => void rooms.push(room) })
        })
        .catch(() => this.#fail())
    })
  }

  /** Ends the thread. */
  close(): void {
    this.#over = true
    this.#end()
  }

  /** Episodes came: starts the thread, or sees to it that it is ended when no more come. */
  #consider(episodes: number): void {
    const now = stopwatch()
    this.#came = now - this.#last < PAUSE_MS ? this.#came + episodes : episodes
    this.#last = now
    if (this.#over || (this.#thread === undefined && this.#came < (this.#threads.from ?? WORTH))) return
    if (this.#room() < (this.#bytes || BYTES)) return this.#end() // given back
    if (this.#thread === undefined) this.#start()
    this.#idle ??= this.#later()
  }

  #start(): void {
    try {
      const thread = this.#threads.start(() => this.#fail())
      this.#thread = thread
      thread.host.open(this.#threads.config).then(
        () => {
          if (this.#thread !== thread) return
          this.#rooms = Array.from(
            { length: ROOMS },
            () => new Uint8Array(new SharedArrayBuffer(COMMIT_EPISODES * ENCODED_BYTES)),
          )
          this.#ready = true
        },
        () => this.#fail(),
      )
    } catch {
      this.#fail()
    }
  }

  #later(wait = IDLE_MS): ReturnType<typeof setTimeout> {
    const timer = setTimeout(() => {
      const left = this.#last + IDLE_MS - stopwatch()
      this.#idle = left > 0 ? this.#later(left) : undefined
      if (left <= 0) this.#end()
    }, wait)
    // Node: it is no reason to stay.
    unref(timer)
    return timer
  }

  /** Where the thread cannot be started, or ends, this one does all: nothing is lost but time. */
  #fail(): void {
    this.#over = true
    this.#end()
  }

  #end(): void {
    clearTimeout(this.#idle)
    this.#idle = undefined
    this.#thread?.end()
    this.#thread = undefined
    this.#ready = false
    this.#rooms = []
    this.#bytes = 0
    for (const ended of this.#waiting) ended()
    this.#waiting.clear()
  }
}
