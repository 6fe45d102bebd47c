import type { BlockFile } from './block-file.js'
import { entrySignatures, readEntry, resign, type Entry } from './changes.js'
import { corrupt } from './frame.js'
import { pace } from './pace.js'
import type { Piece } from './pieces.js'
import type { Signed } from './port.js'

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

/** Is given the signatures of a slot: views, valid only during the call. */
export type VisitSigned = (slot: number, signed: Signed) => void

/** An entry of a slot, and where it is in what was read. */
interface Held extends Piece {
  readonly slot: number
  from: number
}

/**
 * Reads signatures out of a journal, and nothing else of the entries: a question in a large memory asks for some hundreds. What lies side
 * by side is read at once, into memory that stays for the next question.
 */
export class SignatureReader {
  readonly #file: BlockFile
  /** Taken away while it is in use. */
  #spare = new Uint8Array(0)

  constructor(file: BlockFile) {
    this.#file = file
  }

  /**
   * Visits the signatures of slots, in the order in which these lie in the file.
   *
   * @throws AgidbError `AGIDB_CORRUPT` where an entry is not that of its slot
   */
  async read(places: readonly SignedPlace[], visit: VisitSigned): Promise<void> {
    const sorted = [...places].sort((a, b) => a.put.at - b.put.at)
    const rest = pace()
    for (let next = 0; next < sorted.length; ) {
      await rest()
      const slots: Held[][] = []
      for (let bytes = 0; next < sorted.length && bytes < HELD_BYTES; next++) {
        const { slot, put, signs } = sorted[next]
        const entries = [put, ...signs].map(({ at, bytes }): Held => ({ slot, at, bytes, from: 0 }))
        for (const entry of entries) bytes += entry.bytes
        slots.push(entries)
      }
      const held = await this.#load(slots.flat())
      for (const entries of slots) visit(entries[0].slot, entries.map((entry) => this.#signed(held, entry)).reduce(resign))
      this.#spare = held
    }
  }

  /** Reads entries, and tells each where it is in what it answers. */
  async #load(entries: Held[]): Promise<Uint8Array<ArrayBuffer>> {
    entries.sort((a, b) => a.at - b.at)
    const runs: { readonly at: number; readonly from: number; end: number }[] = []
    let bytes = 0
    for (const entry of entries) {
      let run = runs.at(-1)
      if (run === undefined || entry.at > run.end + GAP_BYTES) runs.push((run = { at: entry.at, from: bytes, end: entry.at }))
      entry.from = run.from + entry.at - run.at
      run.end = Math.max(run.end, entry.at + entry.bytes)
      bytes = run.from + run.end - run.at
    }
    const into = this.#spare.length < bytes ? new Uint8Array(bytes) : this.#spare
    this.#spare = new Uint8Array(0)
    for (const { at, from, end } of runs) {
      const length = end - at
      if ((await this.#file.read(at, into.subarray(from, from + length))) < length) throw this.#changed(at)
    }
    return into
  }

  #signed(held: Uint8Array, { slot, at, bytes, from }: Held): Signed {
    const own = held.subarray(from, from + bytes)
    let entry: Entry
    try {
      entry = readEntry(own, 0)
    } catch (cause) {
      throw this.#changed(at, cause)
    }
    if (entry.slot !== slot || entry.end !== bytes) throw this.#changed(at)
    return entrySignatures(own, entry)
  }

  #changed(at: number, cause?: unknown): Error {
    return corrupt(this.#file.name, at, 'the signatures there are no longer what was written', cause)
  }
}
