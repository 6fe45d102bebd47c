import { crc32c } from '../../base/crc32c.js'
import { AgidbError } from '../../base/errors.js'

/** Which graph saved bytes are of. */
export type Magic = 'HGPH' | 'TPCH' | 'ENTG' | 'COAX'

/** Bytes before the body: magic, version, count, checksum. */
export const HEADER_BYTES = 16
const VERSION = 1

/** A saved graph: a header of {@link HEADER_BYTES} and the body, which `write` fills. */
export function sealed(magic: Magic, count: number, body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + body.length)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < magic.length; i++) bytes[i] = magic.charCodeAt(i)
  view.setUint32(4, VERSION, true)
  view.setUint32(8, count, true)
  bytes.set(body, HEADER_BYTES)
  view.setUint32(12, crc32c(bytes), true)
  return bytes
}

/**
 * The body of a saved graph, and the count of its header.
 *
 * @throws AgidbError `AGIDB_CORRUPT` where a bit is another, `AGIDB_NEWER_FORMAT`
 */
export function opened(magic: Magic, bytes: Uint8Array): { readonly body: Uint8Array; readonly count: number } {
  if (!(bytes instanceof Uint8Array) || bytes.length < HEADER_BYTES) throw damaged(magic, 'it is too short')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  if (String.fromCharCode(...bytes.subarray(0, 4)) !== magic) throw damaged(magic, 'it begins with other letters')
  const version = view.getUint32(4, true)
  const copy = bytes.slice()
  copy.fill(0, 12, HEADER_BYTES)
  if (crc32c(copy) !== view.getUint32(12, true)) throw damaged(magic, 'its checksum does not fit')
  if (version > VERSION)
    throw new AgidbError('AGIDB_NEWER_FORMAT', `the graph ${magic} has format ${version}; this version reads 1`, {
      magic,
      version,
    })
  return { body: copy.subarray(HEADER_BYTES), count: view.getUint32(8, true) }
}

/** What is thrown for bytes that no graph saved. */
export function damaged(magic: Magic, reason: string): AgidbError {
  return new AgidbError('AGIDB_CORRUPT', `the saved graph ${magic} is damaged: ${reason}; build it anew`, { magic })
}

/** Words of 32 bits, and floats of them, one after the other: the body of a saved graph while it is written. */
export class WordWriter {
  #view = new DataView(new ArrayBuffer(1024))
  #end = 0

  word(value: number): void {
    this.#room(4).setUint32(this.#end, value, true)
    this.#end += 4
  }

  float(value: number): void {
    this.#room(4).setFloat32(this.#end, value, true)
    this.#end += 4
  }

  double(value: number): void {
    this.#room(8).setFloat64(this.#end, value, true)
    this.#end += 8
  }

  /** Bytes, and zeros up to the end of a word. */
  bytesOf(bytes: Uint8Array): void {
    const length = (bytes.length + 3) & ~3
    this.#room(length)
    new Uint8Array(this.#view.buffer, this.#end, length).set(bytes)
    this.#end += length
  }

  get bytes(): Uint8Array {
    return new Uint8Array(this.#view.buffer, 0, this.#end)
  }

  #room(bytes: number): DataView {
    if (this.#end + bytes > this.#view.byteLength) {
      const longer = new Uint8Array(2 * (this.#end + bytes))
      longer.set(this.bytes)
      this.#view = new DataView(longer.buffer)
    }
    return this.#view
  }
}

/** Reads what {@link WordWriter} wrote. After the end it throws `AGIDB_CORRUPT`. */
export class WordReader {
  readonly #view: DataView
  #at = 0

  constructor(
    private readonly magic: Magic,
    body: Uint8Array,
  ) {
    this.#view = new DataView(body.buffer, body.byteOffset, body.length)
  }

  get ended(): boolean {
    return this.#at === this.#view.byteLength
  }

  word(): number {
    return this.#next(4).getUint32(this.#at - 4, true)
  }

  float(): number {
    return this.#next(4).getFloat32(this.#at - 4, true)
  }

  double(): number {
    return this.#next(8).getFloat64(this.#at - 8, true)
  }

  /** Bytes that were written with zeros up to the end of a word. */
  bytesOf(length: number): Uint8Array {
    const start = this.#at
    const { buffer, byteOffset } = this.#next((length + 3) & ~3)
    return new Uint8Array(buffer, byteOffset + start, length)
  }

  #next(bytes: number): DataView {
    this.#at += bytes
    if (this.#at > this.#view.byteLength) throw damaged(this.magic, 'it ends early')
    return this.#view
  }
}
