import { SerialQueue } from '../../base/serial-queue.js'
import type { AddEpisodes, OpenedStorage, RowStore, StorageChange, StoredEpisode } from '../../api/storage.js'
import { AgidbError } from '../../base/errors.js'
import { crc32c } from '../../base/crc32c.js'
import { type BucketObjects, mapped } from './bucket-objects.js'
import type { LooseKeys } from './loose-keys.js'
import { divided, referenceOf, referenceRow, wholeRow } from './media-row.js'

/** How long after it began an object may still appear in the bucket, though nobody waits for it any more. */
const LATE_MS = 60_000

/** What is written of a row: the row that refers to its bytes, and these. */
interface Divided {
  readonly row: Uint8Array
  readonly object: { readonly key: string; readonly bytes: Uint8Array }
}

/**
 * The rows of a memory whose pieces of pictures and sounds are in a bucket. What is live is what a row refers to: an
 * object is written before its row, and deleted after its row. The keys of both are on a durable list meanwhile, and
 * {@link MediaRows.sweep} deletes those of the list that no row refers to. So neither a crash nor a bucket that cannot
 * be reached leaves anything behind, and no object is deleted that a row refers to, whatever the list says.
 */
export class MediaRows implements RowStore {
  readonly #opened: OpenedStorage
  readonly #objects: BucketObjects
  readonly #loose: LooseKeys
  readonly #clock: () => number
  /** What changes which keys are live, one after the other. */
  readonly #queue = new SerialQueue()
  #sweeping: Promise<boolean> | undefined

  constructor(opened: OpenedStorage, objects: BucketObjects, loose: LooseKeys, clock: () => number) {
    this.#opened = opened
    this.#objects = objects
    this.#loose = loose
    this.#clock = clock
  }

  slots(): Promise<number[]> {
    return this.#opened.rows.slots()
  }

  async get(slots: readonly number[]): Promise<(Uint8Array | undefined)[]> {
    const rows = await this.#opened.rows.get(slots)
    // Most rows are no pieces.
    if (!rows.some((row) => row !== undefined && referenceOf(row) !== undefined)) return rows
    return mapped(rows, (row, i) => this.#whole(slots[i], row))
  }

  async read(slots: readonly number[]): Promise<StoredEpisode[]> {
    const stored = await this.#opened.rows.read(slots)
    const whole = await mapped(stored, async (episode) => {
      const row = await this.#whole(episode.slot, episode.row)
      return row && { ...episode, row }
    })
    return whole.filter((episode) => episode !== undefined)
  }

  async commit(changes: readonly StorageChange[]): Promise<void> {
    const { rows } = this.#opened
    const rewritten = changes.filter(({ op }) => op === 'update' || op === 'remove')
    const { keys: retired, damaged } = await this.#keysIn(rewritten.map(({ slot }) => slot))
    // What a damaged row refers to is among all that there are.
    if (damaged.length > 0) retired.push(this.#objects.prefix)
    const pieces = changes.map((change) => ('row' in change ? this.#divide(change.slot, change.row) : undefined))
    const objects = pieces.flatMap((piece) => piece?.object ?? [])
    if (objects.length + retired.length === 0) return rows.commit(changes)
    try {
      await this.#queue.run(async () => {
        const since = this.#clock()
        await this.#loose.add([
          ...objects.map(({ key }) => ({ key, since })),
          ...retired.map((key) => ({ key, since: 0 })),
        ])
        await this.#objects.put(objects)
        await rows.commit(changes.map((change, i) => ({ ...change, ...(pieces[i] && { row: pieces[i].row }) })))
      })
    } finally {
      await this.sweep()
    }
  }

  async replace(fill: (add: AddEpisodes) => Promise<void>): Promise<void> {
    const everything = this.#objects.prefix
    try {
      await this.#queue.run(async () => {
        await this.#loose.add([{ key: everything, since: this.#clock() }])
        await this.#opened.rows.replace((add) =>
          fill(async (episodes) => {
            const pieces = episodes.map(({ slot, row }) => this.#divide(slot, row))
            await this.#objects.put(pieces.flatMap((piece) => piece?.object ?? []))
            await add(episodes.map((episode, i) => ({ ...episode, ...(pieces[i] && { row: pieces[i].row }) })))
          }),
        )
        // All that was put is there. Where that cannot be noted, the prefix stays listed a little longer.
        await this.#loose.add([{ key: everything, since: 0 }]).catch(() => undefined)
      })
    } finally {
      await this.sweep()
    }
  }

  /** Resolves when no sweep is under way. */
  async swept(): Promise<void> {
    await this.#sweeping
  }

  /**
   * Deletes the listed objects that no row refers to.
   *
   * @returns whether nothing is listed any more. Never rejects: what cannot be deleted now stays listed.
   */
  sweep(): Promise<boolean> {
    const swept = (this.#sweeping ?? Promise.resolve(true)).then(() => this.#sweep()).catch(() => false)
    this.#sweeping = swept
    return swept
  }

  async #sweep(): Promise<boolean> {
    const listed = await this.#loose.all()
    if (listed.length === 0) return true
    const settled = this.#clock() - LATE_MS
    const isSettled = ({ since }: { readonly since: number }): boolean => since <= settled
    const all = listed.filter(({ key }) => key.endsWith('/'))
    const single = listed.filter((one) => !all.includes(one))
    const dead = new Set(await this.#dead(single.map(({ key }) => key)))
    await this.#delete([...dead])
    await this.#loose.drop(single.filter((one) => dead.has(one.key) && isSettled(one)).map(({ key }) => key))
    for (const one of all) {
      for await (const keys of this.#objects.list(one.key)) await this.#delete(await this.#dead(keys))
      if (isSettled(one)) await this.#loose.drop([one.key])
    }
    return (await this.#loose.all()).length === 0
  }

  /**
   * Those of the keys that no row refers to, nor ever will again, since each is used once. The others are taken off the
   * list.
   */
  #dead(keys: readonly string[]): Promise<string[]> {
    if (keys.length === 0) return Promise.resolve([])
    return this.#queue.run(async () => {
      const { keys: referredTo, damaged } = await this.#keysIn(keys.map((key) => this.#objects.slotOf(key)))
      const live = (key: string) => referredTo.includes(key) || damaged.includes(this.#objects.slotOf(key))
      await this.#loose.drop(keys.filter(live))
      return keys.filter((key) => !live(key))
    })
  }

  async #delete(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return
    await this.#opened.flush() // A row that is only about to be removed may come back.
    await this.#objects.delete(keys)
  }

  /** The keys to which the rows in some slots refer, and the slots whose rows are damaged. */
  async #keysIn(slots: readonly number[]): Promise<{ readonly keys: string[]; readonly damaged: readonly number[] }> {
    if (slots.length === 0) return { keys: [], damaged: [] }
    try {
      const rows = await this.#opened.rows.get(slots)
      return { keys: rows.flatMap((row) => (row === undefined ? [] : (referenceOf(row)?.key ?? []))), damaged: [] }
    } catch (error) {
      if (!(error instanceof AgidbError) || error.code !== 'AGIDB_CORRUPT') throw error
      if (slots.length === 1) return { keys: [], damaged: slots }
      const each = await mapped(slots, (slot) => this.#keysIn([slot]))
      return { keys: each.flatMap(({ keys }) => keys), damaged: each.flatMap(({ damaged }) => damaged) }
    }
  }

  #divide(slot: number, row: Uint8Array): Divided | undefined {
    const parts = divided(row)
    if (parts === undefined) return undefined
    const { about, bytes } = parts
    const key = this.#objects.newKey(slot)
    const place = { key, length: bytes.length, checksum: crc32c(bytes) }
    return { row: referenceRow(about, place), object: { key, bytes } }
  }

  /** The row as it was committed; `undefined` where it was removed meanwhile. */
  async #whole(slot: number, row: Uint8Array | undefined): Promise<Uint8Array | undefined> {
    const reference = row && referenceOf(row)
    if (reference === undefined) return row
    const bytes = await this.#objects.get(reference)
    if (bytes !== undefined) return wholeRow(reference, bytes)
    const { key } = reference
    const [now] = await this.#opened.rows.get([slot])
    if (now === undefined || referenceOf(now)?.key !== key) return this.#whole(slot, now)
    const message =
      `the bucket has no object "${key}", which is a piece of a picture or sound: ` +
      'put it back, or forget the episode that it belongs to'
    throw new AgidbError('AGIDB_NOT_FOUND', message, { key })
  }
}
