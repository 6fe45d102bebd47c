/** A piece of a file. */
export interface Extent {
  readonly at: number
  readonly bytes: number
}

/** Extents begin at multiples of this, the size of a page. */
const ALIGNMENT = 4096

/** The free room of a file: what lies between the extents that are in use, and all after them. */
export class Extents {
  readonly #free: { at: number; bytes: number }[] = []

  /** @param start where extents may begin. */
  constructor(start: number, used: readonly Extent[]) {
    let end = start
    for (const { at, bytes } of [...used].sort((a, b) => a.at - b.at)) {
      if (at > end) this.#free.push({ at: end, bytes: at - end })
      end = Math.max(end, aligned(at + bytes))
    }
    this.#free.push({ at: end, bytes: Infinity })
  }

  /** Takes the first room that is large enough, and answers where it begins. */
  take(bytes: number): number {
    const room = this.#free.find((room) => room.bytes >= bytes)!
    const { at } = room
    room.at += aligned(bytes)
    room.bytes -= aligned(bytes)
    return at
  }
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT
}
