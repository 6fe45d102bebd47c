import { exports, imports } from './exports.js'
import { extents, image, table } from './image.js'
import { entries, journal, salvaged } from './journal.js'
import { messages } from './messages.js'
import { notices, tabs } from './tabs.js'
import type { Target } from './target.js'
import { transcripts } from './transcripts.js'

/** All that reads what may have come from anywhere. */
export const TARGETS: readonly Target[] = [
  journal,
  salvaged,
  entries,
  image,
  table,
  extents,
  exports,
  imports,
  transcripts,
  messages,
  tabs,
  notices,
]
