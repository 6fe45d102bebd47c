import { exports, imports } from './exports.js'
import { extents, image } from './image.js'
import { entries, journal } from './journal.js'
import { messages } from './messages.js'
import type { Target } from './target.js'
import { transcripts } from './transcripts.js'

/** All that reads what may have come from anywhere. */
export const TARGETS: readonly Target[] = [journal, entries, image, extents, exports, imports, transcripts, messages]
