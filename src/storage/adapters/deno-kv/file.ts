import type { BlockFile } from '../../block/block-file.js'
import { guarded, type DenoKv, type KvAtomic, type KvKeyPart } from './kv.js'
import type { Lease } from './lease.js'

/** Bytes of a block, which is one value. The last one of a file is written anew with each commit. */
const BLOCK = 16 * 1024
/** Blocks in one atomic commit: 640 KiB of the 800 that it may have (https://docs.deno.com/deploy/kv/). */
const BATCH = 40
/** Entries that are deleted at once, of 1,000. */
const DELETIONS = 500
/** Entries that are read at a time, of 500. */
const LISTED = 256
/** Blocks of a file in main memory: 1 MiB. */
const CACHED = 64

/**
 * A file in blocks of Deno KV, a value each. Blocks, or ends of blocks, that are not there are zeros. Every commit
 * checks the lease.
 */
export class KvFile implements BlockFile {
  readonly name: string
  readonly #kv: DenoKv
  readonly #key: readonly KvKeyPart[]
  readonly #lease: Lease
  #length: number
  /** The blocks that were used last, oldest first. */
  readonly #cached = new Map<number, Uint8Array>()
  /** How often blocks were changed: what was read before a change is not kept, since it may be of before. */
  #changes = 0

  private constructor(kv: DenoKv, key: readonly KvKeyPart[], lease: Lease, length: number) {
    this.name = key.join('/')
    this.#kv = kv
    this.#key = key
    this.#lease = lease
    this.#length = length
  }

  /** Opens a file, and deletes what a write that was cut off left behind its end. */
  static async open(kv: DenoKv, key: readonly KvKeyPart[], lease: Lease): Promise<KvFile> {
    const { value } = await guarded(`opening ${key.join('/')}`, () => kv.get([...key, 'length']))
    const file = new KvFile(kv, key, lease, typeof value === 'number' ? value : 0)
    await file.#dropFrom(Math.ceil(file.#length / BLOCK))
    return file
  }

  size(): number {
    return this.#length
  }

  async read(at: number, into: Uint8Array): Promise<number> {
    const length = Math.max(0, Math.min(into.length, this.#length - at))
    if (length === 0) return 0
    const [first, last] = [blockOf(at), blockOf(at + length - 1)]
    const blocks = await this.#blocks(first, last)
    into.fill(0, 0, length)
    for (let number = first; number <= last; number++) {
      const start = number * BLOCK
      const from = Math.max(at, start)
      const bytes = blocks.get(number)?.subarray(from - start, at + length - start)
      if (bytes !== undefined) into.set(bytes, from - at)
    }
    return length
  }

  /**
   * Blocks behind the end come first, in as many commits as they need. The last commit has the new length, before which
   * they do not count, with what changes before the old end: so bytes that are added are there as a whole or not at
   * all.
   */
  async write(at: number, bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return
    if (at > this.#length) await this.truncate(at)
    const end = at + bytes.length
    const length = Math.max(this.#length, end)
    const [first, last] = [blockOf(at), blockOf(end - 1)]
    const old = Math.ceil(this.#length / BLOCK)
    const edges = await this.#blocks(first, first)
    for (const [number, block] of await this.#blocks(last, last)) edges.set(number, block)
    const block = (number: number): Uint8Array => {
      const start = number * BLOCK
      const merged = new Uint8Array(Math.min(BLOCK, length - start))
      merged.set((edges.get(number) ?? NONE).subarray(0, merged.length))
      const from = Math.max(at, start)
      merged.set(bytes.subarray(from - at, start + BLOCK - at), from - start)
      return merged
    }
    for (let number = Math.max(first, old); number <= last; number += BATCH)
      await this.#setBlocks(number, Math.min(last, number + BATCH - 1), block)
    let number = first
    for (; Math.min(last, old - 1) - number >= BATCH; number += BATCH)
      await this.#setBlocks(number, number + BATCH - 1, block)
    await this.#setBlocks(number, Math.min(last, old - 1), block, length)
    this.#length = length
  }

  /** The new length counts at once; what lies behind it is deleted afterwards, or when the file is next opened. */
  async truncate(length: number): Promise<void> {
    if (length >= this.#length) {
      await this.#dropFrom(Math.ceil(this.#length / BLOCK)) // They would count now.
      await this.#commit((atomic) => atomic.set(this.#at('length'), length))
      this.#length = length
      return
    }
    const kept = Math.ceil(length / BLOCK)
    const cut = length % BLOCK === 0 ? undefined : (await this.#blocks(kept - 1, kept - 1)).get(kept - 1)
    const tail = cut?.slice(0, length % BLOCK)
    await this.#commit((atomic) => {
      atomic.set(this.#at('length'), length)
      if (tail !== undefined) atomic.set(this.#at(kept - 1), tail)
    })
    this.#length = length
    this.#changes++
    for (const number of this.#cached.keys()) if (number >= kept) this.#cached.delete(number)
    if (tail !== undefined) this.#remember(kept - 1, tail)
    await this.#dropFrom(kept)
  }

  /** A commit is durable when it is answered. */
  flush(): void {}

  close(): void {
    this.#cached.clear()
  }

  #at(part: KvKeyPart): KvKeyPart[] {
    return [...this.#key, part]
  }

  /** Blocks by their numbers, those that are not there left out: they are zeros. None lies behind the end. */
  async #blocks(first: number, last: number): Promise<Map<number, Uint8Array>> {
    const found = new Map<number, Uint8Array>()
    const end = Math.min(last + 1, Math.ceil(this.#length / BLOCK))
    let missing = 0
    for (let number = first; number < end; number++) {
      const cached = this.#cached.get(number)
      if (cached === undefined) missing++
      else found.set(number, cached)
    }
    if (missing === 0) return found
    const changes = this.#changes
    const take = (number: number, block: Uint8Array): void => {
      found.set(number, block)
      if (changes === this.#changes) this.#remember(number, block)
    }
    await guarded(`reading ${this.name}`, async () => {
      if (end - first === 1) {
        const { value } = await this.#kv.get(this.#at(first))
        if (value instanceof Uint8Array) take(first, value)
        return
      }
      const range = { start: this.#at(first), end: this.#at(end) }
      for await (const { key, value } of this.#kv.list(range, { batchSize: Math.min(LISTED, end - first) }))
        if (value instanceof Uint8Array) take(key[key.length - 1] as number, value)
    })
    return found
  }

  #remember(number: number, block: Uint8Array): void {
    this.#cached.delete(number)
    this.#cached.set(number, block)
    if (this.#cached.size > CACHED) this.#cached.delete(this.#cached.keys().next().value!)
  }

  /** Writes blocks in one commit, with the length where it is given. */
  async #setBlocks(first: number, last: number, block: (number: number) => Uint8Array, length?: number): Promise<void> {
    const written = new Map<number, Uint8Array>()
    for (let number = first; number <= last; number++) written.set(number, block(number))
    await this.#commit((atomic) => {
      for (const [number, bytes] of written) atomic.set(this.#at(number), bytes)
      if (length !== undefined && length !== this.#length) atomic.set(this.#at('length'), length)
    })
    this.#changes++
    for (const [number, bytes] of written) this.#remember(number, bytes)
  }

  /** Deletes the blocks from a number on. */
  async #dropFrom(number: number): Promise<void> {
    const range = { start: this.#at(number), end: this.#at(Number.MAX_SAFE_INTEGER) }
    let keys: KvKeyPart[][] = []
    await guarded(`reading ${this.name}`, async () => {
      keys = []
      for await (const { key } of this.#kv.list(range, { batchSize: LISTED })) keys.push(key as KvKeyPart[])
    })
    for (let from = 0; from < keys.length; from += DELETIONS)
      await this.#commit((atomic) => {
        for (const key of keys.slice(from, from + DELETIONS)) atomic.delete(key)
      })
  }

  /** @throws AgidbError `AGIDB_STORAGE`; `AGIDB_IN_USE` or `AGIDB_DELETED` where the lease is lost. */
  async #commit(fill: (atomic: KvAtomic) => void): Promise<void> {
    await guarded(`writing ${this.name}`, async () => {
      const atomic = this.#kv.atomic().check(this.#lease.check)
      fill(atomic)
      if (!(await atomic.commit()).ok) throw await this.#lease.lost()
    })
  }
}

const NONE = new Uint8Array(0)

function blockOf(at: number): number {
  return Math.floor(at / BLOCK)
}
