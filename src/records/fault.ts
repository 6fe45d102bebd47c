import { faultOfEpisode } from './checks/episode.js'
import { faultOfFrame } from './checks/frame.js'
import { faultOfPiece } from './checks/media.js'
import { faultOfVersion } from './checks/version.js'
import { episodeKind } from './kinds/episode.js'
import { mediaKind } from './kinds/media.js'
import { sensoryFrameKind } from './kinds/sensory-frame.js'
import { versionKind } from './kinds/version.js'
import type { ImportCheck, RecordKind } from './record-kind.js'

/** The kinds of `registry.ts` without a `validate`, a line each: a page fetches this when it first imports. */
const CHECKS = new Map<RecordKind, NonNullable<RecordKind['validate']>>([
  [episodeKind, faultOfEpisode],
  [sensoryFrameKind, faultOfFrame],
  [versionKind, faultOfVersion],
  [mediaKind, faultOfPiece],
] as readonly (readonly [RecordKind, NonNullable<RecordKind['validate']>])[])

/** Checks a row that comes from outside, as {@link RecordKind.validate} does: by it, or by what stands here. */
export function faultOfRow(kind: RecordKind, row: Uint8Array, id: string, check: ImportCheck): string | undefined {
  return (kind.validate ?? CHECKS.get(kind)!)(row, id, check)
}
