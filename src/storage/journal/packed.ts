import {
  ENCODED,
  ENTRY_HEADER_BYTES,
  KINDS,
  OPERATIONS,
  SIGNATURE_HEADER_BYTES,
  SIGNATURES_CHECKED,
  SIGNATURES_CHECKSUM_BYTES,
} from './changes.js'
import type { PackedSignatures, SignatureKind } from '../../api/storage.js'

/**
 * Signatures where they lie in what was read of a journal. Used for one slot after the other: some thousand objects a
 * question would be garbage.
 */
export class PackedSignatureView implements PackedSignatures {
  bytes = new Uint8Array(0)
  encoder: number | undefined
  readonly #starts = new Int32Array(KINDS.length)
  readonly #lengths = new Int32Array(KINDS.length)

  start(kind: SignatureKind): number {
    return this.#starts[KINDS.indexOf(kind)]
  }

  length(kind: SignatureKind): number {
    return this.#lengths[KINDS.indexOf(kind)]
  }

  /** Begins with a slot that has no signature yet. */
  begin(bytes: Uint8Array<ArrayBuffer>): void {
    this.bytes = bytes
    this.encoder = undefined
    this.#starts.fill(-1)
    this.#lengths.fill(0)
  }

  /**
   * Takes the signatures of an entry, in place of those that are here of the same kinds. Their checksum is not looked
   * at: they answer one question, and are not copied to anywhere.
   *
   * @param view of the bytes.
   * @returns whether the entry is one of this slot and ends where it should.
   */
  take(view: DataView, from: number, end: number, slot: number): boolean {
    let at = from + ENTRY_HEADER_BYTES
    if (at > end || OPERATIONS[view.getUint8(from + 4) - 1] === undefined || view.getUint32(from + 8, true) !== slot)
      return false
    at += view.getUint16(from + 6, true) + view.getUint32(from + 12, true)
    let encoder: number | undefined
    const signatures = view.getUint8(from + 5)
    for (let left = signatures & ~SIGNATURES_CHECKED; left > 0; left--) {
      if (at + SIGNATURE_HEADER_BYTES > end) return false
      const kind = view.getUint8(at) - 1
      if (kind < 0 || kind >= KINDS.length) return false
      // Of those that one made the oldest counts.
      if (ENCODED.has(KINDS[kind])) encoder = Math.min(view.getUint8(at + 1), encoder ?? 255)
      this.#lengths[kind] = view.getUint16(at + 2, true)
      this.#starts[kind] = at + SIGNATURE_HEADER_BYTES
      at = this.#starts[kind] + this.#lengths[kind]
    }
    this.encoder = encoder ?? this.encoder
    return at + (signatures & SIGNATURES_CHECKED ? SIGNATURES_CHECKSUM_BYTES : 0) === end
  }
}
