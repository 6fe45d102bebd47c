import type { GraphKernel } from './graph.js'

/** Bits of a hypervector. */
export const DIMENSION = 8192
/** Bytes of a hypervector. */
export const SIGNATURE_BYTES = DIMENSION / 8
/** Bytes by which {@link Kernel.seal} makes a text longer. */
export const TAG_BYTES = 16

/**
 * A binary hypervector in {@link SIGNATURE_BYTES} bytes. Dimension `d` is bit `d & 7` (least
 * significant first) of byte `d >> 3`. A set bit stands for +1, a clear bit for −1.
 */
export type Hypervector = Uint8Array

/**
 * A query to scan an arena with. Its score against a signature is the bipolar dot product
 * `Σ mᵢ·qᵢ·xᵢ` with signs qᵢ, xᵢ ∈ {−1, +1} and magnitudes mᵢ: an exact integer, so that every
 * implementation agrees to the bit. A binary query has magnitude 1 everywhere: its score is
 * `8192 − 2·hamming`. Against an unrelated signature a score has mean 0 and standard deviation
 * {@link Query.norm}.
 */
export interface Query {
  /** The signs. */
  readonly signs: Hypervector
  /**
   * Magnitudes 0 to 15 as four bit planes of {@link SIGNATURE_BYTES} bytes, least significant first; absent when all
   * are 1.
   */
  readonly planes?: Uint8Array
  /** √(Σ mᵢ²): the standard deviation of the score against an unrelated signature. */
  readonly norm: number
}

/** The best of a scan: descending by score, ties ascending by slot. */
export interface Hits {
  readonly slots: Uint32Array
  readonly scores: Int32Array
}

/** A block of an arena, bit-sliced, as it lies in memory. */
export interface ArenaBlock {
  /** Changes with the content: a block with the number that it had before has the content that it had before. */
  readonly stamp: number
  /**
   * A view, valid until the arena, or any other of its kernel, is used again. The block must not have changed since the
   * image was taken.
   */
  bytes(): Uint8Array
}

/** All that an arena is, to be kept and restored. */
export interface ArenaImage {
  /** How blocks and rows are laid out; an arena restores only its own layout. */
  readonly layout: string
  /** The slot of each place, those of the blocks first; {@link NO_SLOT} where there is no signature. */
  readonly slots: Uint32Array
  readonly blocks: readonly ArenaBlock[]
  /** Signatures that are in no block, one after the other. */
  readonly rows: Uint8Array
}

/** An image without the bytes of its blocks: what {@link Arena.restore} takes. */
export interface KeptImage extends Pick<ArenaImage, 'layout' | 'slots' | 'rows'> {
  /** How many there are. */
  readonly blocks: number
}

/** A block of an arena that is restored, and not there yet. */
export interface AwaitedBlock {
  /** Its number in the image. */
  readonly block: number
  /** How many are to come with it. */
  readonly signatures: number
}

/** A digest of bytes that come in pieces. */
export interface Digesting {
  update(bytes: Uint8Array): void
  /** What {@link Kernel.digest} says of all of them. Nothing may come after it. */
  end(): string
}

/** A place of an arena without a signature. */
export const NO_SLOT = 0xffff_ffff

/** What an arena is to be quick at. */
export interface ArenaOptions {
  /**
   * As long as the arena has no more signatures than about so many, they are kept in rows beside the columns in which
   * they are scanned: 1 KiB more each. With rows, {@link Arena.get} and the {@link Arena.score} of a few slots for a
   * query that was not just scanned for take no time to speak of; without, the latter takes up to that of a scan.
   * Default 0.
   */
  readonly rows?: number
}

/**
 * Signatures by slot. Slots may be sparse: a slot that was never set, or was cleared, is no
 * candidate of a scan. How an arena lays its bits out (rows, bit-sliced columns) is its own affair.
 */
export interface Arena {
  /** How its image is laid out: see {@link ArenaImage.layout}. */
  readonly layout: string
  /** Signatures held. */
  readonly size: number
  /**
   * Bytes that the arena takes in memory. In WebAssembly, for a signature of a full block of 32,768: columns 1,040
   * (1,024, and a cache line a column, so that they do not drive each other out of the cache), what was counted 4.7,
   * the tables of slots 8 to 12 where slots are dense; with `rows` 1,024 more. Of the last block, which has room for
   * 12,288, 20,480 or 32,768, all of its room. Fewer than 6,144 are in rows, 1,024 and the tables. Once for an arena
   * with a block: 574,080.
   */
  readonly bytes: number
  has(slot: number): boolean
  set(slot: number, signature: Hypervector): void
  /** `signatures` holds `slots.length` hypervectors one after the other. */
  setMany(slots: Uint32Array, signatures: Uint8Array): void
  clear(slot: number): void
  /**
   * Present where signatures are kept in the storage alone: has {@link Arena.get} and {@link Arena.score} know those of
   * some slots, until others take their place. Nothing is scanned then.
   */
  bring?(slots: Uint32Array): Promise<void>
  /** A copy of the signature at `slot`; `undefined` where there is none, or it is awaited. */
  get(slot: number): Hypervector | undefined
  /**
   * The `k` best slots. `allow` is a bit set over slots (bit `slot & 31` of word `slot >> 5`); slots
   * that are not in it are no candidates. Absent: all are.
   */
  scan(query: Query, k: number, allow?: Uint32Array): Hits
  /**
   * {@link Arena.scan} in two stages, for binary queries that have some signatures much nearer than the others: first
   * the distance at a sketch of m = 1,024 of the n = 8,192 dimensions; then, with the distance d of the k-th best of
   * the 64 (or 2·k) nearest sketches, p = d/n, all whose sketch is no farther than `m·p + z·√(m·p·(1 − p)·(1 − m/n))`,
   * z = 4: mean and standard deviation of the hypergeometric distribution (Feller, An Introduction to Probability
   * Theory, II.6).
   *
   * The scores are exact, and each of the `k` best is passed over with a probability under 0.01 % (by the normal
   * approximation 0.003 %), for hypervectors whose dimensions are alike; at one that is like the query at all
   * dimensions but those of the sketch, which are always the same, nobody looks. Where the sketch leaves more than one
   * in eight, for weighted queries, and in an arena without `rows` for all, the scan is the exact one. It takes up to
   * 150 KiB more memory for each 32,768 signatures once it was asked for.
   *
   * Recall asks {@link Arena.scan}: its queries are weighted. `bench:speed` measures this scan as `twoStage`.
   */
  scanPruned(query: Query, k: number, allow?: Uint32Array): Hits
  /**
   * {@link Arena.scan} for several queries at once, which can be faster than one after the other. A recall asks each
   * arena once, so it has no use for it; `bench:speed` measures it as `batch8`.
   */
  scanMany(queries: readonly Query[], k: number, allow?: Uint32Array): Hits[]
  /** The exact scores of given slots; {@link NO_SCORE} where there is no signature, or it is awaited. */
  score(query: Query, slots: Uint32Array): Int32Array
  /**
   * What the arena is made of. Nothing that was cleared is in it. Throws `AGIDB_INVALID_ARGUMENT` while blocks are
   * awaited.
   */
  image(): ArenaImage
  /**
   * Makes an empty arena what another was, but for what is in its blocks. These are **awaited**: their signatures are
   * held, and {@link Arena.clear} takes them away, but no scan finds them, and {@link Arena.get} and {@link
   * Arena.score} do not know them, until {@link Arena.give} brought their bytes and {@link Arena.admit} says that these
   * are right. What is set meanwhile counts at once. Answers the stamp of each block: see {@link ArenaBlock.stamp}.
   *
   * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for another layout or an arena that is not empty, `AGIDB_KERNEL`
   * without memory for all of it; then the arena is empty.
   */
  restore(image: KeptImage): number[]
  /** The blocks that are awaited, ascending. One of which nothing is left is awaited no more. */
  awaited(): AwaitedBlock[]
  /** The number of the awaited block with which the signature of a slot is to come. */
  awaits(slot: number): number | undefined
  /** The slots whose signatures are to come with an awaited block. */
  awaitedSlots(block: number): Uint32Array
  /**
   * Takes the next bytes of an awaited block, a multiple of 64. Throws `AGIDB_INVALID_ARGUMENT` for more than are to
   * come.
   */
  give(block: number, bytes: Uint8Array): void
  /** Finds what is in an awaited block from now on. Throws `AGIDB_INVALID_ARGUMENT` when not all of it was given. */
  admit(block: number): void
  /**
   * After {@link Arena.restore} makes some of the rows that are to be kept: one or two milliseconds of work. False when
   * there is nothing more to do. Until then what needs rows takes longer.
   */
  makeRows(): boolean
  /** Gives the memory back. The arena must not be used after it. */
  free(): void
}

/** What sums of latents are made of. */
export interface Terms {
  /** A latent of whole numbers for each of the factors, one after the other. */
  readonly rows: Int8Array
  /** What each is multiplied by. */
  readonly factors: Float64Array
  /** The terms of all sums, one after the other, each by the number of its latent. */
  readonly terms: Uint16Array
}

/**
 * Signatures one after the other, without slots: to score many that are not kept is quicker than to make an arena of
 * them.
 */
export interface Batch {
  /** Bytes of memory. They stay for the next signatures. */
  readonly bytes: number
  /** Begins anew, with room for so many signatures. Throws `AGIDB_KERNEL` without memory for them. */
  begin(most: number): void
  /**
   * Adds the signature that begins at `at`. Throws `AGIDB_INVALID_ARGUMENT` where there is no room for another, or no
   * whole one.
   */
  add(bytes: Uint8Array, at?: number): void
  /** The exact score of each, in the order in which they were added. */
  score(query: Query): Int32Array
  /** Gives the memory back. The batch must not be used after it. */
  free(): void
}

/**
 * Words that are known with their features, so that the signatures of many texts of them are made quickly. Takes at
 * most about 24 MiB for hypervectors that it keeps, and some hundred bytes a word.
 */
export interface Lexicon {
  /**
   * Enters a word, each word once, with the names and weights, 1 to 15, of its features; a name has one weight in all
   * words. Answers its number, counted from 0. Throws `AGIDB_INVALID_ARGUMENT` where the word has a space or a name
   * starts with `pair:`, since the pairs of {@link signature} would no longer be told apart.
   */
  add(word: string, names: readonly string[], weights: Uint32Array): number
  /**
   * The signature of a text, its words by number in their order: {@link Kernel.textSignature} of their features, each
   * once, and of `pair:FIRST SECOND` with weight 1, each once, for words that stand side by side.
   */
  signature(words: Uint32Array): Hypervector
  /**
   * {@link signature} of several texts, quicker than one after the other: `ends[i]` is after the last word of text `i`,
   * where those of the next begin. They are written into `into`, one after the other.
   */
  signatures(words: Uint32Array, ends: Uint32Array, into: Uint8Array): void
  /** Gives the memory back. The lexicon must not be used after it. */
  free(): void
}

/** The score of a slot without a signature. */
export const NO_SCORE = -0x80000000

/** The operations on hypervectors. One implementation in WebAssembly, one in TypeScript; they agree bit for bit. */
export interface Kernel {
  readonly name: 'wasm-simd' | 'reference'
  /** Why this is the TypeScript kernel although nobody asked for it, and what to do about it. */
  readonly fallback?: string
  /**
   * Bytes of main memory in use. In WebAssembly all that there is, of which arenas may have left some: it does not
   * shrink.
   */
  readonly memoryBytes: number
  /**
   * Element-wise product (XNOR on bits would be the bipolar product; by convention of binary spatter codes: XOR).
   * Self-inverse.
   */
  bind(a: Hypervector, b: Hypervector): Hypervector
  /** Rotation by `shift` dimensions: dimension `d` moves to `(d + shift) mod 8192`. Negative shifts undo. */
  permute(a: Hypervector, shift: number): Hypervector
  /** Weighted majority: {@link Kernel.threshold} of the weighted bipolar sum. Weights are integers, default 1 each. */
  bundle(vectors: readonly Hypervector[], weights?: Int32Array): Hypervector
  hamming(a: Hypervector, b: Hypervector): number
  /** 1 − hamming / 8192. */
  similarity(a: Hypervector, b: Hypervector): number
  /** The first 1024 bytes of the ChaCha20 key stream with this 32-byte key, nonce 0, counter 0 (RFC 8439). */
  fromSeed(seed: Uint8Array): Hypervector
  /** {@link Kernel.fromSeed} of the BLAKE3 hash of the name's UTF-8 bytes. */
  fromName(name: string): Hypervector
  /** Weighted bipolar sum `Σ wⱼ·fromName(nameⱼ)`, a number per dimension. Exact integers: |Σ| must stay under 2³¹. */
  superpose(names: readonly string[], weights: Int32Array): Int32Array
  /** The signs of a sum; a zero takes the bit of the fixed random hypervector `fromName('agidb/tie')`. */
  threshold(sum: Int32Array): Hypervector
  /** `threshold(superpose(names, weights))` in one call: the signature of a text from its features. */
  textSignature(names: readonly string[], weights: Int32Array): Hypervector
  /**
   * A sum as a query with 4-bit magnitudes: `mᵢ = ⌊(30·|sᵢ| + max) / (2·max)⌋`, the rounding of
   * `15·|sᵢ| / max`. Signs as {@link Kernel.threshold}. A sum of zeros has magnitude 0 everywhere.
   */
  quantise(sum: Int32Array): Query
  /** A binary query. */
  query(signature: Hypervector): Query
  /**
   * Sign projection of a dense latent (Charikar 2002) by three rounds of seeded ±1 diagonal and fast
   * Walsh–Hadamard transform on the zero-padded latent. `hamming / 8192 ≈ angle / π`.
   * Throws `AGIDB_INVALID_ARGUMENT` on an empty, zero, non-finite or over-long (> 8192) latent.
   */
  project(latent: Float32Array): Hypervector
  /**
   * A latent as a query against what {@link project} makes of latents of the same length: the numbers whose signs that
   * takes, in whole ones (times the power of two that brings the largest to 2²⁰ or more, a half rounded up), {@link
   * quantise | quantised}. It keeps how much of it each projected direction has, so that scores order memories nearly
   * as the cosine of the latents does. Throws as {@link project}.
   */
  projectQuery(latent: Float32Array): Query
  /**
   * XXH64 with seed 0 as 16 hexadecimal digits: tells whether bytes are still what they were, not whether somebody
   * meant them to be others. The bytes may be a view of an arena's memory; that is valid no longer after it.
   */
  digest(bytes: Uint8Array): string
  /** {@link digest} of bytes that come in pieces, each a view that may be of an arena's memory as there. */
  digesting(): Digesting
  /**
   * Encrypts bytes by XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03): as many bytes, and a tag of {@link TAG_BYTES}
   * after them. A nonce must never be used twice with a key; a random one never is.
   *
   * @param key 32 bytes.
   * @param nonce 24 bytes.
   * @param associated what is authenticated with the text; whoever decrypts it must give the same.
   * @param into what it is written into, and answered, instead of a new array: {@link TAG_BYTES} longer than the text,
   * which may lie in it.
   */
  seal(key: Uint8Array, nonce: Uint8Array, associated: Uint8Array, text: Uint8Array, into?: Uint8Array): Uint8Array
  /** Decrypts what {@link seal} made; `undefined` when key, nonce, associated bytes or a bit of it are others. */
  unseal(key: Uint8Array, nonce: Uint8Array, associated: Uint8Array, sealed: Uint8Array): Uint8Array | undefined
  /**
   * {@link project} of sums of latents, each scaled to unit length. `ends[i]` is after the last term of sum `i`, where
   * those of the next begin. Each step is worked out in double precision, in order, and rounded to single. Signature
   * `i` is written into `into` from `i * every` on, and zeros where the sum is zero. Answers which sums are not.
   */
  projectSums(of: Terms, ends: Uint32Array, into: Uint8Array, every?: number): boolean[]
  /**
   * Sums of latents, one after the other, each scaled to unit length; a sum of zero stays zero. `ends` as of {@link
   * projectSums}. Products and sums are worked out in single precision, in order; the length in double.
   */
  unitSums(of: Terms, ends: Uint32Array): Float32Array
  /**
   * The inner products of each of some vectors of a length with each of others, those of a vector side by side. Worked
   * out in double precision: four sums, of every fourth product each, and what is left over in the first; these by
   * twos, then both.
   */
  dots(vectors: Float32Array, others: Float32Array, length: number): Float64Array
  /**
   * Of each sum of latents, and each of some other latents of a length, the greatest inner product of that with one of
   * the terms, each times its factor; 0 where none is above 0. Those of a sum stand side by side. `ends` as of {@link
   * projectSums}. This is what late interaction adds up (Khattab and Zaharia 2020, ColBERT: MaxSim).
   */
  maxSim(of: Terms, ends: Uint32Array, others: Int8Array, length: number): Float64Array
  /** A new lexicon, without a word. */
  lexicon(): Lexicon
  /** A new, empty batch, without room. */
  batch(): Batch
  /** A new, empty arena. */
  arena(options?: ArenaOptions): Arena
  /** What the module of a WebAssembly kernel exports; that of the whole kernel has the graphs among it. */
  readonly exports?: object
  /**
   * What makes graphs, where the kernel brings it along; `graphKernelOf` has that of any kernel. Absent of the
   * WebAssembly kernel, so that a page may load it later.
   */
  graphs?(): GraphKernel
}
