import { part, type CheckpointParts } from '../base/checkpoint-parts.js'
import { AgidbError } from '../base/errors.js'
import type { Arena, Kernel } from '../kernel/port.js'
import type { CheckpointPart, SignatureKind, StoredCheckpoint } from '../api/storage.js'
import { decodeUtf8, encodeUtf8 } from '../base/utf8.js'

/** Bytes of a block that are read and given to the arena at a time: what stays in the cache between. */
const PIECE_BYTES = 1 << 20

/**
 * An arena in a checkpoint. Its blocks, nearly all of it, are marked with the digest of their content: those that have
 * not changed since the last checkpoint are not written again.
 */
export class KeptArena {
  readonly arena: Arena
  readonly kind: SignatureKind
  readonly #kernel: Kernel
  readonly #name: string
  /** The digest of blocks by the stamp that they had then. */
  #digests = new Map<number, string>()
  /** From what it was restored. */
  #source: { readonly checkpoint: StoredCheckpoint; readonly digests: readonly string[] } | undefined

  constructor(kernel: Kernel, kind: SignatureKind, name: string, arena: Arena) {
    this.#kernel = kernel
    this.kind = kind
    this.#name = name
    this.arena = arena
  }

  /** All parts. The arena must not change until they are written. */
  save(): CheckpointPart[] {
    const { layout, slots, rows, blocks } = this.arena.image()
    this.#digests = new Map(
      blocks.map(({ stamp, bytes }) => [stamp, this.#digests.get(stamp) ?? this.#kernel.digest(bytes())]),
    )
    const digests = [...this.#digests.values()]
    const about = encodeUtf8(JSON.stringify({ layout, digests } satisfies About))
    return [
      { name: `${this.#name}.about`, array: () => about },
      { name: `${this.#name}.slots`, array: () => slots },
      { name: `${this.#name}.rows`, array: () => rows },
      ...digests.map((mark, i): CheckpointPart => ({ name: this.#block(i), array: blocks[i].bytes, mark })),
    ]
  }

  /**
   * Makes the empty arena what was saved, but for its blocks: these are awaited. Throws when the parts are not what was
   * saved.
   */
  restore(parts: CheckpointParts, checkpoint: StoredCheckpoint): void {
    const { layout, digests } = JSON.parse(decodeUtf8(part(parts, `${this.#name}.about`, Uint8Array))) as About
    const slots = part(parts, `${this.#name}.slots`, Uint32Array)
    const rows = part(parts, `${this.#name}.rows`, Uint8Array)
    const stamps = this.arena.restore({ layout, slots, rows, blocks: digests.length })
    this.#digests = new Map(stamps.map((stamp, i) => [stamp, digests[i]]))
    this.#source = { checkpoint, digests }
  }

  /**
   * Reads an awaited block out of the checkpoint. One that nothing is awaited of any more when it has been read is
   * left.
   *
   * @param rest called after each piece was read; what it throws ends the reading.
   * @throws AgidbError `AGIDB_CORRUPT` when it is not what was saved; then it is still awaited, and cannot be loaded
   * again
   */
  async load(block: number, rest: () => Promise<void> | void = () => {}): Promise<void> {
    const name = this.#block(block)
    const { checkpoint, digests } = this.#source!
    const bytes = checkpoint.marked(name)?.bytes ?? 0
    const digesting = this.#kernel.digesting()
    const buffer = new Uint8Array(Math.min(PIECE_BYTES, bytes))
    for (let at = 0; at < bytes; at += buffer.length) {
      const piece = buffer.subarray(0, Math.min(buffer.length, bytes - at))
      await checkpoint.fill(name, piece, at)
      await rest()
      if (!this.awaits(block)) return
      this.arena.give(block, piece)
      digesting.update(piece)
    }
    if (digesting.end() !== digests[block])
      throw new AgidbError('AGIDB_CORRUPT', `block ${block} of ${this.#name} is damaged`, { part: name })
    this.arena.admit(block)
  }

  /** Whether a block is still awaited. */
  awaits(block: number): boolean {
    return this.arena.awaited().some((awaited) => awaited.block === block)
  }

  #block(number: number): string {
    return `${this.#name}.${number}`
  }
}

interface About {
  readonly layout: string
  readonly digests: readonly string[]
}
