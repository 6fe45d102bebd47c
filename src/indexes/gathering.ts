import { SIGNATURE_BYTES } from '../kernel/port.js'

/** Signatures that are gathered one by one, for an arena to take together. */
export class Gathering {
  readonly #slots: Uint32Array
  readonly #signatures: Uint8Array
  #count = 0

  /** @param most signatures that will come. */
  constructor(most: number) {
    this.#slots = new Uint32Array(most)
    this.#signatures = new Uint8Array(most * SIGNATURE_BYTES)
  }

  get count(): number {
    return this.#count
  }

  add(slot: number, signature: Uint8Array): void {
    this.#slots[this.#count] = slot
    this.#signatures.set(signature, this.#count++ * SIGNATURE_BYTES)
  }

  /** Begins anew; views of what came before are valid no longer. */
  clear(): void {
    this.#count = 0
  }

  /** Views of what came. */
  get slots(): Uint32Array {
    return this.#slots.subarray(0, this.#count)
  }

  get signatures(): Uint8Array {
    return this.#signatures.subarray(0, this.#count * SIGNATURE_BYTES)
  }
}
