import { AgidbError } from '../../base/errors.js'
import { WordPiece } from './wordpiece.js'
import { decodeUtf8 } from '../../base/utf8.js'
import { toHex } from '../../base/hex.js'

/**
 * A semantic codebook: for every word piece a latent, and how much it tells. The sum of a text's latents, weighted,
 * points to what the text means. A memory is best summed by {@link weight} alone, which never changes; a question by
 * {@link weight} times the inverse document frequency of the piece in the memory. docs/codebook.md has the
 * measurements.
 */
export interface Codebook {
  /** 16 hexadecimal digits of the SHA-256 of the contents: signatures of different codebooks cannot be compared. */
  readonly id: string
  /** Numbers a latent. */
  readonly dimension: number
  /** Pieces in the vocabulary. */
  readonly size: number
  /** Bytes of main memory. */
  readonly bytes: number
  /** The pieces of a text in order; those of words that the vocabulary cannot spell are left out. */
  pieces(text: string): number[]
  /** How much a piece tells in any text, from 0 (nothing) to 1: for texts whose weights must not change later. */
  weight(piece: number): number
  /** Adds the latent of a piece, times `weight`, to a vector of {@link dimension} numbers. */
  add(piece: number, weight: number, into: Float32Array): void
  /** Pieces as terms of sums of latents, each times its {@link weight}. Views, valid until the next call. */
  weighted(pieces: ArrayLike<number>): Weighted
}

/** What the latents of some pieces are made of. */
export interface Weighted {
  /** The latents in whole numbers, one after the other, that of each piece once. */
  readonly rows: Int8Array
  /** What makes each of them its latent times its weight. */
  readonly factors: Float64Array
  /** What makes each of them its latent without the weight, which is about of unit length. */
  readonly scales: Float64Array
  /** For each of the pieces, which of the latents is its own. */
  readonly terms: Uint16Array
}

const MAGIC = 'AGIDBCBK'
const VERSION = 1
const HEADER_BYTES = 32
/** Room is made for a multiple of so many pieces. */
const SPARE = 1024
/** Words of four bytes that come into a cache together. */
const CACHE_LINE = 16
/** A letter that is not Latin, alone: so an English vocabulary spells what it does not know. */
const STRANGE = /^(?:##)?(?!\p{Script=Latin})\p{L}$/u

/**
 * Reads a codebook. The bytes are kept, not copied.
 *
 * The file, little-endian: `AGIDBCBK`; version, dimension, count and bytes of the vocabulary as u32; 8 bytes of the
 * SHA-256 of what follows; then a float32 scale a piece, a float32 weight a piece, the vocabulary in UTF-8 with a line
 * feed between pieces (padded with line feeds to a multiple of four), and the latents as int8, to be multiplied by the
 * scale.
 *
 * @throws AgidbError `AGIDB_CODEBOOK` for a file that is none, is cut short, or is of a newer version
 */
export function parseCodebook(bytes: Uint8Array): Codebook {
  if (bytes.length < HEADER_BYTES || String.fromCharCode(...bytes.subarray(0, MAGIC.length)) !== MAGIC) {
    throw refuse('is no codebook of agidb; give agidb/codebook.bin, or a file made by tools/codebook', {
      bytes: bytes.length,
    })
  }
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES)
  const [version, dimension, count, vocabularyBytes] = [8, 12, 16, 20].map((at) => header.getUint32(at, true))
  if (version !== VERSION)
    throw refuse(`has version ${version}, this agidb reads version ${VERSION}; update agidb`, { version })
  const expected = HEADER_BYTES + 8 * count + vocabularyBytes + count * dimension
  if (bytes.length !== expected) {
    throw refuse(`has ${bytes.length} bytes where ${expected} belong; it was cut short or changed, fetch it again`, {
      bytes: bytes.length,
      expected,
    })
  }
  const at = HEADER_BYTES + 8 * count
  const pieces = decodeUtf8(bytes.subarray(at, at + vocabularyBytes))
    .replace(/\n+$/, '')
    .split('\n')
  if (pieces.length !== count)
    throw refuse(`names ${pieces.length} pieces where ${count} belong; fetch it again`, {
      pieces: pieces.length,
      count,
    })
  return new Table(toHex(bytes.subarray(24, HEADER_BYTES)), dimension, new WordPiece(pieces), pieces, {
    scales: floats(bytes, HEADER_BYTES, count),
    weights: floats(bytes, HEADER_BYTES + 4 * count, count),
    rows: whole(bytes, at + vocabularyBytes, count * dimension),
  })
}

/** The bytes that the id of a codebook is the hash of. */
export function codebookContents<B extends ArrayBufferLike>(bytes: Uint8Array<B>): Uint8Array<B> {
  return bytes.subarray(HEADER_BYTES)
}

interface Columns {
  readonly scales: Float32Array
  readonly weights: Float32Array
  readonly rows: Int8Array
}

class Table implements Codebook {
  readonly #words: WordPiece
  readonly #columns: Columns
  /** The rows by words of four bytes where that goes: they are copied in no time. */
  readonly #cells: Int32Array | Int8Array
  /** What {@link weighted} answers with beside the latents. */
  #room = roomFor(0)
  /** The latents that {@link weighted} answers with. */
  #copies = new Int32Array(0)
  /** Where each piece was when it last came: it is there still if that is its place among the last ones. */
  readonly #places: Uint16Array
  /** 1 for the unknown piece, and for single letters of other scripts: in them words are spelled, not known. */
  readonly #strange: Uint8Array

  constructor(
    readonly id: string,
    readonly dimension: number,
    words: WordPiece,
    pieces: readonly string[],
    columns: Columns,
  ) {
    this.#words = words
    this.#strange = Uint8Array.from(pieces, (piece, i) => Number(i === words.unknown || STRANGE.test(piece)))
    this.#columns = columns
    this.#places = new Uint16Array(pieces.length)
    const { buffer, byteOffset, length } = columns.rows
    this.#cells = dimension % 4 === 0 ? new Int32Array(buffer, byteOffset, length / 4) : columns.rows
  }

  get size(): number {
    return this.#columns.scales.length
  }

  get bytes(): number {
    const { scales, weights, rows } = this.#columns
    const { factors, scales: own, met, terms } = this.#room
    const columns = [scales, weights, rows, this.#strange, this.#places, this.#copies, factors, own, met, terms]
    return columns.reduce((sum, { byteLength }) => sum + byteLength, this.#words.bytes)
  }

  pieces(text: string): number[] {
    const pieces = this.#words.encode(text)
    let kept = 0
    for (const piece of pieces) if (this.#strange[piece] === 0) pieces[kept++] = piece
    pieces.length = kept
    return pieces
  }

  weight(piece: number): number {
    return this.#columns.weights[piece]
  }

  add(piece: number, weight: number, into: Float32Array): void {
    const { scales, rows } = this.#columns
    const factor = weight * scales[piece]
    const start = piece * this.dimension
    for (let i = 0; i < this.dimension; i++) into[i] += factor * rows[start + i]
  }

  weighted(pieces: ArrayLike<number>): Weighted {
    const { scales, weights } = this.#columns
    const cells = this.#cells
    const places = this.#places
    const width = cells.length / this.size
    // A new array for each text would cost more than to fill one.
    if (pieces.length > this.#room.terms.length) this.#room = roomFor(rounded(pieces.length))
    const { factors, scales: own, met, terms } = this.#room
    let count = 0
    let touched = 0
    for (let i = 0; i < pieces.length; i++) {
      const piece = pieces[i]
      let place = places[piece]
      if (place >= count || met[place] !== piece) {
        place = places[piece] = count++
        met[place] = piece
        own[place] = scales[piece]
        factors[place] = weights[piece] * scales[piece]
        // Rows are seldom in a cache: all are asked for before the first is waited for.
        for (let from = piece * width, end = from + width; from < end; from += CACHE_LINE) touched ^= cells[from]
      }
      terms[i] = place
    }
    this.#room.touched = touched
    if (count * this.dimension > this.#copies.byteLength)
      this.#copies = new Int32Array(Math.ceil((rounded(count) * this.dimension) / 4))
    const { buffer } = this.#copies
    const copies = cells instanceof Int32Array ? this.#copies : new Int8Array(buffer)
    for (let place = 0; place < count; place++) copy(cells, met[place] * width, copies, place * width, width)
    return {
      rows: new Int8Array(buffer, 0, count * this.dimension),
      factors: factors.subarray(0, count),
      scales: own.subarray(0, count),
      terms: terms.subarray(0, pieces.length),
    }
  }
}

/** Four steps in one take a third of the time; a view of a row would cost more than to copy it. */
function copy(
  cells: Int32Array | Int8Array,
  from: number,
  into: Int32Array | Int8Array,
  to: number,
  count: number,
): void {
  let i = 0
  for (; i + 4 <= count; i += 4) {
    into[to + i] = cells[from + i]
    into[to + i + 1] = cells[from + i + 1]
    into[to + i + 2] = cells[from + i + 2]
    into[to + i + 3] = cells[from + i + 3]
  }
  for (; i < count; i++) into[to + i] = cells[from + i]
}

/** Room for somewhat more, so that it seldom has to grow. */
function rounded(count: number): number {
  return Math.ceil(count / SPARE) * SPARE
}

/** Room for so many pieces, and what is known of as many latents: more than 65,536 there are not. */
function roomFor(pieces: number) {
  const most = Math.min(pieces, 0x10000)
  return {
    factors: new Float64Array(most),
    scales: new Float64Array(most),
    /** The piece of each latent. */
    met: new Uint32Array(most),
    terms: new Uint16Array(pieces),
    /** Of what was only read to be near: kept, so that the reading is not left out. */
    touched: 0,
  }
}

function floats(bytes: Uint8Array, start: number, count: number): Float32Array {
  const offset = bytes.byteOffset + start
  if (offset % 4 === 0) return new Float32Array(bytes.buffer, offset, count)
  return new Float32Array(bytes.slice(start, start + 4 * count).buffer)
}

/** On a boundary of four bytes, so that rows can be copied by words. */
function whole(bytes: Uint8Array, start: number, count: number): Int8Array {
  const offset = bytes.byteOffset + start
  if (offset % 4 === 0) return new Int8Array(bytes.buffer, offset, count)
  return new Int8Array(bytes.slice(start, start + count).buffer)
}

function refuse(problem: string, details: Record<string, unknown>): AgidbError {
  return new AgidbError('AGIDB_CODEBOOK', `the codebook ${problem}`, details)
}
