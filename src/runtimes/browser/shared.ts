import * as check from '../../api/check.js'
import * as filter from '../../api/check-filter.js'
import * as time from '../../api/time.js'
import * as errors from '../../base/errors.js'
import * as indexes from '../../indexes/indexes.js'
import * as recall from '../../recall/recall.js'
import * as events from '../../records/events/registry.js'
import * as auditKey from '../../records/kinds/audit-key.js'
import * as episode from '../../records/kinds/episode.js'
import * as erasure from '../../records/kinds/erasure.js'
import * as learningEvent from '../../records/kinds/learning-event.js'
import * as media from '../../records/kinds/media.js'
import * as sensoryFrame from '../../records/kinds/sensory-frame.js'
import * as syncState from '../../records/kinds/sync-state.js'
import * as tombstone from '../../records/kinds/tombstone.js'
import * as version from '../../records/kinds/version.js'
import * as registry from '../../records/registry.js'
import * as changes from '../../storage/journal/changes.js'
import * as createJournal from '../../storage/journal/create-journal.js'
import * as frame from '../../storage/journal/frame.js'
import * as handle from '../../storage/journal/handle.js'
import * as journal from '../../storage/journal/journal.js'
import * as journalPair from '../../storage/journal/journal-pair.js'
import * as scan from '../../storage/journal/scan.js'

/**
 * Modules that the parts of the worker share with it, by the names that tools/build-parts.ts gives them: those whose
 * classes and kinds have to be the same ones in both, and those that are large.
 */
export const SHARED = {
  auditKey,
  changes,
  check,
  createJournal,
  episode,
  erasure,
  errors,
  events,
  filter,
  frame,
  handle,
  indexes,
  journal,
  journalPair,
  learningEvent,
  media,
  recall,
  registry,
  scan,
  sensoryFrame,
  syncState,
  time,
  tombstone,
  version,
}

export type Shared = typeof SHARED
