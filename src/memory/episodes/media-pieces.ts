import type { Episode } from '../../api/episode.js'
import { idOf } from '../../base/ids.js'
import type { Kernel } from '../../kernel/port.js'
import { type MediaRecord, mediaKind, piecesOf } from '../../records/kinds/media.js'
import { unitOf } from '../../records/unit.js'
import type { RecordChange } from '../../write/record-change.js'
import type { Medium } from '../translations/keeping.js'

/** The records of what is kept with an episode. Their ids follow from its own, so that none is drawn. */
export function mediaPieces(kernel: Kernel, episode: Episode, media: readonly Medium[]): MediaRecord[] {
  const idAt = (offset: number) => idOf('md_', kernel.fromName(`agidb/media/${offset}/${episode.id}`))
  const pieces: MediaRecord[] = []
  for (const medium of media) pieces.push(...piecesOf({ ...medium, unit: unitOf(episode) }, pieces.length + 1, idAt))
  return pieces
}

/** How a piece is written: right after its episode, see `MediaRecord.offset`. */
export function putPiece(piece: MediaRecord): RecordChange {
  return { op: 'put', id: piece.id, row: mediaKind.encode(piece) }
}
