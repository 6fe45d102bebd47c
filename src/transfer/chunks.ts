import { crc32c } from '../base/crc32c.js'
import type { ByteReader } from './bytes.js'
import { TAG_BYTES, type Crypt } from './cipher.js'
import { damaged } from './header.js'

/** Bytes of a chunk before its content. `docs/format.md` has the layout. */
const HEAD_BYTES = 16
/** Content of every chunk but the last, before it is encrypted. */
export const CHUNK_BYTES = 1 << 16
const FINAL = 1

/** Cuts bytes into chunks, the last of which says that it is. */
export async function* toChunks(content: AsyncIterable<Uint8Array>, seal?: Crypt): AsyncGenerator<Uint8Array> {
  let number = 0
  let buffer = new Uint8Array(CHUNK_BYTES)
  let filled = 0
  for await (const piece of content) {
    for (let at = 0; at < piece.length; ) {
      // A full one waits for more, since the last must be marked.
      if (filled === CHUNK_BYTES) {
        yield await chunk(buffer, number++, false, seal)
        buffer = new Uint8Array(CHUNK_BYTES)
        filled = 0
      }
      const part = piece.subarray(at, at + CHUNK_BYTES - filled)
      buffer.set(part, filled)
      filled += part.length
      at += part.length
    }
  }
  yield await chunk(buffer.subarray(0, filled), number, true, seal)
}

async function chunk(plain: Uint8Array, number: number, final: boolean, seal?: Crypt): Promise<Uint8Array> {
  const content = seal === undefined ? plain : await seal(plain, { number, final })
  const bytes = new Uint8Array(HEAD_BYTES + content.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(4, content.length, true)
  view.setUint32(8, number, true)
  view.setUint32(12, final ? FINAL : 0, true)
  bytes.set(content, HEAD_BYTES)
  view.setUint32(0, crc32c(bytes, 4), true)
  return bytes
}

/**
 * The content of chunks, each checked before it is given.
 *
 * @throws AgidbError `AGIDB_CORRUPT` for a chunk that is damaged, too long, out of its place, cut short or missing, and
 * for bytes after the last; `AGIDB_PASSPHRASE`.
 */
export async function* fromChunks(file: ByteReader, open?: Crypt): AsyncGenerator<Uint8Array> {
  const full = CHUNK_BYTES + (open === undefined ? 0 : TAG_BYTES)
  for (let number = 0; ; number++) {
    const head = await file.take(HEAD_BYTES)
    if (head.length < HEAD_BYTES) throw damaged(`it is cut short: chunk ${number} is missing`, { chunk: number })
    const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
    const length = view.getUint32(4, true)
    const flags = view.getUint32(12, true)
    const final = flags === FINAL
    // Before room is made for it.
    if (length > full || (!final && length !== full))
      throw damaged(
        `chunk ${number} says that it has ${length} bytes; one has ${full}, and only the last may have fewer`,
        { chunk: number, length },
      )
    const content = await file.take(length)
    if (content.length < length) throw damaged(`it is cut short in chunk ${number}`, { chunk: number })
    if (view.getUint32(0, true) !== checksum(head, content))
      throw damaged(`the checksum of chunk ${number} is wrong`, { chunk: number })
    if (flags > FINAL || view.getUint32(8, true) !== number)
      throw damaged(`chunk ${number} is not where it belongs`, { chunk: number })
    yield open === undefined ? content : await open(content, { number, final })
    if (!final) continue
    if ((await file.take(1)).length > 0) throw damaged('there are bytes after its last chunk')
    return
  }
}

function checksum(head: Uint8Array, content: Uint8Array): number {
  const bytes = new Uint8Array(HEAD_BYTES - 4 + content.length)
  bytes.set(head.subarray(4))
  bytes.set(content, HEAD_BYTES - 4)
  return crc32c(bytes)
}
