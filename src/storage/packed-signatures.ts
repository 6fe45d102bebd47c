import type { PackedSignatures, SignatureKind, Signatures } from '../api/storage.js'

/** The number of the kind (8 bits) and the length (16 bits) stand before each signature. */
const HEADER_BYTES = 3

/**
 * Signatures of one slot in one blob: for each the number of its kind, its length and its bytes.
 *
 * @param numberOf answers the number of a kind, 0 to 255.
 */
export function packSignatures(
  signatures: Signatures,
  numberOf: (kind: SignatureKind) => number,
): Uint8Array<ArrayBuffer> {
  const present = Object.entries(signatures).filter((entry): entry is [string, Uint8Array] => entry[1] !== undefined)
  const bytes = new Uint8Array(present.reduce((sum, [, { length }]) => sum + HEADER_BYTES + length, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [kind, signature] of present) {
    view.setUint8(at, numberOf(kind))
    view.setUint16(at + 1, signature.length, true)
    bytes.set(signature, at + HEADER_BYTES)
    at += HEADER_BYTES + signature.length
  }
  return bytes
}

/** Signatures where they lie in a blob. Used for one slot after the other: an object for each would be garbage. */
export class PackedView implements PackedSignatures {
  bytes = new Uint8Array(0)
  encoder: number | undefined
  readonly #kinds: readonly SignatureKind[]
  readonly #starts = new Int32Array(256)
  readonly #lengths = new Int32Array(256)

  /** @param kinds the kinds by their numbers. */
  constructor(kinds: readonly SignatureKind[]) {
    this.#kinds = kinds
  }

  start(kind: SignatureKind): number {
    const number = this.#kinds.indexOf(kind)
    return number < 0 ? -1 : this.#starts[number]
  }

  length(kind: SignatureKind): number {
    const number = this.#kinds.indexOf(kind)
    return number < 0 ? 0 : this.#lengths[number]
  }

  /** Takes the signatures of another slot; those of the one before are gone. */
  take(bytes: Uint8Array<ArrayBuffer>, encoder: number | undefined): void {
    this.bytes = bytes
    this.encoder = encoder
    this.#starts.fill(-1)
    this.#lengths.fill(0)
    for (let at = 0; at < bytes.length; ) {
      const kind = bytes[at]
      this.#lengths[kind] = bytes[at + 1] | (bytes[at + 2] << 8)
      this.#starts[kind] = at + HEADER_BYTES
      at += HEADER_BYTES + this.#lengths[kind]
    }
  }

  /** All of them, in arrays that are views of the blob. */
  all(): Signatures {
    const present = this.#kinds.filter((kind) => this.start(kind) >= 0)
    return Object.fromEntries(
      present.map((kind) => [kind, this.bytes.subarray(this.start(kind), this.start(kind) + this.length(kind))]),
    )
  }
}
