// Encrypted parts of a checkpoint: a header, then blocks by AES-256-GCM of Web Crypto, which processors have in
// hardware. docs/format.md has the layout.
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { CheckpointArray, CheckpointPart, CheckpointParts, StoredCheckpoint } from '../../api/storage.js'
import { crc32c } from '../../base/crc32c.js'
import { AgidbError } from '../../base/errors.js'
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.js'
import { subtle } from '../../base/web-crypto.js'
import { type Cipher, NONCE_BYTES, randomBytes } from './cipher.js'

/** `AGIDBCP1`. */
const MAGIC = Uint8Array.of(0x41, 0x47, 0x49, 0x44, 0x42, 0x43, 0x50, 0x31)
const HEADER_BYTES = 32
/** Bytes of a part that are encrypted at a time. */
const BLOCK_BYTES = 1 << 20
const IV_BYTES = 12
const GCM_TAG_BYTES = 16
/** Numbers of all types can lie at a multiple of it. */
const ALIGNMENT = 8
/** By how many bytes a block is longer when it is encrypted. */
const BLOCK_EXTRA = IV_BYTES + GCM_TAG_BYTES

const TYPES = [Uint8Array, Uint16Array, Int32Array, Uint32Array, Float64Array] as const

/** Of a part with a mark, which is read piece by piece and always as bytes. */
const MARKED = 'marked'
/** What is authenticated of the head of a part: the number of its type, where it has no mark. */
type Form = number | typeof MARKED

/** Encrypts parts of checkpoints under one key, and decrypts them. */
export class SealedCheckpoints {
  readonly #cipher: Cipher
  readonly #context: Uint8Array
  readonly #key: Uint8Array
  #imported: Promise<CryptoKey> | undefined

  /** @param context names the ring of keys, in what is authenticated. */
  constructor(cipher: Cipher, context: Uint8Array, key: Uint8Array) {
    this.#cipher = cipher
    this.#context = context
    this.#key = key
  }

  /** The parts as they are to be stored. Each is encrypted when its array is first asked for. */
  *seal(parts: Iterable<CheckpointPart>): Generator<CheckpointPart> {
    for (const part of parts) {
      const mark = part.mark === undefined ? undefined : this.#sealMark(part.name, part.mark)
      // The writer asks for the array again and again; the part before is let go with its closure.
      let sealed: Promise<Uint8Array> | undefined
      yield {
        name: part.name,
        array: () => (sealed ??= this.#seal(part, mark ?? '')),
        ...(mark !== undefined && { mark }),
      }
    }
  }

  /** A checkpoint as it was before it was encrypted. Parts that are not encrypted are given as they are. */
  open(stored: StoredCheckpoint): StoredCheckpoint {
    return {
      parts: async (prefix) => {
        const parts = await stored.parts(prefix, isSealedPart)
        const open = [...parts].map(async ([name, array]) => [name, await this.#open(name, array)] as const)
        return new Map(await Promise.all(open)) satisfies CheckpointParts
      },
      marked: (name) => {
        const found = stored.marked(name)
        const mark = found && this.#openMark(name, found.mark)
        return found && mark !== undefined ? { bytes: openLength(found.bytes - found.mark.length), mark } : found
      },
      fill: async (name, into, from) => {
        const found = stored.marked(name)
        if (found === undefined || this.#openMark(name, found.mark) === undefined) return stored.fill(name, into, from)
        await this.#fill(stored, name, openLength(found.bytes - found.mark.length), into, from)
      },
    }
  }

  async #seal({ name, array }: CheckpointPart, mark: string): Promise<Uint8Array> {
    const key = await this.#gcm()
    const given = await array()
    const type = TYPES.findIndex((type) => given instanceof type)
    const form = mark === '' ? type : MARKED
    const { buffer, byteOffset, byteLength } = given as Uint8Array<ArrayBuffer>
    const blocks = Math.ceil(byteLength / BLOCK_BYTES)
    const end = HEADER_BYTES + byteLength + blocks * BLOCK_EXTRA
    const sealed = new Uint8Array(end + mark.length)
    const seal = async (block: number): Promise<void> => {
      const at = block * BLOCK_BYTES
      // Web Crypto copies the bytes when it is called, so a view of WebAssembly memory may be detached afterwards.
      const length = Math.min(BLOCK_BYTES, byteLength - at)
      const text = new Uint8Array(buffer as ArrayBuffer, byteOffset + at, length)
      const iv = randomBytes(IV_BYTES)
      const params = { name: 'AES-GCM', iv, additionalData: this.#blockContext(name, byteLength, block, form) }
      const encrypted = await subtle().encrypt(params, key, text)
      const to = HEADER_BYTES + block * (BLOCK_BYTES + BLOCK_EXTRA)
      sealed.set(iv, to)
      sealed.set(new Uint8Array(encrypted), to + IV_BYTES)
    }
    await Promise.all(Array.from({ length: blocks }, (_, block) => seal(block)))
    const view = new DataView(sealed.buffer)
    sealed.set(MAGIC)
    view.setUint8(8, type)
    if (mark !== '') {
      sealed.set(encodeUtf8(mark), end)
      view.setUint16(10, mark.length, true)
      // What has no mark is checked by the storage itself.
      view.setUint32(12, crc32c(sealed, HEADER_BYTES), true)
    }
    return sealed
  }

  async #open(name: string, array: CheckpointArray): Promise<CheckpointArray> {
    if (!(array instanceof Uint8Array) || !isSealedPart(array)) return array
    const bytes = openLength(array.length - markLength(array))
    const sealed = array.subarray(HEADER_BYTES)
    // It is decrypted where it lies, which saves memory, if numbers can lie there.
    const open = sealed.byteOffset % ALIGNMENT === 0 ? sealed.subarray(0, bytes) : new Uint8Array(bytes)
    const type = TYPES[array[8]]
    if (type === undefined || bytes < 0) throw damagedPart(name)
    await this.#openBlocks(name, bytes, 0, sealed, open, markLength(array) === 0 ? array[8] : MARKED)
    return new type(open.buffer as ArrayBuffer, open.byteOffset, bytes / type.BYTES_PER_ELEMENT)
  }

  /** Reads the blocks of a marked part in which the bytes from a position on lie. */
  async #fill(stored: StoredCheckpoint, name: string, bytes: number, into: Uint8Array, from: number): Promise<void> {
    if (from + into.length > bytes) throw damagedPart(name)
    const first = Math.floor(from / BLOCK_BYTES)
    const last = Math.ceil((from + into.length) / BLOCK_BYTES)
    const end = Math.min(last * BLOCK_BYTES, bytes)
    const sealed = new Uint8Array(end - first * BLOCK_BYTES + (last - first) * BLOCK_EXTRA)
    await stored.fill(name, sealed, HEADER_BYTES + first * (BLOCK_BYTES + BLOCK_EXTRA))
    const open = new Uint8Array(end - first * BLOCK_BYTES)
    await this.#openBlocks(name, bytes, first, sealed, open, MARKED)
    into.set(open.subarray(from - first * BLOCK_BYTES, from - first * BLOCK_BYTES + into.length))
  }

  /**
   * Decrypts blocks that lie one after the other, the first of which has this number in its part. `into` may lie in
   * `sealed`: Web Crypto has copied all blocks before the first is written.
   */
  async #openBlocks(
    name: string,
    bytes: number,
    first: number,
    sealed: Uint8Array,
    into: Uint8Array,
    form: Form,
  ): Promise<void> {
    const key = await this.#gcm()
    const open = async (at: number): Promise<void> => {
      const block = at / BLOCK_BYTES
      const from = block * (BLOCK_BYTES + BLOCK_EXTRA)
      const end = Math.min(BLOCK_BYTES, into.length - at) + BLOCK_EXTRA
      const text = sealed.subarray(from + IV_BYTES, from + end) as Uint8Array<ArrayBuffer>
      const iv = sealed.slice(from, from + IV_BYTES)
      const params = { name: 'AES-GCM', iv, additionalData: this.#blockContext(name, bytes, first + block, form) }
      try {
        into.set(new Uint8Array(await subtle().decrypt(params, key, text)), at)
      } catch (cause) {
        throw damagedPart(name, cause)
      }
    }
    await Promise.all(Array.from({ length: Math.ceil(into.length / BLOCK_BYTES) }, (_, i) => open(i * BLOCK_BYTES)))
  }

  /** What is authenticated with a block: where it belongs, and what it is part of. */
  #blockContext(name: string, bytes: number, block: number, form: Form): Uint8Array<ArrayBuffer> {
    return Uint8Array.of(...this.#context, ...encodeUtf8(`checkpoint ${name} ${bytes} ${form} ${block}`))
  }

  /** A mark names content and would tell that two are alike, so it is encrypted, always alike under one key. */
  #sealMark(name: string, mark: string): string {
    const text = encodeUtf8(mark)
    const nonce = this.#markNonce(name, text)
    return bytesToHex(Uint8Array.of(...nonce, ...this.#cipher.seal(this.#key, nonce, encodeUtf8(`mark ${name}`), text)))
  }

  /** `undefined` for a mark that was not encrypted under this key. */
  #openMark(name: string, sealed: string): string | undefined {
    if (!/^(?:[0-9a-f]{2}){40,}$/.test(sealed)) return undefined
    const bytes = hexToBytes(sealed)
    const [nonce, text] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES)]
    const open = this.#cipher.unseal(this.#key, nonce, encodeUtf8(`mark ${name}`), text)
    return open && decodeUtf8(open)
  }

  #markNonce(name: string, mark: Uint8Array): Uint8Array {
    const named = Uint8Array.of(...encodeUtf8(`${name}\0`), ...mark)
    return hmac(sha256, this.#key, named).subarray(0, NONCE_BYTES)
  }

  #gcm(): Promise<CryptoKey> {
    const key = this.#key.slice()
    return (this.#imported ??= subtle().importKey('raw', key, 'AES-GCM', false, ['encrypt', 'decrypt']))
  }
}

/**
 * The mark under which an encrypted part was stored, from the part itself; `undefined` for bytes that are no encrypted
 * part, and an empty mark, which none has, for one that is not what was written.
 */
export function markOfPart(bytes: Uint8Array): string | undefined {
  if (!isSealedPart(bytes)) return undefined
  if (new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true) !== crc32c(bytes, HEADER_BYTES)) return ''
  return decodeUtf8(bytes.subarray(bytes.length - markLength(bytes)))
}

function isSealedPart(bytes: Uint8Array): boolean {
  return bytes.length >= HEADER_BYTES && MAGIC.every((byte, i) => bytes[i] === byte)
}

/** Bytes of the mark at the end of an encrypted part. */
function markLength(part: Uint8Array): number {
  return new DataView(part.buffer, part.byteOffset).getUint16(10, true)
}

/** How long a part is that takes so many bytes when it is encrypted. */
function openLength(sealed: number): number {
  const blocks = Math.ceil((sealed - HEADER_BYTES) / (BLOCK_BYTES + BLOCK_EXTRA))
  return sealed - HEADER_BYTES - blocks * BLOCK_EXTRA
}

function damagedPart(name: string, cause?: unknown): AgidbError {
  const message = `the part ${name} of the checkpoint is damaged; it will be made again from the journal`
  return new AgidbError('AGIDB_CORRUPT', message, { part: name }, { cause })
}
