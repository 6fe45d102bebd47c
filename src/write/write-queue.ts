import { stopwatch } from '../base/clock.js'
import type { Episode } from '../api/episode.js'
import { turn } from '../base/event-loop-turn.js'
import { encodeEpisodes } from '../records/kinds/episode.js'
import type { IndexedText } from '../encoding/spaces/space.js'
import type { Indexes } from '../indexes/indexes.js'
import { ENCODED_BYTES, type Encoded } from '../indexes/signature-set.js'
import type { EncodedSignatures, Signatures } from '../api/storage.js'
import type { Receipt } from './idempotency-log.js'

/** Episodes of one commit, at most, and drafts that wait for theirs. */
export const COMMIT_EPISODES = 256

/** How long to draft before what else waits in this thread gets its turn: the write that is under way, recalls. */
const WORK_MS = 4

/** Episodes that are drafted at once. */
const GROUP_SIZE = 16
/**
 * Of what is drafted when nothing is being written, the share of which this thread makes the signatures while another
 * makes the others; it has to read all of it, too.
 */
const OWN_SHARE = 3 / 8
/** Episodes whose signatures are not worth asking another thread for. */
const SMALL_GROUP = 4 * GROUP_SIZE
/** Rooms that are kept: for the commit that is written and the one that is drafted meanwhile, together 1 MiB. */
const ROOMS = (2 * COMMIT_EPISODES) / GROUP_SIZE

/** An episode with all that is made of it before it is written. */
export interface Draft {
  readonly episode: Episode
  readonly read: IndexedText
  readonly signed: EncodedSignatures
  readonly row: Uint8Array
}

/** Signatures that were made elsewhere, valid until they are released. */
export interface Encoding {
  readonly signed: readonly Encoded[]
  release(): void
}

/** Makes signatures elsewhere, ahead of their time. */
export interface EncodedAhead {
  /**
   * The signatures of episodes, {@link COMMIT_EPISODES} at most. Where there are none to be had they are `undefined`,
   * now or later; it never rejects.
   */
  encode(episodes: readonly Episode[]): Promise<Encoding | undefined> | undefined
}

/** After so many commits of which no signature came in time … */
const LATE = 8
/** … none is asked for as long as this: the cores are busy with something else. */
const REST_MS = 60_000

/** What a caller of {@link WriteQueue} adds to the writing of its episodes. */
export interface Steps {
  /**
   * The receipt that is stored with a commit: who made the call, and the answer if the call is repeated. `done` is the
   * number of its episodes that are durable after that commit.
   */
  readonly receipt?: (done: number) => Receipt
  /**
   * Called before each commit. If it throws, the call ends, and neither that commit nor later ones are written.
   */
  readonly begin?: () => void
  /**
   * Called after each commit, once its episodes can be recalled, with the number of episodes that are durable so far.
   * If it throws, the call ends.
   */
  readonly durable?: (done: number) => void
}

/** The episodes of one call. */
export interface Call extends Steps {
  readonly episodes: readonly Episode[]
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** A draft whose signatures may be made elsewhere meanwhile. */
type Unsigned = Omit<Draft, 'signed'> & { signed?: EncodedSignatures }

/** The episodes of a call that go into one commit. */
export interface Part {
  readonly call: Call
  readonly from: number
  readonly to: number
  /** Drafts of its first episodes; the others are not drafted yet. */
  readonly drafts: Unsigned[]
  /** The first episode of the call whose signature another thread makes, and the signatures when they are there. */
  readonly ahead?: { readonly from: number; readonly signing: Promise<Encoding | undefined> }
  /** Memory that holds the signatures of the drafts. */
  readonly rooms: Uint8Array<ArrayBuffer>[]
}

/**
 * The calls whose episodes wait to be written. Long calls are cut into parts and take turns, part by part, with the
 * calls that come meanwhile. While a commit is being written, the next one is drafted: never more than one, however
 * much waits.
 */
export class WriteQueue {
  readonly #indexes: Indexes
  readonly #ahead: EncodedAhead | undefined
  #late = 0
  #restUntil = 0
  #parts: Part[] = []
  /**
   * Buffers for signatures that are free again. Allocating new ones for each commit would cost more than filling
   * them.
   */
  readonly #rooms: Uint8Array<ArrayBuffer>[] = []

  /** @param ahead makes signatures elsewhere; absent where that cannot be. */
  constructor(indexes: Indexes, ahead?: EncodedAhead) {
    this.#indexes = indexes
    this.#ahead = ahead
  }

  /** Bytes of the rooms that are kept. */
  get bytes(): number {
    return this.#rooms.reduce((sum, { length }) => sum + length, 0)
  }

  push(call: Call): void {
    this.#parts.push(this.#partOf(call, 0))
  }

  /**
   * The parts that share the next commit; the rest of their calls goes to the end of the queue. A call whose `begin`
   * throws is rejected.
   */
  take(): Part[] {
    const taken: Part[] = []
    for (let episodes = 0; this.#parts.length > 0 && episodes < COMMIT_EPISODES; ) {
      const part = this.#parts.shift()!
      try {
        part.call.begin?.()
      } catch (error) {
        part.call.reject(error)
        this.release([part])
        continue
      }
      episodes += part.to - part.from
      taken.push(part)
    }
    for (const { call, to } of taken) if (to < call.episodes.length) this.#parts.push(this.#partOf(call, to))
    return taken
  }

  /** Removes what is not yet written of a call. */
  drop(call: Call): void {
    letGo(this.#parts.filter((part) => part.call === call))
    this.#parts = this.#parts.filter((part) => part.call !== call)
  }

  /** Frees the drafts of parts that were taken. */
  release(parts: readonly Part[]): void {
    letGo(parts)
    for (const { rooms } of parts) for (const room of rooms) if (this.#rooms.length < ROOMS) this.#rooms.push(room)
  }

  /** Drafts the rest of parts that were taken. The drafts are valid until the parts are {@link release}d. */
  async finish(parts: readonly Part[]): Promise<Draft[]> {
    await this.#draft(parts, Infinity, () => false)
    for (const part of parts) {
      await this.#addSignatures(part)
      // A codebook may have come since they were drafted.
      part.drafts.forEach((draft, i) => {
        if (!this.#indexes.isCurrent(draft.read)) part.drafts[i] = this.draft(draft.episode)
      })
    }
    return parts.flatMap(({ drafts }) => drafts as Draft[])
  }

  /** Drafts the next commit until `writing` ends. An episode that cannot be drafted fails in its own commit. */
  async whileWriting(writing: Promise<unknown>): Promise<void> {
    if (this.#parts.length === 0) return
    let over = false
    const end = (): void => void (over = true)
    writing.then(end, end)
    await turn() // lets the write begin first
    await this.#draft(this.#parts, COMMIT_EPISODES, () => over).catch(() => {})
  }

  /** @param perceived signatures that are not made of its text. */
  draft(episode: Episode, perceived: Signatures = {}): Draft {
    const { signed, ...draft } = this.#drafts([episode])[0] as Draft
    return { ...draft, signed: { ...signed, signatures: { ...signed.signatures, ...perceived } } }
  }

  /** @param isSigned whether somebody else makes the signatures. */
  #drafts(episodes: readonly Episode[], room?: Uint8Array<ArrayBuffer>, isSigned = false): Unsigned[] {
    const reads = episodes.map((episode) => this.#indexes.read(episode))
    const signed = isSigned ? [] : this.#indexes.encodeMany(episodes, reads, room)
    const rows = encodeEpisodes(episodes)
    return episodes.map((episode, i) => ({ episode, read: reads[i], signed: signed[i], row: rows[i] }))
  }

  /**
   * Gives the drafts of a part the signatures that are made elsewhere. Until these are there it makes some here, from
   * the last on, in case the others are long in coming.
   */
  async #addSignatures({ ahead, drafts }: Part): Promise<void> {
    if (ahead === undefined) return
    let made: Encoding | undefined
    void ahead.signing.then((signing) => (made = signing))
    await turn()
    const unsigned = drafts.filter(({ signed }) => signed === undefined)
    let to = unsigned.length
    for (; to > 0 && made === undefined; to -= GROUP_SIZE) {
      const some = unsigned.slice(Math.max(0, to - GROUP_SIZE), to)
      const signed = this.#indexes.encodeMany(
        some.map(({ episode }) => episode),
        some.map(({ read }) => read),
      )
      some.forEach((draft, i) => (draft.signed = signed[i]))
      await turn()
    }
    this.#late = to > 0 ? 0 : this.#late + 1
    if (this.#late === LATE) this.#restUntil = stopwatch() + REST_MS
    unsigned.slice(0, Math.max(0, to)).forEach((draft, i) => (draft.signed = made!.signed[i]))
  }

  #partOf(call: Call, from: number): Part {
    const to = Math.min(from + COMMIT_EPISODES, call.episodes.length)
    // With nothing before it, this thread would only wait for the other.
    const own = from === 0 ? GROUP_SIZE * Math.floor((OWN_SHARE * (to - from)) / GROUP_SIZE) : 0
    const signing =
      to - from < SMALL_GROUP || stopwatch() < this.#restUntil
        ? undefined
        : this.#ahead?.encode(call.episodes.slice(from + own, to))
    return { call, from, to, drafts: [], rooms: [], ...(signing && { ahead: { from: from + own, signing } }) }
  }

  async #draft(parts: readonly Part[], most: number, isOver: () => boolean): Promise<void> {
    let since = performance.now()
    let drafted = 0
    for (const { call, from, to, drafts, rooms, ahead } of parts) {
      drafted += drafts.length
      const own = ahead?.from ?? to
      for (let next = from + drafts.length; next < to; next = from + drafts.length) {
        const isSigned = next >= own
        // No group has both: the signatures made elsewhere go to the drafts from `own` on.
        const count = Math.min(GROUP_SIZE, (isSigned ? to : own) - next, most - drafted)
        if (isOver() || count <= 0) return
        drafted += count
        const room =
          count < GROUP_SIZE || isSigned ? undefined : (this.#rooms.pop() ?? new Uint8Array(GROUP_SIZE * ENCODED_BYTES))
        if (room !== undefined) rooms.push(room)
        drafts.push(...this.#drafts(call.episodes.slice(next, next + count), room, isSigned))
        if (performance.now() - since < WORK_MS) continue
        await turn()
        since = performance.now()
      }
    }
  }
}

/** Nobody needs what was made of parts elsewhere, or is still being made. */
function letGo(parts: readonly Part[]): void {
  for (const { ahead } of parts) void ahead?.signing.then((made) => made?.release())
}
