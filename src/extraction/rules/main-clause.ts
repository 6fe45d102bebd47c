import type { StatementModality as Modality } from '../../api/extractor.js'
import { readComplement } from './complement.js'
import { readEmbedded } from './embedded-clause.js'
import { readList } from './noun-lists.js'
import type { NounPhrase } from './phrases.js'
import type { Reading } from './reading.js'
import { verbAt } from './verb-ahead.js'
import type { VerbGroup } from './verbs.js'
import { words } from './words.js'

/** Verbs of which the past is as the present. */
const SAME_PAST = words(
  'put read cut hit let set shut cost beat quit hurt spread burst bet bid split cast rid shed upset',
)
/** Nouns in the singular of which verbs are in the plural. */
const COLLECTIVE = words('people police family team staff crew children men women folk public government band couple')

/** Reads a verb with its subjects and what follows it, and what it says of a clause within it. */
export function readClause(reading: Reading, verb: VerbGroup): void {
  const first = reading.at
  let subjects = reading.pending.length > 0 ? reading.pending : reading.inherited
  // "Do you live in Rome?": the subject stands between.
  const inverted = invertedAt(reading, verb)
  if (inverted !== undefined) {
    verb = inverted.verb
    subjects = inverted.subjects
  }
  verb = told(reading, continued(reading, verb), subjects)
  const elided =
    subjects.length === 0 && verb.finite && (reading.elided || (!reading.sawPhrase && leavesOutWriter(reading, verb)))
  const { modality, negative } = meaningOf(reading, verb, subjects)
  reading.at = verb.end
  reading.sawPhrase = true
  reading.pending = []
  reading.inherited = subjects
  const before = reading.times
  reading.times = []
  const complement = readComplement(reading, verb, subjects, readClause)
  if ((subjects.length > 0 && (verb.finite || first === 0)) || elided)
    reading.clauses.push({
      subjects,
      verb,
      ...complement,
      modality,
      negative,
      times: [...before, ...reading.times],
      end: reading.at,
    })
  reading.times = []
  reading.inherited = subjects
  reading.elided = elided
  reading.last = verb
  readEmbedded(reading, verb, negative)
  if (reading.at <= first) reading.at = first + 1
}

/** "A woman called Netta", "Sione, compare …": what looks like a verb of the subject and is none. */
function told(reading: Reading, verb: VerbGroup, subjects: readonly NounPhrase[]): VerbGroup {
  const main = reading.tokens[verb.main]
  // "Helped her find a flat".
  if (subjects.some(({ head, pronoun }) => pronoun && /^(?:me|him|her|us|them)$/.test(reading.tokens[head].lower)))
    return { ...verb, finite: false }
  if (verb.first !== verb.main || main.tag !== 'VERB' || subjects.some(({ pronoun }) => pronoun)) return verb
  if (/^(?:called|named)$/.test(main.lower) && reading.tokens[verb.end]?.tag === 'PROPN')
    return { ...verb, passive: true }
  const bare = main.lower === main.lemma && !SAME_PAST.has(main.lower)
  return bare && subjects.length === 1 && isSingular(reading, subjects[0]) ? { ...verb, finite: false } : verb
}

function isSingular(reading: Reading, { head, determiner }: NounPhrase): boolean {
  const { lower, lemma, tag } = reading.tokens[head]
  if (/^(?:NUM|these|those|all|both|many|several|few|some|most)$/.test(determiner ?? '')) return false
  return !lower.endsWith('s') && (tag === 'PROPN' || (lower === lemma && !COLLECTIVE.has(lower)))
}

/** "Can sing and dance", "to rest and read": a verb that goes on is meant as the one before. */
function continued(reading: Reading, verb: VerbGroup): VerbGroup {
  const last = reading.last
  const { tag, lower, lemma } = reading.tokens[verb.main]
  const bare = tag === 'VERB' && lower === lemma && verb.first === verb.main && verb.finite
  if (!bare || last === undefined || reading.pending.length > 0) return verb
  return { ...verb, finite: last.finite, able: last.able, modality: last.modality, negative: verb.negative }
}

/** "Went home.", "Never been there.": the writer is left out. */
function leavesOutWriter(reading: Reading, verb: VerbGroup): boolean {
  // "Today was our anniversary": no subject is left out.
  if (reading.tokens[verb.main].lower === 'was' && verb.first > 0) return false
  return verb.past || /^(?:been|gone|done|seen)$/.test(reading.tokens[verb.main].lower)
}

function invertedAt(reading: Reading, verb: VerbGroup): { verb: VerbGroup; subjects: NounPhrase[] } | undefined {
  const { tag } = reading.tokens[verb.main]
  if (tag !== 'AUX' || reading.pending.length > 0 || reading.inherited.length > 0) return undefined
  const list = readList(reading, verb.end, true)
  const rest = list && verbAt(reading, list.end)
  if (list === undefined || rest === undefined) return undefined
  return { subjects: list.items, verb: { ...rest, negative: rest.negative || verb.negative, finite: true } }
}

function meaningOf(
  reading: Reading,
  verb: VerbGroup,
  subjects: readonly NounPhrase[],
): { modality: Modality; negative: boolean } {
  const anybody = reading.general && subjects.some(({ head }) => reading.tokens[head].lower === 'you')
  if (anybody) return { modality: 'possible', negative: verb.negative }
  const modality = verb.modality !== 'asserted' ? verb.modality : (reading.mood ?? reading.scope.modality ?? 'asserted')
  const mixed = verb.modality !== 'asserted' && reading.scope.modality === 'reported' ? 'reported' : modality
  return { modality: mixed, negative: verb.negative !== (reading.scope.negative ?? false) }
}
