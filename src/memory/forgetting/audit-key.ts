import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { encodeUtf8 } from '../../base/utf8.js'
import { randomHex, toHex } from '../../base/hex.js'
import type { Projection } from '../projection.js'

const KEY_BYTES = 32

/** The key under which targets are hashed, once there is one. */
export class AuditKey implements Projection<string> {
  #key: string | undefined
  #slot: number | undefined
  readonly bytes = 0

  apply(key: string, slot: number): void {
    this.#key = key
    this.#slot = slot
  }

  retract(): void {}

  /** Where it is stored. */
  get slot(): number | undefined {
    return this.#slot
  }

  /** The key, or a new one that is not stored yet. */
  keyOrNew(): { readonly key: string; readonly isNew: boolean } {
    if (this.#key !== undefined) return { key: this.#key, isNew: false }
    return { key: randomHex(KEY_BYTES), isNew: true }
  }
}

/** HMAC-SHA-256 of a text, in hexadecimal digits. */
export function keyedHash(key: string, text: string): string {
  return toHex(hmac(sha256, encodeUtf8(key), encodeUtf8(text)))
}
