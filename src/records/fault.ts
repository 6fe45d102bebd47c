import { faultOfFrame } from './check-frame.js'
import { sensoryFrameKind } from './kinds/sensory-frame.js'
import type { ImportCheck, RecordKind } from './record-kind.js'

/**
 * Checks a row that comes from outside, as {@link RecordKind.validate} does: by it, or where the kind has none, by what
 * stands here.
 */
export function faultOfRow(kind: RecordKind, row: Uint8Array, id: string, check: ImportCheck): string | undefined {
  return kind === sensoryFrameKind ? faultOfFrame(row, id, check) : kind.validate!(row, id, check)
}
