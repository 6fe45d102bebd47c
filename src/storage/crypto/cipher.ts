import type { Kernel } from '../../kernel/port.js'

/** What rows and keys are encrypted with: XChaCha20-Poly1305 of the kernel. */
export type Cipher = Pick<Kernel, 'seal' | 'unseal'>

/** Bytes of a key. */
export const KEY_BYTES = 32
/** Bytes of a nonce of XChaCha20-Poly1305. */
export const NONCE_BYTES = 24

/** Nonces that are drawn at a time: one by one they would take longer than the encryption of a short row. */
const DRAWN = 256

let nonces = new Uint8Array(0)
let used = 0

/** A random nonce, as a view that no other caller gets. */
export function newNonce(): Uint8Array {
  if (used === nonces.length) {
    nonces = randomBytes(DRAWN * NONCE_BYTES)
    used = 0
  }
  return nonces.subarray(used, (used += NONCE_BYTES))
}

/** Random bytes of the runtime. */
export function randomBytes(bytes: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(bytes))
}
