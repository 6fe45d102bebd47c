import type { Episode, EpisodeId } from '../core/episode.js'
import { AgidbError } from '../core/errors.js'
import { decodeRow, encodeRow } from '../floors/episodic.js'
import type { Indexes } from '../indexes/indexes.js'
import type { Change, Storage } from '../storage/port.js'

/** Episodes of one commit, at most: bounds what is encoded before the next recall gets its turn. */
export const COMMIT_EPISODES = 256

/** The sentence signature of an episode, in the form in which it is stored. */
export interface Sign {
  readonly slot: number
  readonly id: EpisodeId
  readonly sentence: Uint8Array
}

/** A row of another floor than the third: a learning event, a sensory frame. */
export type RecordChange =
  | { readonly op: 'put'; readonly id: string; readonly row: Uint8Array; readonly signature?: Uint8Array }
  | { readonly op: 'update'; readonly slot: number; readonly id: string; readonly row: Uint8Array }
  | { readonly op: 'remove'; readonly slot: number; readonly id: string }

/** What becomes durable together. */
export interface Transaction<T> {
  readonly episodes?: readonly Episode[]
  readonly records: readonly RecordChange[]
  /** Called once it is durable; `slots` are those of the records, in order. Its answer is that of the transaction. */
  readonly done: (slots: readonly number[]) => T
}

interface Waiting {
  readonly episodes: readonly Episode[]
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Puts changes into the storage one commit at a time, and into the indexes once they are durable.
 * Episodes that arrive while a commit is under way share the next one (group commit).
 */
export class Writer {
  readonly #storage: Storage
  readonly #indexes: Indexes
  readonly #committed: (changes: number) => void
  #nextSlot: number
  #turn: Promise<void> = Promise.resolve()
  #waiting: Waiting[] = []

  /** @param committed called after each commit with how many changes it had. */
  constructor(storage: Storage, indexes: Indexes, nextSlot: number, committed: (changes: number) => void = () => {}) {
    this.#storage = storage
    this.#indexes = indexes
    this.#committed = committed
    this.#nextSlot = nextSlot
  }

  /** Resolves when the episodes are durable and can be recalled; if it rejects, none of them is. */
  add(episodes: readonly Episode[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ episodes, resolve, reject })
      // A turn each, so that what is asked for later waits for all of them; most turns find nothing left.
      void this.#exclusive(() => this.#commitWaiting())
    })
  }

  /**
   * Writes what `draft` makes, all or nothing. Nothing else is written from the moment at which it is drafted on, so what the
   * draft has read still holds when it is durable. With nothing to write, only `done` is called.
   */
  transact<T>(draft: () => Transaction<T> | Promise<Transaction<T>>): Promise<T> {
    return this.#exclusive(async () => {
      const { episodes = [], records, done } = await draft()
      const slots = episodes.length + records.length === 0 ? [] : await this.#commit(episodes, records)
      return done(slots)
    })
  }

  /** Replaces the row of a live episode by what `change` makes of it. Throws `AGIDB_NOT_FOUND`. */
  update(id: EpisodeId, change: () => Promise<Episode>): Promise<void> {
    return this.#exclusive(async () => {
      const slot = liveSlot(this.#indexes, id)
      const episode = await change()
      await this.#store([{ op: 'update', slot, id, row: encodeRow(episode) }])
      this.#indexes.catalog.supersede(slot, episode)
    })
  }

  /**
   * Takes a live episode out of the storage and of every index; what it superseded is superseded no more, as if it had
   * never come. Throws `AGIDB_NOT_FOUND`.
   */
  remove(id: EpisodeId): Promise<void> {
    return this.#exclusive(async () => {
      const { catalog } = this.#indexes
      const slot = liveSlot(this.#indexes, id)
      const revived = catalog.supersededBy(id)
      const [episode, ...old] = (await this.#storage.rows([slot, ...revived])).map((row) => decodeRow(row!))
      const episodes = old.map(({ superseded: _, ...rest }): Episode => rest)
      await this.#store([
        { op: 'remove', slot, id },
        ...episodes.map((episode, i): Change => ({ op: 'update', slot: revived[i], id: episode.id, row: encodeRow(episode) })),
      ])
      this.#indexes.remove(slot, episode)
      episodes.forEach((episode, i) => catalog.supersede(revived[i], episode))
    })
  }

  /** Gives episodes their sentence signatures; one that went away in the meantime is passed over. */
  sign(signs: readonly Sign[]): Promise<void> {
    return this.#exclusive(async () => {
      const { catalog } = this.#indexes
      const live = signs.filter(({ slot, id }) => catalog.slot(id) === slot)
      if (live.length === 0) return
      await this.#store(live.map(({ slot, id, sentence }): Change => ({ op: 'sign', slot, id, signatures: { sentence } })))
      for (const { slot, sentence } of live) this.#indexes.sign(slot, sentence)
    })
  }

  /** Runs work during which nothing is written. */
  still<T>(work: () => Promise<T>): Promise<T> {
    return this.#exclusive(work)
  }

  /** Resolves when everything that was asked for so far is done. */
  idle(): Promise<void> {
    return this.#exclusive(async () => {})
  }

  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work)
    this.#turn = done.then(
      () => {},
      () => {},
    )
    return done
  }

  async #store(changes: readonly Change[]): Promise<void> {
    await this.#storage.commit(changes)
    this.#committed(changes.length)
  }

  async #commitWaiting(): Promise<void> {
    const group: Waiting[] = []
    for (let episodes = 0; this.#waiting.length > 0 && episodes < COMMIT_EPISODES; ) {
      const next = this.#waiting.shift()!
      episodes += next.episodes.length
      group.push(next)
    }
    if (group.length === 0) return
    try {
      await this.#commit(group.flatMap(({ episodes }) => episodes))
      for (const { resolve } of group) resolve()
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  /** Answers the slots of the records. */
  async #commit(episodes: readonly Episode[], records: readonly RecordChange[] = []): Promise<number[]> {
    const first = this.#nextSlot
    const read = episodes.map((episode) => this.#indexes.read(episode))
    const signed = episodes.map((episode, i) => this.#indexes.encode(episode, read[i]))
    let next = first + episodes.length
    const slots = records.map((record) => (record.op === 'put' ? next++ : record.slot))
    await this.#store([
      ...episodes.map((episode, i): Change => ({ op: 'put', slot: first + i, id: episode.id, row: encodeRow(episode), ...signed[i] })),
      ...records.map((record, i) => toChange(record, slots[i])),
    ])
    this.#nextSlot = next
    let added = 0
    try {
      for (; added < episodes.length; added++) this.#indexes.add(first + added, episodes[added], signed[added].signatures, read[added])
    } catch (error) {
      // What cannot be recalled must not stay: the caller is told that none of it was kept.
      while (added-- > 0) this.#indexes.remove(first + added, episodes[added])
      const put = [...episodes.map(({ id }, i) => ({ slot: first + i, id })), ...records.flatMap(({ op, id }, i) => (op === 'put' ? [{ slot: slots[i], id }] : []))]
      await this.#store(put.map(({ slot, id }): Change => ({ op: 'remove', slot, id })))
      throw error
    }
    return slots
  }
}

function toChange(record: RecordChange, slot: number): Change {
  if (record.op !== 'put') return record
  const { op, id, row, signature } = record
  // Storage has a place for signatures, and does not look into them.
  return { op, slot, id, row, signatures: signature === undefined ? {} : { text: signature } }
}

/** The slot of a live episode. Throws `AGIDB_NOT_FOUND`. */
export function liveSlot({ catalog }: Indexes, id: EpisodeId): number {
  const slot = catalog.slot(id)
  if (slot === undefined) throw new AgidbError('AGIDB_NOT_FOUND', `there is no episode with the id ${JSON.stringify(id)}`, { id })
  return slot
}
