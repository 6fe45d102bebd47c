import type { BlockFile } from '../block/block-file.js'

/** Pieces that are no further apart than this are read at once: it is what the signatures between two rows take. */
const GAP_BYTES = 4096
/** How much to read at once, unless one piece is longer. */
export const PIECES_BYTES = 1 << 20

/** A piece of a file: where it starts, and its length in bytes. */
export interface Piece {
  readonly at: number
  readonly bytes: number
}

/**
 * Reads pieces of a file, in the order in which they lie there. What lies close together is read at once, because a
 * call to the file may cost more than what lies between, and yielded together. The views stay valid; they are shorter
 * than their piece where the file ends.
 */
export async function* readPieces<P extends Piece>(
  file: BlockFile,
  pieces: readonly P[],
): AsyncGenerator<(readonly [piece: P, bytes: Uint8Array])[]> {
  const sorted = [...pieces].sort((a, b) => a.at - b.at)
  for (let first = 0; first < sorted.length; ) {
    const start = sorted[first].at
    let end = start
    let next = first
    for (; next < sorted.length; next++) {
      const { at, bytes } = sorted[next]
      if (next > first && (at > end + GAP_BYTES || at + bytes > start + PIECES_BYTES)) break
      end = Math.max(end, at + bytes)
    }
    const buffer = new Uint8Array(end - start)
    const found = buffer.subarray(0, await file.read(start, buffer))
    yield sorted
      .slice(first, next)
      .map((piece) => [piece, found.subarray(piece.at - start, piece.at - start + piece.bytes)] as const)
    first = next
  }
}
