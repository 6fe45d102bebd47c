import type { Episode, EpisodeId } from '../core/episode.js'
import { AgidbError } from '../core/errors.js'
import { decodeRow, encodeRow } from '../floors/episodic.js'
import type { Indexes } from '../indexes/indexes.js'
import type { Change, Storage } from '../storage/port.js'
import { type Draft, type Steps, Waiting } from './waiting.js'

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

/**
 * Puts changes into the storage one commit at a time, and into the indexes once they are durable.
 * Episodes that arrive while a commit is under way share the next one (group commit), and are encoded meanwhile.
 */
export class Writer {
  readonly #storage: Storage
  readonly #indexes: Indexes
  readonly #committed: (changes: number) => void
  #nextSlot: number
  #turn: Promise<void> = Promise.resolve()
  readonly #waiting: Waiting

  /** @param committed called after each commit with how many changes it had. */
  constructor(storage: Storage, indexes: Indexes, nextSlot: number, committed: (changes: number) => void = () => {}) {
    this.#storage = storage
    this.#indexes = indexes
    this.#committed = committed
    this.#nextSlot = nextSlot
    this.#waiting = new Waiting(indexes)
  }

  /**
   * Resolves when the episodes are durable and can be recalled. Many are written in several commits, each all or nothing,
   * in their order; if it rejects, those of the commit that failed and all after it are not there.
   */
  add(episodes: readonly Episode[], steps: Steps = {}): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...steps, episodes, resolve, reject })
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
      const drafts = episodes.map((episode) => this.#waiting.draft(episode))
      const slots = episodes.length + records.length === 0 ? [] : await this.#commit(drafts, records)
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
    const parts = this.#waiting.take()
    if (parts.length === 0) return
    // What is left of long calls takes another turn, after those that were asked for in the meantime.
    if (parts.some(({ call, to }) => to < call.episodes.length)) void this.#exclusive(() => this.#commitWaiting())
    try {
      await this.#commit(await this.#waiting.finish(parts))
    } catch (error) {
      for (const { call } of parts) {
        this.#waiting.drop(call)
        call.reject(error)
      }
      return
    }
    for (const { call, to } of parts) {
      try {
        call.durable?.(to)
        if (to === call.episodes.length) call.resolve()
      } catch (error) {
        this.#waiting.drop(call)
        call.reject(error)
      }
    }
  }

  /** Answers the slots of the records. */
  async #commit(drafts: readonly Draft[], records: readonly RecordChange[] = []): Promise<number[]> {
    const first = this.#nextSlot
    let next = first + drafts.length
    const slots = records.map((record) => (record.op === 'put' ? next++ : record.slot))
    const written = this.#store([
      ...drafts.map(({ episode: { id }, row, signed }, i): Change => ({ op: 'put', slot: first + i, id, row, ...signed })),
      ...records.map((record, i) => toChange(record, slots[i])),
    ])
    await this.#waiting.whileWriting(written)
    await written
    this.#nextSlot = next
    let added = 0
    try {
      for (const { episode, signed, read } of drafts) this.#indexes.add(first + added++, episode, signed.signatures, read)
    } catch (error) {
      // What cannot be recalled must not stay: the caller is told that none of it was kept.
      for (added--; added-- > 0; ) this.#indexes.remove(first + added, drafts[added].episode)
      const put = [...drafts.map(({ episode: { id } }, i) => ({ slot: first + i, id })), ...records.flatMap(({ op, id }, i) => (op === 'put' ? [{ slot: slots[i], id }] : []))]
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
