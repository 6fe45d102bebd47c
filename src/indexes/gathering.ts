import { SIGNATURE_BYTES } from '../kernel/port.js'

/** Signatures that are gathered one by one, for an arena to take together. */
export class Gathering {
  #slots = new Uint32Array(0)
  #signatures = new Uint8Array(0)
  #count = 0

  /** @param most signatures that will come. */
  constructor(most = 0) {
    this.begin(most)
  }

  /**
   * Begins anew; views of earlier signatures are no longer valid.
   *
   * @param most signatures that will come; by default as many as before
   */
  begin(most = 0): void {
    this.#count = 0
    if (most <= this.#slots.length) return
    this.#slots = new Uint32Array(most)
    this.#signatures = new Uint8Array(most * SIGNATURE_BYTES)
  }

  /** Bytes of memory. */
  get bytes(): number {
    return this.#slots.byteLength + this.#signatures.length
  }

  get count(): number {
    return this.#count
  }

  /** @param at where the signature begins */
  add(slot: number, bytes: Uint8Array, at = 0): void {
    this.#slots[this.#count] = slot
    const signature = at === 0 && bytes.length === SIGNATURE_BYTES ? bytes : bytes.subarray(at, at + SIGNATURE_BYTES)
    this.#signatures.set(signature, this.#count++ * SIGNATURE_BYTES)
  }

  /** Views of the gathered slots and signatures. */
  get slots(): Uint32Array {
    return this.#slots.subarray(0, this.#count)
  }

  get signatures(): Uint8Array {
    return this.#signatures.subarray(0, this.#count * SIGNATURE_BYTES)
  }
}
