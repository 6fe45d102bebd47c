import type { PackedSignatures, SignatureKind } from '../../api/storage.js'
import { KINDS } from '../journal/changes.js'
import type { RowVault } from './row-vault.js'
import { isSealed, overheadOf } from './sealed.js'

/** Signatures of one slot that are decrypted when they are asked for. Used for one slot after the other. */
export class UnsealedPacked implements PackedSignatures {
  bytes = new Uint8Array(0)
  readonly #vault: RowVault
  #packed: PackedSignatures | undefined
  /** Where each kind that was asked for begins. */
  readonly #starts = new Map<SignatureKind, number>()
  #end = 0

  constructor(vault: RowVault) {
    this.#vault = vault
  }

  /** Goes on with the signatures of another slot. */
  over(packed: PackedSignatures): PackedSignatures {
    this.#packed = packed
    this.#starts.clear()
    this.#end = 0
    const most = KINDS.reduce((sum, kind) => sum + packed.length(kind), 0)
    if (this.bytes.length < most) this.bytes = new Uint8Array(most)
    return this
  }

  get encoder(): number | undefined {
    return this.#packed!.encoder
  }

  start(kind: SignatureKind): number {
    if (this.#packed!.start(kind) < 0) return -1
    let start = this.#starts.get(kind)
    if (start === undefined) {
      const signature = this.#vault.openSignature(kind, this.#stored(kind))
      this.#starts.set(kind, (start = this.#end))
      this.bytes.set(signature, start)
      this.#end += signature.length
    }
    return start
  }

  length(kind: SignatureKind): number {
    if (this.#packed!.start(kind) < 0) return 0
    const stored = this.#stored(kind)
    return isSealed(stored) ? stored.length - overheadOf(stored) : stored.length
  }

  #stored(kind: SignatureKind): Uint8Array {
    const { bytes } = this.#packed!
    const at = this.#packed!.start(kind)
    return bytes.subarray(at, at + this.#packed!.length(kind))
  }
}
