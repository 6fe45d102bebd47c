import { deserialize, serialize } from 'node:v8'

/** What crosses on a channel: plain data, as structured clone takes it, with Blobs anywhere in it. */
export interface Message {
  readonly channel: string
  readonly data: unknown
}

/** The first part of a message: all of it but the bytes of its Blobs. */
interface Head extends Message {
  readonly blobs: readonly BlobPlace[]
}

/** Where a Blob stands in the data, and what it is. */
interface BlobPlace {
  readonly path: readonly (string | number)[]
  readonly size: number
  readonly type: string
}

/** Bytes of the length that stands before a head. */
const LENGTH = 4
/** Bytes that a head may have: what is larger than this is no message of ours. */
const MAX_HEAD = 2 ** 30

/** A message as bytes: those of the head, with their length before them, then those of each Blob. */
export interface Encoded {
  readonly head: Buffer
  readonly blobs: readonly Blob[]
}

/** @throws Error for what cannot be cloned, such as a function. */
export function encode({ channel, data }: Message): Encoded {
  const found: { readonly path: BlobPlace['path']; readonly blob: Blob }[] = []
  const plain = withoutBlobs(data, [], (path, blob) => found.push({ path, blob }))
  const blobs = found.map(({ path, blob: { size, type } }): BlobPlace => ({ path, size, type }))
  const body = serialize({ channel, data: plain, blobs } satisfies Head)
  const length = Buffer.alloc(LENGTH)
  length.writeUInt32LE(body.length)
  return { head: Buffer.concat([length, body]), blobs: found.map(({ blob }) => blob) }
}

/** Reads messages out of bytes as they come. */
export class Decoder {
  readonly #take: (message: Message) => void
  #pieces: Buffer[] = []
  #bytes = 0
  /** Of what is read next. */
  #wanted = LENGTH
  #read: (pieces: Buffer[]) => void = (pieces) => this.#readLength(pieces)

  constructor(take: (message: Message) => void) {
    this.#take = take
  }

  /** @throws Error for bytes that are no messages. */
  push(bytes: Buffer): void {
    this.#pieces.push(bytes)
    this.#bytes += bytes.length
    while (this.#bytes >= this.#wanted) this.#read(this.#cut(this.#wanted))
  }

  #readLength(pieces: Buffer[]): void {
    this.#wanted = Buffer.concat(pieces).readUInt32LE()
    if (this.#wanted > MAX_HEAD) throw new Error(`a message of ${this.#wanted} bytes is none of this library`)
    this.#read = (body) => this.#readHead(body)
  }

  #readHead(pieces: Buffer[]): void {
    const { channel, data, blobs } = deserialize(Buffer.concat(pieces)) as Head
    this.#readBlobs(channel, data, [...blobs])
  }

  /** Reads the Blobs that are left, and then the next message. */
  #readBlobs(channel: string, data: unknown, left: readonly BlobPlace[]): void {
    const [place, ...rest] = left
    if (place === undefined) {
      this.#wanted = LENGTH
      this.#read = (pieces) => this.#readLength(pieces)
      return this.#take({ channel, data })
    }
    this.#wanted = place.size
    this.#read = (pieces) =>
      this.#readBlobs(
        channel,
        put(data, place.path, new Blob(pieces as Uint8Array<ArrayBuffer>[], { type: place.type })),
        rest,
      )
  }

  /** Takes so many of the bytes that have come. */
  #cut(length: number): Buffer[] {
    const taken: Buffer[] = []
    this.#bytes -= length
    for (let left = length; left > 0; ) {
      const first = this.#pieces.shift()!
      taken.push(first.subarray(0, left))
      if (first.length > left) this.#pieces.unshift(first.subarray(left))
      left -= Math.min(left, first.length)
    }
    return taken
  }
}

/** The data with nothing where its Blobs are; the same object where it has none. */
function withoutBlobs(data: unknown, path: BlobPlace['path'], found: (path: BlobPlace['path'], blob: Blob) => void) {
  if (data instanceof Blob) {
    found(path, data)
    return undefined
  }
  if (!isPlain(data)) return data
  let copy: Record<string, unknown> | undefined
  for (const [key, value] of Object.entries(data)) {
    const plain: unknown = withoutBlobs(value, [...path, key], found)
    if (plain === value) continue
    copy ??= (Array.isArray(data) ? [...(data as unknown[])] : { ...data }) as Record<string, unknown>
    copy[key] = plain
  }
  return copy ?? data
}

function isPlain(data: unknown): data is Readonly<Record<string, unknown>> {
  if (typeof data !== 'object' || data === null) return false
  const prototype: unknown = Object.getPrototypeOf(data)
  return Array.isArray(data) || prototype === Object.prototype || prototype === null
}

/** Puts a value into data that was read here. */
function put(data: unknown, path: BlobPlace['path'], value: unknown): unknown {
  if (path.length === 0) return value
  let at = data as Record<string | number, unknown>
  for (const key of path.slice(0, -1)) at = at[key] as typeof at
  at[path.at(-1)!] = value
  return data
}
