import { ENCODER_VERSION } from '../encoding/encoder.js'
import { sameBytes } from '../base/same-bytes.js'
import type { EncodedFields, EncodingInput, IndexedText } from '../encoding/spaces/space.js'
import { SPACES, type SpaceKind } from '../encoding/spaces/spaces.js'
import type { Arena, Kernel } from '../kernel/port.js'
import type { Signatures, EncodedSignatures } from '../api/storage.js'
import { Gathering } from './gathering.js'
import { KeptArenas } from './kept-arenas.js'
import { isNone, NO_SIGNATURE, type SignatureArena } from './signature-arena.js'

/** Signatures that an arena takes in one call. */
const SIGNATURES_PER_CALL = 64

/** Room for the signatures of an episode in {@link SignatureSet.encode}. */
export const ENCODED_BYTES = SPACES.reduce((sum, { encodedBytes }) => sum + encodedBytes, 0)

/** Signatures, and the version of the encoder that made them. */
export type Encoded = EncodedSignatures & { readonly encoder: number }

/** Which episodes have a signature, by the spaces whose signatures lie in a common room. */
export type Made = Partial<Record<SpaceKind, readonly boolean[]>>

/** The signatures of one memory in all spaces for which it has a maker. */
export class SignatureSet {
  /** In the order of their tags. */
  readonly arenas: readonly SignatureArena[]
  /** The same as they are kept in checkpoints. */
  readonly kept: KeptArenas
  readonly #byKind: ReadonlyMap<SpaceKind, SignatureArena>
  #gathered: Gathering | undefined

  /**
   * @param prefix of the names of their parts in a checkpoint.
   * @param rows signatures of each large space that are kept in rows beside the columns.
   */
  constructor(kernel: Kernel, arenas: readonly SignatureArena[], prefix: string, rows: number) {
    this.arenas = arenas
    this.kept = new KeptArenas(kernel, arenas, prefix, rows)
    this.#byKind = new Map(arenas.map((one) => [one.kind, one]))
  }

  /** Bytes of main memory beside the kernel's. */
  get bytes(): number {
    return this.#gathered?.bytes ?? 0
  }

  /** The signatures of a space; absent where the memory has no maker for it. */
  get(kind: SpaceKind): SignatureArena | undefined {
    return this.#byKind.get(kind)
  }

  /**
   * Makes the signatures of episodes that were read: quicker than one by one.
   *
   * @param into room for them, {@link ENCODED_BYTES} each: what is answered is valid until somebody writes into it.
   */
  encode(inputs: readonly EncodingInput[], into: Uint8Array): Encoded[] {
    return this.#encodedBy(inputs, into, ({ maker }, room) => maker.make?.(inputs, room))
  }

  /**
   * What {@link encode} answers, from a room that another thread filled; signatures that need no room are made here.
   *
   * @param made which of the episodes have one, of each space that needs room.
   */
  encodedIn(inputs: readonly EncodingInput[], from: Uint8Array, made: Made): Encoded[] {
    return this.#encodedBy(inputs, from, ({ kind, maker, space: { encodedBytes: size } }, room) =>
      size === 0
        ? maker.make?.(inputs, room)
        : made[kind]?.map((isMade, i) => (isMade ? room.subarray(i * size, (i + 1) * size) : undefined)),
    )
  }

  /** Which of the encoded episodes have a signature, of each space that needs room: for {@link encodedIn}. */
  made(encoded: readonly Encoded[]): Made {
    const inRoom = this.arenas.filter(({ space }) => space.encodedBytes > 0)
    return Object.fromEntries(
      inRoom.map(({ kind }) => [kind, encoded.map(({ signatures }) => signatures[kind] !== undefined)]),
    )
  }

  /**
   * The signatures of an episode as it was stored, but for those that cannot be used because another version of the
   * encoder or another codebook made them: these as they would be made now.
   *
   * @param read reads its text; called when something is made.
   */
  current(episode: EncodedFields, { signatures, encoder }: EncodedSignatures, read: () => IndexedText): Signatures {
    const isOld = encoder !== ENCODER_VERSION
    let current: Signatures | undefined
    for (const one of this.arenas) {
      const { kind, maker, space } = one
      if (maker.make === undefined) continue
      if (!isOld && !(one.canMakeAgain && one.usable(signatures[kind]) === undefined)) continue
      current ??= { ...signatures }
      current[kind] = maker.make([{ episode, read: read() }], new Uint8Array(space.encodedBytes))[0]
    }
    return current ?? signatures
  }

  /** Whether {@link current} made any of the signatures. */
  isMadeAgain(current: Signatures, { signatures, encoder }: EncodedSignatures): boolean {
    const isMade = ({ kind }: SignatureArena) =>
      current[kind] !== signatures[kind] && !(current[kind] === undefined && isNone(signatures[kind]!))
    return encoder !== ENCODER_VERSION || this.arenas.some(isMade)
  }

  /**
   * What is to be stored when the episode of a slot becomes another: the signatures that it is given, and {@link
   * NO_SIGNATURE} for those that it has no more. What no maker here can make is one of these, and is made later.
   *
   * @param made those of the episode as it is then.
   * @param stored what it had.
   * @returns `undefined` where nothing changes.
   */
  replacing(slot: number, made: Signatures, { signatures: stored, encoder }: EncodedSignatures): Encoded | undefined {
    const isOther = ({ kind, storedWith }: (typeof SPACES)[number]): boolean => {
      if (storedWith !== undefined) return false
      const [before, next] = [stored[kind], made[kind]]
      if (next !== undefined) return before === undefined || !sameBytes(next, before)
      return before === undefined ? this.#byKind.get(kind)?.arena.has(slot) === true : !isNone(before)
    }
    const others = new Set(SPACES.filter(isOther))
    if (others.size === 0) return undefined
    // Those that the encoder makes have one version together.
    const byEncoder = SPACES.filter(({ identifiedBy }) => identifiedBy === 'encoder')
    if (encoder !== ENCODER_VERSION && byEncoder.some((space) => others.has(space)))
      for (const space of byEncoder) if (made[space.kind] !== undefined) others.add(space)
    const signatures = Object.fromEntries(Array.from(others, ({ kind }) => [kind, made[kind] ?? NO_SIGNATURE]))
    return { signatures, encoder: ENCODER_VERSION }
  }

  /**
   * Puts signatures into a slot that has none.
   *
   * @throws AgidbError `AGIDB_KERNEL` when the kernel's memory is full; then none of them is here.
   */
  putOne(slot: number, signatures: Signatures): void {
    try {
      for (const one of this.arenas) {
        const signature = one.usable(one.storedIn(signatures))
        if (signature !== undefined) one.arena.set(slot, signature)
      }
    } catch (error) {
      this.clear(slot)
      throw error
    }
  }

  /**
   * Puts signatures into slots that follow each other: quicker than one by one.
   *
   * @throws AgidbError `AGIDB_KERNEL` when the kernel's memory is full; then none of them is here.
   */
  put(first: number, signed: readonly Signatures[]): void {
    if (signed.length === 1) return this.putOne(first, signed[0])
    try {
      for (const one of this.arenas)
        this.#set(one.arena, first, signed, (signatures) => one.usable(one.storedIn(signatures)))
    } catch (error) {
      signed.forEach((_, i) => this.clear(first + i))
      throw error
    }
  }

  /**
   * Gives a slot signatures in the place of those of the same spaces, and takes away those for which there is {@link
   * NO_SIGNATURE}. Answers whether anything changed.
   */
  replace(slot: number, signatures: Signatures): boolean {
    let isChanged = false
    for (const one of this.arenas) {
      if (one.replace(slot, signatures)) isChanged = true
    }
    return isChanged
  }

  /** Removes the signatures of a slot. */
  clear(slot: number): void {
    for (const { arena } of this.arenas) arena.clear(slot)
  }

  /** Gives the kernel's memory back. */
  free(): void {
    for (const { arena } of this.arenas) arena.free()
  }

  /** The signatures of episodes, as `signaturesOf` gives those of each space from its part of the room. */
  #encodedBy(
    inputs: readonly EncodingInput[],
    room: Uint8Array,
    signaturesOf: (arena: SignatureArena, room: Uint8Array) => readonly (Uint8Array | undefined)[] | undefined,
  ): Encoded[] {
    const encoded = inputs.map((): Signatures => ({}))
    for (const [one, part] of this.#rooms(inputs.length, room))
      signaturesOf(one, part)?.forEach((signature, i) => {
        if (signature !== undefined) encoded[i][one.kind] = signature
      })
    return encoded.map((signatures) => ({ signatures, encoder: ENCODER_VERSION }))
  }

  /** Each of the arenas with its part of a room for so many episodes: the spaces lie one after the other. */
  #rooms(count: number, into: Uint8Array): [SignatureArena, Uint8Array][] {
    let end = 0
    const ends = new Map(SPACES.map(({ kind, encodedBytes }) => [kind, (end += count * encodedBytes)]))
    return this.arenas.map((one) => {
      const to = ends.get(one.kind)!
      return [one, into.subarray(to - count * one.space.encodedBytes, to)]
    })
  }

  #set(
    arena: Arena,
    first: number,
    signed: readonly Signatures[],
    of: (signatures: Signatures) => Uint8Array | undefined,
  ): void {
    const gathered = (this.#gathered ??= new Gathering(SIGNATURES_PER_CALL))
    for (let from = 0; from < signed.length; from += SIGNATURES_PER_CALL) {
      gathered.begin()
      for (let i = from; i < from + SIGNATURES_PER_CALL && i < signed.length; i++) {
        const signature = of(signed[i])
        if (signature !== undefined) gathered.add(first + i, signature)
      }
      if (gathered.count > 0) arena.setMany(gathered.slots, gathered.signatures)
    }
  }
}
