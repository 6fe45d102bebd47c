/* tslint:disable */
/* eslint-disable */

/**
 * How a restoration ended.
 */
export enum Restored {
  Whole = 0,
  OutOfMemory = 1,
  SlotTwice = 2,
}

export class WasmArena {
  free(): void
  [Symbol.dispose](): void
  admit(number: number): boolean
  /**
   * The number of each awaited block, and how many signatures are to come with it.
   */
  awaited(): Uint32Array
  awaitedSlots(number: number): Uint32Array
  awaits(slot: number): number | undefined
  /**
   * Address and length.
   */
  block(number: number): Uint32Array
  /**
   * The slot of each place.
   */
  byPlace(): Uint32Array
  clear(slot: number): void
  get(slot: number): Uint8Array | undefined
  has(slot: number): boolean
  /**
   * Whether there were rows to make; none without memory for them.
   */
  makeRows(): boolean
  /**
   * Address and length; empty where the block is not awaited.
   */
  more(number: number, bytes: number): Uint32Array
  constructor(rows: number)
  restore(by_place: Uint32Array, rows: Uint8Array): Restored
  /**
   * The signatures that are in no block.
   */
  rows(): Uint8Array
  /**
   * All slots, then all scores. `planes` is empty for a binary query.
   */
  scan(signs: Uint8Array, planes: Uint8Array, k: number, allow?: Uint32Array | null): Int32Array
  /**
   * The same for queries one after the other; `weighted` says which of them have planes.
   */
  scanMany(
    signs: Uint8Array,
    planes: Uint8Array,
    weighted: Uint8Array,
    k: number,
    allow?: Uint32Array | null,
  ): Int32Array
  /**
   * As [`WasmArena::scan`].
   */
  scanPruned(signs: Uint8Array, planes: Uint8Array, k: number, allow?: Uint32Array | null): Int32Array
  score(signs: Uint8Array, planes: Uint8Array, slots: Uint32Array): Int32Array
  /**
   * How many of the signatures were set: fewer than given when memory ran out.
   */
  setMany(slots: Uint32Array, signatures: Uint8Array): number
  stamp(block: number): number
  readonly blocks: number
  readonly bytes: number
  readonly size: number
}

export class WasmBatch {
  free(): void
  [Symbol.dispose](): void
  constructor()
  /**
   * The address of room for so many signatures; none without memory for them.
   */
  room(signatures: number): number | undefined
  score(signs: Uint8Array, planes: Uint8Array, count: number): Int32Array
  readonly bytes: number
}

/**
 * A text that is encrypted or decrypted where it lies. `address` leads to the key (32 bytes), the nonce (24), what is
 * authenticated with the text, the text, and 16 bytes for the tag, one after the other.
 */
export class WasmCipher {
  free(): void
  [Symbol.dispose](): void
  constructor()
  /**
   * Whether the tag fits; otherwise the text stays as it is.
   */
  open(associated: number, text: number): boolean
  /**
   * The address of room for so many bytes in all; it stays until more are asked for.
   */
  room(bytes: number): number
  seal(associated: number, text: number): void
}

/**
 * A digest of bytes that are written to its memory piece by piece.
 */
export class WasmDigest {
  free(): void
  [Symbol.dispose](): void
  constructor()
  /**
   * Adds as many bytes as were written.
   */
  update(bytes: number): void
  readonly address: number
  readonly bytes: number
  readonly value: bigint
}

export class WasmLexicon {
  free(): void
  [Symbol.dispose](): void
  /**
   * The names of the word's features are packed as for [`superpose`]; answers its number.
   */
  add(word: Uint8Array, names: Uint8Array, ends: Uint32Array, weights: Uint32Array): number
  constructor()
  signature(words: Uint32Array): Uint8Array
}

/**
 * Hypervectors that lie where they were made until the next ones are.
 */
export class WasmMade {
  free(): void
  [Symbol.dispose](): void
  constructor()
  /**
   * Of sums of latents, one after the other; of one without a direction zeros, and 0 in what is answered.
   */
  projectSums(rows: Int8Array, factors: Float64Array, terms: Uint16Array, ends: Uint32Array): Uint8Array
  /**
   * Of texts, one after the other.
   */
  texts(lexicon: WasmLexicon, words: Uint32Array, ends: Uint32Array): void
  readonly address: number
}

export function bind(a: Uint8Array, b: Uint8Array): Uint8Array

/**
 * `vectors` holds `weights.len()` hypervectors one after the other.
 */
export function bundle(vectors: Uint8Array, weights: Int32Array): Uint8Array

export function dots(vectors: Float32Array, others: Float32Array, length: number): Float64Array

export function fromName(name: Uint8Array): Uint8Array

export function fromSeed(seed: Uint8Array): Uint8Array

export function hamming(a: Uint8Array, b: Uint8Array): number

/**
 * How blocks are laid out.
 */
export function layout(): string

export function maxSim(
  rows: Int8Array,
  factors: Float64Array,
  terms: Uint16Array,
  ends: Uint32Array,
  others: Int8Array,
  length: number,
): Float64Array

export function permute(a: Uint8Array, shift: number): Uint8Array

export function project(latent: Float32Array): Uint8Array

/**
 * As [`quantise`].
 */
export function projectQuery(latent: Float32Array, signs: Uint8Array, planes: Uint8Array): number

/**
 * Writes signs and planes; returns the sum of the squared magnitudes.
 */
export function quantise(sum: Int32Array, signs: Uint8Array, planes: Uint8Array): number

/**
 * Names are packed one after the other; `ends[i]` is where name `i` ends.
 */
export function superpose(names: Uint8Array, ends: Uint32Array, weights: Int32Array): Int32Array

export function textSignature(names: Uint8Array, ends: Uint32Array, weights: Int32Array): Uint8Array

export function threshold(sum: Int32Array): Uint8Array

export function unitSums(rows: Int8Array, factors: Float64Array, terms: Uint16Array, ends: Uint32Array): Float32Array

export interface InitOutput {
  readonly memory: WebAssembly.Memory
  readonly __wbg_wasmarena_free: (a: number, b: number) => void
  readonly __wbg_wasmbatch_free: (a: number, b: number) => void
  readonly __wbg_wasmcipher_free: (a: number, b: number) => void
  readonly __wbg_wasmdigest_free: (a: number, b: number) => void
  readonly __wbg_wasmlexicon_free: (a: number, b: number) => void
  readonly bind: (a: number, b: number, c: number, d: number) => [number, number]
  readonly bundle: (a: number, b: number, c: number, d: number) => [number, number]
  readonly dots: (a: number, b: number, c: number, d: number, e: number) => [number, number]
  readonly fromName: (a: number, b: number) => [number, number]
  readonly fromSeed: (a: number, b: number) => [number, number]
  readonly hamming: (a: number, b: number, c: number, d: number) => number
  readonly layout: () => [number, number]
  readonly maxSim: (
    a: number,
    b: number,
    c: number,
    d: number,
    e: number,
    f: number,
    g: number,
    h: number,
    i: number,
    j: number,
    k: number,
  ) => [number, number]
  readonly permute: (a: number, b: number, c: number) => [number, number]
  readonly project: (a: number, b: number) => [number, number]
  readonly projectQuery: (a: number, b: number, c: number, d: number, e: any, f: number, g: number, h: any) => number
  readonly quantise: (a: number, b: number, c: number, d: number, e: any, f: number, g: number, h: any) => number
  readonly superpose: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number]
  readonly textSignature: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number]
  readonly threshold: (a: number, b: number) => [number, number]
  readonly unitSums: (
    a: number,
    b: number,
    c: number,
    d: number,
    e: number,
    f: number,
    g: number,
    h: number,
  ) => [number, number]
  readonly wasmarena_admit: (a: number, b: number) => number
  readonly wasmarena_awaited: (a: number) => [number, number]
  readonly wasmarena_awaitedSlots: (a: number, b: number) => [number, number]
  readonly wasmarena_awaits: (a: number, b: number) => number
  readonly wasmarena_block: (a: number, b: number) => [number, number]
  readonly wasmarena_blocks: (a: number) => number
  readonly wasmarena_byPlace: (a: number) => [number, number]
  readonly wasmarena_bytes: (a: number) => number
  readonly wasmarena_clear: (a: number, b: number) => void
  readonly wasmarena_get: (a: number, b: number) => [number, number]
  readonly wasmarena_has: (a: number, b: number) => number
  readonly wasmarena_makeRows: (a: number) => number
  readonly wasmarena_more: (a: number, b: number, c: number) => [number, number]
  readonly wasmarena_new: (a: number) => number
  readonly wasmarena_restore: (a: number, b: number, c: number, d: number, e: number) => number
  readonly wasmarena_rows: (a: number) => [number, number]
  readonly wasmarena_scan: (
    a: number,
    b: number,
    c: number,
    d: number,
    e: number,
    f: number,
    g: number,
    h: number,
  ) => [number, number]
  readonly wasmarena_scanMany: (
    a: number,
    b: number,
    c: number,
    d: number,
    e: number,
    f: number,
    g: number,
    h: number,
    i: number,
    j: number,
  ) => [number, number]
  readonly wasmarena_scanPruned: (
    a: number,
    b: number,
    c: number,
    d: number,
    e: number,
    f: number,
    g: number,
    h: number,
  ) => [number, number]
  readonly wasmarena_score: (
    a: number,
    b: number,
    c: number,
    d: number,
    e: number,
    f: number,
    g: number,
  ) => [number, number]
  readonly wasmarena_setMany: (a: number, b: number, c: number, d: number, e: number) => number
  readonly wasmarena_size: (a: number) => number
  readonly wasmarena_stamp: (a: number, b: number) => number
  readonly wasmbatch_bytes: (a: number) => number
  readonly wasmbatch_new: () => number
  readonly wasmbatch_room: (a: number, b: number) => number
  readonly wasmbatch_score: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number]
  readonly wasmcipher_new: () => number
  readonly wasmcipher_open: (a: number, b: number, c: number) => number
  readonly wasmcipher_room: (a: number, b: number) => number
  readonly wasmcipher_seal: (a: number, b: number, c: number) => void
  readonly wasmdigest_address: (a: number) => number
  readonly wasmdigest_bytes: (a: number) => number
  readonly wasmdigest_new: () => number
  readonly wasmdigest_update: (a: number, b: number) => void
  readonly wasmdigest_value: (a: number) => bigint
  readonly wasmlexicon_add: (
    a: number,
    b: number,
    c: number,
    d: number,
    e: number,
    f: number,
    g: number,
    h: number,
    i: number,
  ) => number
  readonly wasmlexicon_new: () => number
  readonly wasmlexicon_signature: (a: number, b: number, c: number) => [number, number]
  readonly wasmmade_address: (a: number) => number
  readonly wasmmade_projectSums: (
    a: number,
    b: number,
    c: number,
    d: number,
    e: number,
    f: number,
    g: number,
    h: number,
    i: number,
  ) => [number, number]
  readonly wasmmade_texts: (a: number, b: number, c: number, d: number, e: number, f: number) => void
  readonly __wbg_wasmmade_free: (a: number, b: number) => void
  readonly wasmmade_new: () => number
  readonly __wbindgen_externrefs: WebAssembly.Table
  readonly __wbindgen_malloc: (a: number, b: number) => number
  readonly __wbindgen_free: (a: number, b: number, c: number) => void
  readonly __wbindgen_start: () => void
}

/**
 * Instantiates a compiled module once; later calls answer the exports of the first one.
 */
export default function instantiate(module: WebAssembly.Module): Promise<InitOutput>
