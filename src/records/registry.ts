import { auditKeyKind } from './kinds/audit-key.js'
import { episodeKind } from './kinds/episode.js'
import { erasureKind } from './kinds/erasure.js'
import { learningEventKind } from './kinds/learning-event.js'
import { mediaKind } from './kinds/media.js'
import { receiptKind } from './kinds/receipt.js'
import { sensoryFrameKind } from './kinds/sensory-frame.js'
import { syncStateKind } from './kinds/sync-state.js'
import { tombstoneKind } from './kinds/tombstone.js'
import { versionKind } from './kinds/version.js'
import { RecordKinds } from './record-kind.js'

/** Every kind of record that agidb stores, a line each. Rows of other kinds are of a newer version. */
export const RECORD_KINDS = new RecordKinds([
  episodeKind, // text, and 11 with modalities of the application's own
  learningEventKind, // 1, and 13 of links of episodes to goals and beliefs
  sensoryFrameKind, // 2, 10 with several senses, and 12 with modalities of the application's own
  receiptKind, // 3
  tombstoneKind, // 4
  auditKeyKind, // 5
  versionKind, // 6
  erasureKind, // 7
  syncStateKind, // 8
  mediaKind, // 9
  // 31 is what storage/media writes in the place of a piece of a medium whose bytes are in a bucket
])
