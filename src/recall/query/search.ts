import type { Visibility } from '../../indexes/visibility.js'
import { unexpiredSlots } from '../../indexes/filter.js'
import type { Indexes } from '../../indexes/indexes.js'
import { bitsOf } from '../../base/bits.js'
import { type CandidateQuery, toCandidateQueries } from '../candidates/candidates.js'
import { analyse, type Cue, timeAlone } from './cue.js'
import type { Fitting } from '../evidence/pattern.js'
import { type AskedWindow, both } from './times.js'
import type { Question, DocumentScope } from './question.js'

/** What is searched for a question. */
export interface Search {
  readonly cue: Cue
  readonly queries: readonly CandidateQuery[]
  /** The visible slots; absent: all. */
  readonly mask?: Uint32Array
}

/** What a question may see, its filter applied. */
export function visibilityOf(
  indexes: Indexes,
  { visibility, filter, fitting, onlyFitting, documents }: Question,
): Visibility {
  // What ended is found by deep questions: nothing ends before all times.
  const seen = documents?.deep ? { ...visibility, now: -Infinity } : visibility
  const passing = shownSlots(indexes, unexpiredSlots(indexes, filter, visibility.now), documents, visibility.now)
  const among = onlyFitting ? fittingSlots(indexes, fitting!, passing) : passing
  return among === undefined ? seen : { ...seen, among }
}

/** Leaves of the slots that pass, absent for all, those that a question about documents, or none, may see. */
function shownSlots(
  { catalog, documents }: Indexes,
  passing: Uint32Array | undefined,
  { among, deep = false }: DocumentScope = {},
  now: number,
): Uint32Array | undefined {
  const hides = !deep && !documents.areAllShown(now)
  if (among === undefined && !hides) return passing
  const words = passing ?? catalog.live.slice()
  for (let word = 0; among !== undefined && word < words.length; word++)
    words[word] &= word < among.length ? among[word] : 0
  if (hides) documents.hide(words, now)
  return words
}

/** The slots that fit a pattern, of those that pass a filter. */
function fittingSlots({ catalog }: Indexes, fitting: Fitting, passing: Uint32Array | undefined): Uint32Array {
  const words = passing ?? catalog.live
  const slots = bitsOf(
    [...fitting.keys()].filter((slot) => slot >> 5 < words.length),
    words.length,
  )
  return slots.map((word, i) => word & words[i])
}

export function searchFor(
  indexes: Indexes,
  { cue: text, pattern, fitting, sentence, perceived, asker }: Question,
  visibility: Visibility,
  window?: AskedWindow,
): Search {
  const analysed = {
    ...analyse(indexes, text, pattern, { perceived, sentence }, asker),
    ...(fitting && { fitting }),
  }
  const cue = window?.only ? timeAlone(analysed) : analysed
  const visible = window?.only ? { ...visibility, within: both(visibility.within, window.interval) } : visibility
  const { catalog, timeline } = indexes
  const session = visibility.session === undefined ? undefined : timeline.of(visibility.session)
  return { cue, queries: toCandidateQueries(indexes, cue), mask: catalog.mask(visible, session) }
}
