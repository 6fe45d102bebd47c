import { AgidbError } from '../../base/errors.js'
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.js'
import { type Cipher, newNonce } from './cipher.js'
import { damagedRow } from './failures.js'
import type { DataKey, KeyRing } from './key-ring.js'
import { decodeSealed, type KeyNumbers, type Sealed, sealedLength, textIn } from './sealed.js'
import type { SealedSpace } from './sealed-space.js'

/** Bytes before the id of a row: its length. */
const ID_AT = 2
const MAX_ID_BYTES = 0xffff

/** A row as it was before it was encrypted. */
export interface OpenRow {
  readonly id: string
  readonly row: Uint8Array
}

/** Encrypts and decrypts rows and signatures with the keys of a ring. */
export class Sealer {
  readonly #ring: KeyRing
  readonly #cipher: Cipher
  /** What is authenticated with a text of each kind: the ring and the kind. Not the slot, so that texts can move. */
  readonly #contexts = new Map<string, Uint8Array>()

  constructor(ring: KeyRing, cipher: Cipher) {
    this.#ring = ring
    this.#cipher = cipher
  }

  /** A row, with its id inside, in memory of `space`. */
  sealRow(key: DataKey, id: string, row: Uint8Array, space: SealedSpace): Uint8Array {
    const name = encodeUtf8(id)
    if (name.length > MAX_ID_BYTES)
      throw new AgidbError('AGIDB_TOO_LARGE', 'an id may have at most 65,535 bytes in UTF-8')
    const length = ID_AT + name.length + row.length
    const sealed = space.take(sealedLength(key.head, length))
    const text = textIn(key.head, sealed)
    text[0] = name.length & 0xff
    text[1] = name.length >> 8
    text.set(name, ID_AT)
    text.set(row, ID_AT + name.length)
    return this.#seal(key, 'row', text.subarray(0, length), sealed)
  }

  /** @throws AgidbError `AGIDB_CORRUPT` where it is damaged. Answers `erased` where its key was dropped. */
  unsealRow(bytes: Uint8Array): OpenRow | 'erased' {
    const text = this.unseal('row', bytes)
    if (text === 'erased') return text
    const end = ID_AT + new DataView(text.buffer, text.byteOffset, text.byteLength).getUint16(0, true)
    return { id: decodeUtf8(text.subarray(ID_AT, end)), row: text.subarray(end) }
  }

  /** A signature, in memory of `space`. */
  sealSignature(key: DataKey, kind: string, signature: Uint8Array, space: SealedSpace): Uint8Array {
    return this.#seal(key, kind, signature, space.take(sealedLength(key.head, signature.length)))
  }

  /** @throws AgidbError `AGIDB_CORRUPT` where it is damaged. Answers `erased` where its key was dropped. */
  unseal(kind: string, bytes: Uint8Array): Uint8Array | 'erased' {
    const { keys, nonce, text } = expectSealed(kind, bytes)
    const key = this.#ring.find(keys)
    if (key === 'erased') return key
    const open = this.#cipher.unseal(key.bytes, nonce, this.#context(kind), text)
    if (open === undefined) throw damagedRow(`an encrypted ${kind}`)
    return open
  }

  /** Encrypts a text, which may lie where it will be encrypted. */
  #seal({ head, bytes }: DataKey, kind: string, text: Uint8Array, sealed: Uint8Array): Uint8Array {
    const nonce = newNonce()
    this.#cipher.seal(bytes, nonce, this.#context(kind), text, textIn(head, sealed))
    sealed.set(head)
    sealed.set(nonce, head.length)
    return sealed
  }

  #context(kind: string): Uint8Array {
    let context = this.#contexts.get(kind)
    if (context === undefined) {
      context = Uint8Array.of(...this.#ring.id, ...encodeUtf8(kind))
      this.#contexts.set(kind, context)
    }
    return context
  }
}

/** The keys that encrypted bytes need. */
export function keysOf(bytes: Uint8Array): KeyNumbers {
  return expectSealed('row', bytes).keys
}

function expectSealed(kind: string, bytes: Uint8Array): Sealed {
  const sealed = decodeSealed(bytes)
  if (sealed === undefined) throw damagedRow(`an encrypted ${kind}`)
  return sealed
}
