import { SerialQueue } from '../base/serial-queue.js'
import type { Caller } from '../api/caller.js'
import type { Episode, EpisodeId } from '../api/episode.js'
import { AgidbError } from '../base/errors.js'
import { encodeEpisode } from '../records/kinds/episode.js'
import type { Indexes } from '../indexes/indexes.js'
import type { RowStore, Signatures, StorageChange } from '../api/storage.js'
import { unitOf } from '../records/unit.js'
import type { RecordChange } from './record-change.js'
import { IdempotencyLog, type Receipt, type ReceiptChanges } from './idempotency-log.js'
import { Snapshot } from './snapshot.js'
import { type Call, type EncodedAhead, type Draft, type Steps, WriteQueue } from './write-queue.js'
import { greatest } from '../base/extremes.js'

/** Signatures that an episode is given later, in the form in which they are stored. */
export interface Encode {
  readonly slot: number
  readonly id: EpisodeId
  readonly signatures: Signatures
}

/** What becomes durable together. */
export interface Transaction<T> {
  readonly episodes?: readonly Episode[]
  /** Signatures of what was perceived with each episode beside its text, as they are stored. Default: none. */
  readonly perceived?: ReadonlyMap<EpisodeId, Signatures>
  readonly records: readonly RecordChange[]
  /** That the call had its effect; written with it. */
  readonly receipt: Receipt
  /** Called once it is durable; `slots` are those of the records, in order. Its answer is that of the transaction. */
  readonly done: (slots: readonly number[]) => T
  /** Called when it could not be written, before the call rejects: takes back what the draft has changed. */
  readonly undo?: () => Promise<void>
}

/** Changes of records that are there, and records that come with them, which become durable together. */
export interface Rewriting<T> {
  readonly changes: readonly StorageChange[]
  readonly records: readonly RecordChange[]
  readonly receipt: Receipt
  /** Called once it is durable; `slots` are those of the records, in order. Its answer is that of the call. */
  readonly done: (slots: readonly number[]) => T
  /** Called when it could not be written. */
  readonly undo: () => void
}

/** What is written in the same commit as new episodes. */
export interface AlongRecords {
  readonly records: readonly RecordChange[]
  /** Called once all of it is durable and the episodes can be recalled; `slots` are those of the records, in order. */
  readonly done: (slots: readonly number[]) => void
  /** Called after the episodes were told of. */
  readonly told: () => void
}

/** Makes what is to be written beside new episodes; `undefined` for nothing. Nothing else is written meanwhile. */
export type WriteAlong = (episodes: readonly Episode[]) => Promise<AlongRecords | undefined> | undefined

/** Told of episodes once they are durable and can be recalled; `slot` is that of the last. */
type OnStored = (episodes: readonly Episode[], slot: number, caller: Caller) => void

/**
 * Puts changes into the storage one commit at a time, and into the indexes once they are durable.
 * Episodes that arrive while a commit is under way share the next one (group commit), and are encoded meanwhile.
 */
export class Writer {
  readonly #rows: RowStore
  readonly #indexes: Indexes
  readonly #committed: (changes: number) => void
  readonly #idempotencyLog: IdempotencyLog
  readonly #stored: OnStored
  #nextSlot: number
  readonly #turns = new SerialQueue()
  #ended = false
  readonly #queue: WriteQueue
  readonly #snapshots = new Set<Snapshot>()
  #accompany: WriteAlong = () => undefined

  /**
   * @param committed called after each commit with how many changes it had.
   * @param ahead makes signatures of episodes that wait; absent where this thread makes all.
   */
  constructor(
    rows: RowStore,
    indexes: Indexes,
    nextSlot: number,
    committed: (changes: number) => void = () => {},
    idempotencyLog = new IdempotencyLog(),
    stored: OnStored = () => {},
    ahead?: EncodedAhead,
  ) {
    this.#rows = rows
    this.#indexes = indexes
    this.#committed = committed
    this.#nextSlot = nextSlot
    this.#idempotencyLog = idempotencyLog
    this.#stored = stored
    this.#queue = new WriteQueue(indexes, ahead)
  }

  /** Has each commit of episodes take along what `accompany` makes of them; both become durable, or neither. */
  writeAlong(accompany: WriteAlong): void {
    this.#accompany = accompany
  }

  /**
   * Resolves when the episodes are durable and can be recalled. Many are written in several commits, each all or
   * nothing, in their order; if it rejects, those of the commit that failed and all after it are not there.
   */
  add(episodes: readonly Episode[], steps: Steps = {}): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(replaced())
      const call: Call = { ...steps, episodes, resolve, reject }
      this.#queue.push(call)
      // Each call takes a turn, so that later work waits for all of them. Most turns find an empty queue.
      this.#commitNext([call])
    })
  }

  /**
   * Writes what `draft` makes, all or nothing. Nothing else is written from the moment at which it is drafted on, so
   * what the draft has read still holds when it is durable. With nothing to write, only `done` is called.
   */
  transact<T>(draft: () => Transaction<T> | Promise<Transaction<T>>): Promise<T> {
    return this.#exclusive(async () => {
      const { episodes = [], perceived, records, receipt, done, undo } = await draft()
      if (episodes.length + records.length === 0) return done([])
      const first = this.#nextSlot
      let result: T
      let told: (() => void) | undefined
      try {
        told = await this.#commit(
          episodes.map((episode) => this.#queue.draft(episode, perceived?.get(episode.id))),
          [receipt],
          records,
          (slots) => {
            if (episodes.length > 0) this.#stored(episodes, first + episodes.length - 1, receipt.caller)
            result = done(slots)
          },
        )
      } catch (error) {
        await undo?.()
        throw error
      }
      told?.()
      return result!
    })
  }

  /**
   * Writes what `draft` changes of what is there, all or nothing. Nothing else is written from the moment at which it
   * is drafted on until it is durable.
   */
  rewrite<T>(draft: () => Promise<Rewriting<T>>): Promise<T> {
    return this.#exclusive(async () => {
      const { changes, records, receipt, done, undo } = await draft()
      if (changes.length + records.length === 0) return done([])
      const kept = this.#idempotencyLog.changes([receipt])
      const slots = this.#slotsOf([...records, ...kept.records], this.#nextSlot)
      const written = [...records, ...kept.records].map((record, i) => toChange(record, slots[i]))
      try {
        await this.#store([...changes, ...written])
      } catch (error) {
        undo()
        throw error
      }
      this.#nextSlot = Math.max(this.#nextSlot, greatest(slots) + 1)
      kept.done(slots.slice(records.length))
      return done(slots.slice(0, records.length))
    })
  }

  /** Replaces the row of a live episode by what `change` makes of it. Answers its slot. Throws `AGIDB_NOT_FOUND`. */
  update(id: EpisodeId, change: () => Promise<Episode>, receipt: Receipt): Promise<number> {
    return this.#exclusive(async () => {
      const slot = liveSlot(this.#indexes, id)
      const episode = await change()
      await this.#storeWith(
        [{ op: 'update', slot, id, row: encodeEpisode(episode) }],
        this.#idempotencyLog.changes([receipt]),
      )
      this.#indexes.update(slot, episode)
      return slot
    })
  }

  /**
   * Stores signatures of episodes that were made later, as part of work that runs in {@link still}; an episode that
   * went away in the meantime is passed over.
   */
  async setSignaturesNow(signs: readonly Encode[]): Promise<void> {
    const { catalog } = this.#indexes
    const live = signs.filter(({ slot, id }) => catalog.slot(id) === slot)
    if (live.length === 0) return
    await this.#store(
      live.map(({ slot, id, signatures }): StorageChange => ({ op: 'setSignatures', slot, id, signatures })),
    )
    for (const { slot, signatures } of live) this.#indexes.setSignatures(slot, signatures)
  }

  /** Ends the writer: whatever still waits, and every later call, is refused with `AGIDB_CLOSED`. */
  end(): void {
    this.#ended = true
  }

  /** Deletes the receipts of callers that are gone. */
  tidy(): Promise<void> {
    return this.#exclusive(() => this.#storeWith([], this.#idempotencyLog.removalsOfGone()))
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
    return this.#turns.run(() => {
      if (this.#ended) throw replaced()
      return work()
    })
  }

  /**
   * Takes a snapshot of what is stored; reading a part of it takes a turn of the writer's. {@link Writer.release} ends
   * it.
   *
   * @param isLeftOut tells, at the moment of the snapshot, which slots are left out of it.
   * @param rows reads them in another form than they are written in. Default: as they are written.
   */
  snapshot(
    isLeftOut: () => (slot: number) => boolean = () => () => false,
    rows: Pick<RowStore, 'read'> = this.#rows,
  ): Promise<Snapshot> {
    return this.#exclusive(async () => {
      const left = isLeftOut()
      const slots = (await this.slots()).filter((slot) => !left(slot))
      const snapshot = new Snapshot(rows, slots)
      this.#snapshots.add(snapshot)
      return snapshot
    })
  }

  /** The live slots, but for those of receipts, which belong to this place and not to the memory. */
  async slots(): Promise<number[]> {
    const receipts = this.#idempotencyLog.slots
    return (await this.#rows.slots()).filter((slot) => !receipts.has(slot))
  }

  /** Ends a snapshot: rows that change are no longer kept for it. */
  release(snapshot: Snapshot): void {
    this.#snapshots.delete(snapshot)
  }

  /** Ends all snapshots. */
  releaseAll(): void {
    this.#snapshots.clear()
  }

  /** Bytes of main memory that are kept for what will be written. */
  get bytes(): number {
    return this.#queue.bytes
  }

  /** Snapshots that are being read. */
  get snapshots(): ReadonlySet<Snapshot> {
    return this.#snapshots
  }

  async #store(changes: readonly StorageChange[]): Promise<void> {
    for (const snapshot of this.#snapshots) await snapshot.changing(changes)
    await this.#rows.commit(changes)
    this.#committed(changes.length)
  }

  /** Stores changes together with changes of receipts. */
  async #storeWith(changes: readonly StorageChange[], { records, done }: ReceiptChanges): Promise<void> {
    if (changes.length + records.length === 0) return
    const slots = this.#slotsOf(records, this.#nextSlot)
    await this.#store([...changes, ...records.map((record, i) => toChange(record, slots[i]))])
    this.#nextSlot = Math.max(this.#nextSlot, greatest(slots) + 1)
    done(slots)
  }

  /** Takes a turn to commit what waits. If the writer has ended by then, these calls are refused. */
  #commitNext(calls: readonly Call[]): void {
    this.#exclusive(() => this.#commitWaiting()).catch((error: unknown) => {
      for (const call of calls) this.#refuse(call, error)
    })
  }

  /** Removes what is not yet written of a call, and rejects the call. */
  #refuse(call: Call, error: unknown): void {
    this.#queue.drop(call)
    call.reject(error)
  }

  async #commitWaiting(): Promise<void> {
    const parts = this.#queue.take()
    if (parts.length === 0) return
    // The rest of a long call takes another turn, after the work that was asked for meanwhile.
    const unfinished = parts.filter(({ call, to }) => to < call.episodes.length).map(({ call }) => call)
    if (unfinished.length > 0) this.#commitNext(unfinished)
    try {
      let next = this.#nextSlot
      const drafts = await this.#queue.finish(parts)
      const told = await this.#commit(
        drafts,
        parts.flatMap(({ call, to }) => call.receipt?.(to) ?? []),
      )
      for (const { call, from, to } of parts) {
        next += to - from
        const receipt = call.receipt?.(to)
        if (receipt !== undefined) this.#stored(call.episodes.slice(from, to), next - 1, receipt.caller)
      }
      told?.()
    } catch (error) {
      for (const { call } of parts) this.#refuse(call, error)
      return
    } finally {
      this.#queue.release(parts)
    }
    for (const { call, to } of parts) {
      try {
        call.durable?.(to)
        if (to === call.episodes.length) call.resolve()
      } catch (error) {
        this.#refuse(call, error)
      }
    }
  }

  /** The slots that records have or, from `next` on, are given. */
  #slotsOf(records: readonly RecordChange[], next: number): number[] {
    return records.map((record) => (record.op === 'put' ? next++ : record.slot))
  }

  /**
   * Commits episodes, the records that were asked for, and the records that go along with the episodes.
   *
   * @param applied called with the slots of the asked records, once all is durable and indexed. It runs before the
   * companion records are applied, because they have later slots and are replayed later.
   * @returns what is to be called once subscribers were told of the episodes
   */
  async #commit(
    drafts: readonly Draft[],
    receipts: readonly Receipt[],
    asked: readonly RecordChange[] = [],
    applied: (slots: readonly number[]) => void = () => {},
  ): Promise<(() => void) | undefined> {
    const making = drafts.length === 0 ? undefined : this.#accompany(drafts.map(({ episode }) => episode))
    const companion = making && (await making)
    const first = this.#nextSlot
    const kept = this.#idempotencyLog.changes(receipts)
    const own = [...asked, ...(companion?.records ?? [])]
    const records = [...own, ...kept.records]
    const slots = this.#slotsOf(records, first + drafts.length)
    // A removal among them cannot be withdrawn later, so it must be sure before that there is room.
    if (asked.length > 0) this.#indexes.addMany(first, drafts, true)
    const changes = [
      ...drafts.map(
        ({ episode, row, signed }, i): StorageChange => ({
          op: 'put',
          slot: first + i,
          id: episode.id,
          row,
          units: [unitOf(episode)],
          ...signed,
        }),
      ),
      ...records.map((record, i) => toChange(record, slots[i])),
    ]
    const written = this.#store(changes)
    await this.#queue.whileWriting(written)
    await written
    this.#nextSlot = Math.max(first + drafts.length, greatest(slots) + 1)
    kept.done(slots.slice(own.length))
    try {
      this.#indexes.addMany(first, drafts)
    } catch (error) {
      // Episodes that cannot be indexed must not stay stored: the caller is told that none was kept.
      const removing = changes
        .slice(0, drafts.length + own.length)
        .flatMap(({ op, slot, id }): StorageChange[] => (op === 'put' ? [{ op: 'remove', slot, id }] : []))
      await this.#storeWith(removing, this.#idempotencyLog.withdrawing(receipts))
      throw error
    }
    applied(slots.slice(0, asked.length))
    companion?.done(slots.slice(asked.length, own.length))
    return companion?.told
  }
}

function replaced(): AgidbError {
  return new AgidbError('AGIDB_CLOSED', 'the memory was replaced by an import')
}

function toChange(record: RecordChange, slot: number): StorageChange {
  if (record.op !== 'put') return record
  const { op, id, row, signature } = record
  // Storage has a place for signatures, and does not look into them.
  return { op, slot, id, row, signatures: signature === undefined ? {} : { text: signature } }
}

/** The slot of a live episode. Throws `AGIDB_NOT_FOUND`. */
export function liveSlot({ catalog }: Indexes, id: EpisodeId): number {
  const slot = catalog.slot(id)
  if (slot === undefined)
    throw new AgidbError('AGIDB_NOT_FOUND', `there is no episode with the id ${JSON.stringify(id)}`, { id })
  return slot
}
