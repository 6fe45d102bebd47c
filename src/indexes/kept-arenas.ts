import type { CheckpointParts } from '../base/checkpoint-parts.js'
import type { Kernel } from '../kernel/port.js'
import type { CheckpointPart, StoredCheckpoint } from '../api/storage.js'
import { KeptArena } from './kept-arena.js'
import type { SignatureArena } from './signature-arena.js'

/** A block of an arena that is still to be loaded. */
export interface AwaitedPart {
  readonly kept: KeptArena
  readonly block: number
}

/**
 * The signatures of all kinds, in a checkpoint and out of it. Those of a large one may come after all else: until then
 * they are awaited.
 */
export class KeptArenas {
  readonly #arenas: readonly KeptArena[]
  readonly #rows: number
  #whole = true
  /** Whether there may be rows to make since the arenas were restored. */
  #lacksRows = false

  /**
   * @param prefix of the names of their parts.
   * @param rows signatures of each that are kept in rows beside the columns.
   */
  constructor(kernel: Kernel, arenas: readonly SignatureArena[], prefix: string, rows: number) {
    this.#rows = rows
    this.#arenas = arenas.map(({ kind, space, arena }) => new KeptArena(kernel, kind, `${prefix}.${space.part}`, arena))
  }

  /** Whether a few slots can be scored in no time. */
  get hasRows(): boolean {
    return this.isWhole && !this.#lacksRows && this.#arenas.every(({ arena }) => arena.size <= this.#rows)
  }

  /** Whether all signatures are there. */
  get isWhole(): boolean {
    return (this.#whole ||= this.awaiting === 0)
  }

  /** Episodes of which a signature is still to be loaded, of the kind of which most are. */
  get awaiting(): number {
    return Math.max(
      ...this.#arenas.map(({ arena }) => arena.awaited().reduce((sum, { signatures }) => sum + signatures, 0)),
    )
  }

  /** The newest block that is still to be loaded. */
  get awaited(): AwaitedPart | undefined {
    const newest = this.#arenas.flatMap((kept): AwaitedPart[] =>
      kept.arena
        .awaited()
        .slice(-1)
        .map(({ block }) => ({ kept, block })),
    )
    return newest.sort((a, b) => b.block - a.block)[0]
  }

  /** Makes some of the rows that are lacking since the arenas were restored; false when there is nothing more to do. */
  makeRows(): boolean {
    return this.isWhole && (this.#lacksRows &&= this.#arenas.some(({ arena }) => arena.makeRows()))
  }

  /** All parts. The arenas must not change until they are written. */
  save(): CheckpointPart[] {
    return this.#arenas.flatMap((arena) => arena.save())
  }

  /**
   * Takes over a checkpoint, into arenas that are empty. Throws when it is damaged.
   *
   * @param atOnce signatures of each kind, the newest, that are there when it resolves; the others are awaited.
   */
  async load(parts: CheckpointParts, checkpoint: StoredCheckpoint, atOnce: number): Promise<void> {
    this.#lacksRows = true
    for (const kept of this.#arenas) kept.restore(parts, checkpoint)
    for (const kept of this.#arenas) {
      let loaded = 0
      for (const { block, signatures } of kept.arena.awaited().reverse()) {
        if (loaded >= atOnce) break
        await kept.load(block)
        loaded += signatures
      }
    }
    this.#whole = false
  }
}
