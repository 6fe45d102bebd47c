import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Message } from './reading.js'

/**
 * Gives messages ids that depend on nothing but what they say, so that reading a file again, or a longer export of the
 * same chat, gives the same ids to the same messages. The id is the SHA-256 hash (16 bytes of it) of source, session,
 * time, speaker and text, and of how many messages with the very same content came before in this reading.
 */
export class Identities {
  readonly #seen = new Set<string>()
  readonly #repeats = new Map<string, number>()

  /** The id of a message that has none of its own. */
  of(message: Message): string {
    const { source = '', session = '', at = '', speaker = '', text } = message
    const content = JSON.stringify([source, session, at, speaker, text])
    const first = hash(content)
    if (!this.#seen.has(first)) {
      this.#seen.add(first)
      return first
    }
    const count = (this.#repeats.get(first) ?? 1) + 1
    this.#repeats.set(first, count)
    return hash(`${content}#${count}`)
  }

  /** Takes an id of a message's own. False when this reading has already given it out. */
  take(id: string): boolean {
    if (this.#seen.has(id)) return false
    this.#seen.add(id)
    return true
  }
}

function hash(text: string): string {
  return `tr_${bytesToHex(sha256(utf8ToBytes(text)).subarray(0, 16))}`
}
