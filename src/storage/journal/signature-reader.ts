import type { BlockFile } from '../block/block-file.js'
import { corrupt } from './frame.js'
import { pace } from '../../base/pace.js'
import { PackedSignatureView } from './packed.js'
import type { Piece } from './pieces.js'
import type { PackedSignatures } from '../../api/storage.js'

/** Entries that are no further apart than this are read by one call: a file system reads as much anyway. */
const GAP_BYTES = 4096
/** Bytes of entries that are held at once, about. */
const HELD_BYTES = 1 << 20

/** Where the entries lie that gave a live slot its signatures. */
export interface SignedPlace {
  readonly slot: number
  readonly put: Piece
  /** Those that came after it, in their order. */
  readonly signs: readonly Piece[]
}

/** Is given the signatures of a slot, valid only during the call. */
export type VisitPacked = (slot: number, signatures: PackedSignatures) => void

/** Pieces that are read by one call. */
interface Run {
  readonly at: number
  end: number
  /** Where its bytes are in what was read. */
  readonly from: number
}

/**
 * Reads signatures out of a journal, and nothing else of the entries: a question in a large memory asks for thousands.
 * What lies side by side is read at once, into memory that stays for the next question.
 */
export class SignatureReader {
  readonly #file: BlockFile
  /** Taken away while it is in use. */
  #spare = new Uint8Array(0)

  constructor(file: BlockFile) {
    this.#file = file
  }

  /**
   * Visits the signatures of slots, in their order. Quickest where that is the order in which they lie in the file.
   *
   * @throws AgidbError `AGIDB_CORRUPT` where an entry is not that of its slot
   */
  async read(places: readonly SignedPlace[], visit: VisitPacked): Promise<void> {
    const rest = pace()
    const packed = new PackedSignatureView()
    for (let first = 0, next = 0; first < places.length; first = next) {
      await rest()
      for (let bytes = 0; next < places.length && bytes < HELD_BYTES; next++) {
        bytes += places[next].put.bytes
        for (const sign of places[next].signs) bytes += sign.bytes
      }
      const batch = places.slice(first, next)
      // Signs of many lie together, apart from what they belong to.
      const pieces = batch.map(({ put }) => put)
      for (const { signs } of batch) pieces.push(...signs)
      const { held, starts } = await this.#load(pieces)
      const view = new DataView(held.buffer)
      let sign = batch.length
      const take = (i: number, slot: number) => {
        if (!packed.take(view, starts[i], starts[i] + pieces[i].bytes, slot)) throw this.#changed(pieces[i].at)
      }
      batch.forEach(({ slot, signs }, i) => {
        packed.begin(held)
        take(i, slot)
        for (const end = sign + signs.length; sign < end; sign++) take(sign, slot)
        visit(slot, packed)
      })
      this.#spare = held
    }
  }

  /** Reads pieces, and tells where each is in what was read. */
  async #load(
    pieces: readonly Piece[],
  ): Promise<{ readonly held: Uint8Array<ArrayBuffer>; readonly starts: Uint32Array }> {
    const starts = new Uint32Array(pieces.length)
    const runs: Run[] = []
    let run: Run | undefined
    let bytes = 0
    pieces.forEach((piece, i) => {
      if (run === undefined || piece.at < run.at || piece.at > run.end + GAP_BYTES) {
        runs.push((run = { at: piece.at, end: piece.at, from: bytes }))
      }
      run.end = Math.max(run.end, piece.at + piece.bytes)
      starts[i] = run.from + piece.at - run.at
      bytes = run.from + run.end - run.at
    })
    const held = this.#spare.length < bytes ? new Uint8Array(bytes) : this.#spare
    this.#spare = new Uint8Array(0)
    for (const { at, end, from } of runs) {
      if ((await this.#file.read(at, held.subarray(from, from + end - at))) < end - at) throw this.#changed(at)
    }
    return { held, starts }
  }

  #changed(at: number): Error {
    return corrupt(this.#file.name, at, 'the signatures there are no longer what was written')
  }
}
