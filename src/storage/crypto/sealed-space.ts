/** Memory that is kept for the next commit at most. */
const KEPT_BYTES = 1 << 22
/** Memory that is taken at a time. */
const LEAST_BYTES = 1 << 16

/**
 * Memory for the encrypted bytes of one commit, used again for the next one: an array for each text takes longer than
 * to encrypt it.
 */
export class SealedSpace {
  #bytes = new Uint8Array(0)
  #used = 0

  /** All that was taken may be overwritten from now on. */
  reuse(): void {
    this.#used = 0
    if (this.#bytes.length > KEPT_BYTES) this.#bytes = new Uint8Array(0)
  }

  /** So many bytes with anything in them, which stay until {@link reuse}. */
  take(bytes: number): Uint8Array {
    if (this.#used + bytes > this.#bytes.length) {
      // Views of the array before keep it.
      this.#bytes = new Uint8Array(Math.max(2 * this.#bytes.length, bytes, LEAST_BYTES))
      this.#used = 0
    }
    return this.#bytes.subarray(this.#used, (this.#used += bytes))
  }
}
