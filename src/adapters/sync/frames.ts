import { AgidbError } from '../../base/errors.js'
import { joinBytes } from '../../base/join-bytes.js'

/** A frame: the length of what follows, its kind, and its content. */
export interface Frame {
  readonly kind: number
  readonly content: Uint8Array
}

const HEAD_BYTES = 5
/** As much as a memory applies at a time, and a little more. */
const MAX_CONTENT = 2 ** 26 + 2 ** 16

/** The bytes of a frame: a length (u32, little-endian), a kind (u8), and the content. */
export function encodeFrame({ kind, content }: Frame): Uint8Array {
  const bytes = new Uint8Array(HEAD_BYTES + content.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, content.length, true)
  view.setUint8(4, kind)
  bytes.set(content, HEAD_BYTES)
  return bytes
}

/** Takes frames off a stream, in whatever pieces it gives them. */
export class FrameReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  #pieces: Uint8Array[] = []
  #length = 0

  constructor(reader: ReadableStreamDefaultReader<Uint8Array>) {
    this.#reader = reader
  }

  /** @throws AgidbError `AGIDB_SYNC` where the stream ends before; `AGIDB_TOO_LARGE` for more than is accepted. */
  async next(): Promise<Frame> {
    const head = await this.#take(HEAD_BYTES)
    const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
    const length = view.getUint32(0, true)
    if (length > MAX_CONTENT)
      throw new AgidbError(
        'AGIDB_TOO_LARGE',
        `the other device announces ${length} bytes; at most ${MAX_CONTENT} are accepted`,
        {
          bytes: length,
          limit: MAX_CONTENT,
        },
      )
    return { kind: view.getUint8(4), content: await this.#take(length) }
  }

  async #take(length: number): Promise<Uint8Array> {
    while (this.#length < length) {
      const { done, value } = await this.#reader.read()
      if (done) throw new AgidbError('AGIDB_SYNC', 'the stream ended before the other device had told everything', {})
      if (!(value instanceof Uint8Array))
        throw new AgidbError('AGIDB_SYNC', 'the stream gives something else than bytes (Uint8Array)', {})
      this.#pieces.push(value)
      this.#length += value.length
    }
    const all = this.#pieces.length === 1 ? this.#pieces[0] : joinBytes(this.#pieces)
    this.#pieces = [all.subarray(length)]
    this.#length -= length
    return all.subarray(0, length)
  }
}
