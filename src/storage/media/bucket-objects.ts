import { AgidbError } from '../../base/errors.js'
import { crc32c } from '../../base/crc32c.js'
import type { MediaBucket } from './media-bucket.js'
import type { Place } from './media-row.js'

/** Objects that are deleted by one call, and at most listed by one. */
const PAGE = 1_000
/** Objects that are written or read at the same time: a Worker has six connections. */
const AT_ONCE = 6

/** The objects of one memory in a bucket: `agidb/media/<id of the memory>/<slot>-<random>`. */
export class BucketObjects {
  /** What the keys of all of them begin with. */
  readonly prefix: string
  readonly #bucket: MediaBucket

  constructor(bucket: MediaBucket, databaseId: string) {
    this.#bucket = bucket
    this.prefix = `agidb/media/${databaseId}/`
  }

  /** A key that was never used, so that the object under it never changes. */
  newKey(slot: number): string {
    return `${this.prefix}${slot}-${crypto.randomUUID()}`
  }

  /** The slot of the row for which a key was made; -1 for a key that was not made here. */
  slotOf(key: string): number {
    const [digits = '-1'] = /^\d+(?=-)/.exec(key.slice(this.prefix.length)) ?? []
    return Number(digits)
  }

  /** @throws AgidbError `AGIDB_STORAGE`, once nothing is being written any more as far as can be known. */
  async put(objects: readonly { readonly key: string; readonly bytes: Uint8Array }[]): Promise<void> {
    for (let from = 0; from < objects.length; from += AT_ONCE) {
      const putting = objects
        .slice(from, from + AT_ONCE)
        .map(({ key, bytes }) =>
          this.#asked(`did not take the object "${key}"`, key, async () => this.#bucket.put(key, bytes)),
        )
      const failed = (await Promise.allSettled(putting)).find((settled) => settled.status === 'rejected')
      if (failed !== undefined) throw failed.reason
    }
  }

  /**
   * The bytes of an object; `undefined` where there is none.
   *
   * @throws AgidbError `AGIDB_CORRUPT` where they are not those that were put; `AGIDB_STORAGE`
   */
  async get({ key, length, checksum }: Place): Promise<Uint8Array | undefined> {
    const bytes = await this.#asked(`did not give the object "${key}"`, key, async () => {
      const object = await this.#bucket.get(key)
      return object === null ? undefined : new Uint8Array(await object.arrayBuffer())
    })
    if (bytes === undefined || (bytes.length === length && crc32c(bytes) === checksum)) return bytes
    const message = `the object "${key}" of the bucket is damaged: its checksum does not match`
    throw new AgidbError('AGIDB_CORRUPT', `${message}; import an export of before`, { key })
  }

  /** Deletes objects. */
  async delete(keys: readonly string[]): Promise<void> {
    for (let from = 0; from < keys.length; from += PAGE) await this.#bucket.delete(keys.slice(from, from + PAGE))
  }

  /** The keys of all objects that begin with `prefix`, a page at a time. */
  async *list(prefix: string): AsyncGenerator<string[]> {
    for (let cursor: string | undefined; ; ) {
      const page = await this.#bucket.list({ prefix, ...(cursor !== undefined && { cursor }) })
      yield page.objects.map(({ key }) => key)
      if (!page.truncated || page.cursor === undefined) return
      cursor = page.cursor
    }
  }

  async #asked<T>(what: string, key: string, ask: () => Promise<T>): Promise<T> {
    try {
      return await ask()
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new AgidbError('AGIDB_STORAGE', `the bucket ${what}: ${reason}`, { key }, { cause })
    }
  }
}

/** Does `work` for each of `items`, of which few are under way at the same time; answers in their order. */
export async function mapped<T, R>(items: readonly T[], work: (item: T, i: number) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let from = 0; from < items.length; from += AT_ONCE)
    results.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map((item, i) => work(item, from + i)))))
  return results
}
