import { MAKER_BYTES, MARKED_BYTES, startOf } from '../encoding/latent.js'
import type { SignatureMaker, SignatureSpace, SpaceTools } from '../encoding/spaces/space.js'
import { SPACES, type SpaceKind } from '../encoding/spaces/spaces.js'
import type { Arena } from '../kernel/port.js'
import type { PackedSignatures, Signatures } from '../api/storage.js'

/** The signatures of one space in one memory, and what makes them. */
export class SignatureArena {
  readonly space: SignatureSpace<SpaceKind>
  readonly maker: SignatureMaker
  readonly arena: Arena

  constructor(space: SignatureSpace<SpaceKind>, maker: SignatureMaker, arena: Arena) {
    this.space = space
    this.maker = maker
    this.arena = arena
  }

  get kind(): SpaceKind {
    return this.space.kind
  }

  /** Its signature, and what is stored with it, among those of an episode. */
  storedIn(signatures: Signatures): Uint8Array | undefined {
    return signatures[this.space.storedWith ?? this.kind]
  }

  /** Whether a signature that is missing, or that another maker made, can be made here. */
  get canMakeAgain(): boolean {
    return this.maker.id !== undefined && this.maker.make !== undefined
  }

  /** A stored signature as the arena takes it; `undefined` for one of another maker, and where there is none. */
  usable(stored: Uint8Array | undefined): Uint8Array | undefined {
    if (stored === undefined || isNone(stored)) return undefined
    const { id } = this.maker
    if (id === undefined) return stored
    const at = startOf(id, stored, 0, stored.length)
    return at < 0 ? undefined : stored.subarray(at, at + MARKED_BYTES - MAKER_BYTES)
  }

  /**
   * Gives a slot the signature of this space in the place of its own, or takes that away where there is {@link
   * NO_SIGNATURE}. Answers whether anything changed.
   */
  replace(slot: number, signatures: Signatures): boolean {
    const stored = this.storedIn(signatures)
    if (stored === undefined) return false
    const signature = this.usable(stored)
    if (signature !== undefined) this.arena.set(slot, signature)
    else if (isNone(stored)) this.arena.clear(slot)
    else return false
    return true
  }

  /** Where the signature begins, as the arena takes it, in what the storage read; −1 where none can be used. */
  startIn(packed: PackedSignatures): number {
    const kind = this.space.storedWith ?? this.kind
    const start = packed.start(kind)
    const { id } = this.maker
    const length = packed.length(kind)
    if (start < 0 || length === 0) return -1
    return id === undefined ? start : startOf(id, packed.bytes, start, start + length)
  }
}

/**
 * What is stored in the place of a signature that an episode has no more: storage can replace a signature, and not take
 * it away.
 */
export const NO_SIGNATURE = new Uint8Array(0)

/** Whether stored bytes are {@link NO_SIGNATURE}. */
export function isNone({ length }: Uint8Array): boolean {
  return length === 0
}

/** Makes an empty arena for a space; `undefined` where the kernel is to make it. */
export type MakeArena = (space: SignatureSpace<SpaceKind>) => Arena | undefined

/**
 * The signatures of every space for which a memory has a maker, empty, in the order of their tags.
 *
 * @param rows signatures of each large space that are kept in rows beside the columns.
 * @param only the one space to make; absent: all.
 */
export function makeArenas(tools: SpaceTools, rows: number, only?: SpaceKind, make?: MakeArena): SignatureArena[] {
  return SPACES.filter(({ kind }) => only === undefined || kind === only).flatMap((space) => {
    const maker = space.maker(tools)
    if (maker === undefined) return []
    const arena = make?.(space) ?? tools.kernel.arena({ rows: space.search.isLarge ? rows : 0 })
    return new SignatureArena(space, maker, arena)
  })
}
