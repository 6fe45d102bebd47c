/**
 * A text that grows at its end and is trimmed there. Its pieces are joined when it is read, so that each costs its own
 * length alone.
 */
export class GrowingText {
  readonly #pieces: string[] = []
  #length = 0

  /** UTF-16 units. */
  get length(): number {
    return this.#length
  }

  /** The last UTF-16 unit; empty where there is none. */
  get last(): string {
    return this.#pieces.at(-1)?.at(-1) ?? ''
  }

  add(piece: string): void {
    if (piece === '') return
    this.#pieces.push(piece)
    this.#length += piece.length
  }

  /** Takes characters away from the end. */
  trimEnd(isTrimmed: (character: string) => boolean): void {
    for (let piece = this.#pieces.pop(); piece !== undefined; piece = this.#pieces.pop()) {
      let end = piece.length
      while (end > 0 && isTrimmed(piece[end - 1])) end--
      this.#length -= piece.length - end
      if (end === 0) continue
      this.#pieces.push(piece.slice(0, end))
      return
    }
  }

  clear(): void {
    this.#pieces.length = 0
    this.#length = 0
  }

  toString(): string {
    return this.#pieces.join('')
  }
}
