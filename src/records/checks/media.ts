import { isModality } from '../../api/encoder.js'
import { type MediaRecord, PIECE_BYTES } from '../kinds/media.js'
import { type ImportCheck, partsOf } from '../record-kind.js'
import { name, object, whole } from '../shapes.js'

const SHAPE = object({
  id: name,
  sense: isModality,
  type: name,
  offset: whole,
  piece: whole,
  size: whole,
  unit: name,
})

/** What is wrong with the row of a piece of a medium, as `validate` of a kind says it. */
export function faultOfPiece(row: Uint8Array, id: string, check: ImportCheck): string | undefined {
  const wrong = 'is no piece of a medium'
  const parts = partsOf(row)
  if (parts === undefined || parts.bytes.length > PIECE_BYTES) return wrong
  const value = check.json(parts.json) as MediaRecord
  const fits = SHAPE(value, check.at('medium')) && value.id === id && value.size === parts.bytes.length
  return fits && value.offset >= 1 && value.size >= 1 ? undefined : wrong
}
