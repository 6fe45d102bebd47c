import * as wasm from '../built/agidb_kernel.js'
import { TAG_BYTES } from '../port.js'

const KEY_BYTES = 32
const NONCE_BYTES = 24

/** XChaCha20-Poly1305 in the memory of WebAssembly. */
export class WasmCipher {
  readonly #memory: WebAssembly.Memory
  readonly #cipher = new wasm.WasmCipher()

  constructor(memory: WebAssembly.Memory) {
    this.#memory = memory
  }

  /** See `Kernel.seal`. */
  seal(key: Uint8Array, nonce: Uint8Array, associated: Uint8Array, text: Uint8Array, into: Uint8Array): Uint8Array {
    const { space, at } = this.#lay(key, nonce, associated, text, TAG_BYTES)
    this.#cipher.seal(associated.length, text.length)
    into.set(space.subarray(at))
    return into
  }

  /** See `Kernel.unseal`. */
  unseal(key: Uint8Array, nonce: Uint8Array, associated: Uint8Array, sealed: Uint8Array): Uint8Array | undefined {
    const length = sealed.length - TAG_BYTES
    if (length < 0) return undefined
    const { space, at } = this.#lay(key, nonce, associated, sealed, 0)
    return this.#cipher.open(associated.length, length) ? space.slice(at, at + length) : undefined
  }

  /** Writes everything where the kernel expects it; answers the memory, and where the text is in it. */
  #lay(
    key: Uint8Array,
    nonce: Uint8Array,
    associated: Uint8Array,
    text: Uint8Array,
    free: number,
  ): { readonly space: Uint8Array; readonly at: number } {
    const before = KEY_BYTES + NONCE_BYTES + associated.length
    const length = before + text.length + free
    const address = this.#cipher.room(length)
    // The memory may have grown for it, so the view is made after it.
    const space = new Uint8Array(this.#memory.buffer, address, length)
    space.set(key)
    space.set(nonce, KEY_BYTES)
    space.set(associated, KEY_BYTES + NONCE_BYTES)
    space.set(text, before)
    return { space, at: before }
  }
}
