import { checkChoice, checkKeys, checkName, checkNumber, invalid } from '../../api/check.js'
import type { TriplePattern } from '../../api/episode.js'
import { POLARITIES } from '../../api/extractor.js'
import type { NeurosymbolicOptions, NeurosymbolicPattern, NeurosymbolicQuery } from '../../api/neurosymbolic.js'
import type { Limits } from '../../api/open-options.js'
import { type Span, toSpan } from '../../api/time.js'
import type { Visibility } from '../../indexes/visibility.js'
import type { StatementPattern } from '../candidates/statements.js'
import type { Question } from './question.js'
import { RECALL_KEYS, toQuestion } from './to-question.js'

/** A statement that is to be looked up before recall, and what of it is visible. */
export interface WantedStatement extends StatementPattern {
  readonly visibility: Visibility
}

/** A checked query: the question that recall answers, and the statement to look up for it; absent where none counts. */
export interface AskedNeurosymbolic {
  readonly question: Question
  readonly wanted?: WantedStatement
}

type Weights = NonNullable<NeurosymbolicQuery['weights']>

const PATTERN_KEYS: readonly (keyof NeurosymbolicPattern)[] = [
  'subject',
  'predicate',
  'object',
  'polarity',
  'from',
  'to',
  'subjectType',
  'objectType',
]
/** Those of `recall`, but for what the query has itself. */
const OPTION_KEYS = RECALL_KEYS.filter((key) => key !== 'structured' && key !== 'weights')

/**
 * Checks a neurosymbolic query and its options.
 *
 * @param now epoch milliseconds.
 * @throws AgidbError with the code of what is wrong.
 */
export function toNeurosymbolic(
  query: NeurosymbolicQuery,
  options: NeurosymbolicOptions,
  now: number,
  limits: Limits,
): AskedNeurosymbolic {
  checkKeys('neurosymbolicQuery', query, ['structured', 'fuzzyCue', 'weights'])
  checkKeys('options', options, OPTION_KEYS)
  const { structured, fuzzyCue, weights } = query ?? {}
  const { wanted, within } = toWanted(structured, limits)
  if (wanted === undefined && fuzzyCue === undefined)
    throw invalid('the query has neither structured nor fuzzyCue; give a pattern, a cue, or both', { what: 'query' })
  checkWeights(weights, wanted !== undefined, fuzzyCue !== undefined)
  const isFuzzy = fuzzyCue !== undefined && weights?.fuzzy !== 0
  if (wanted === undefined || weights?.structured === 0)
    return { question: toQuestion(fuzzyCue!, options, now, limits) }
  const both = isFuzzy ? { weights } : {}
  const asked = { ...options, structured: wanted.pattern, ...both }
  const question = { ...toQuestion(isFuzzy ? fuzzyCue : undefined, asked, now, limits, true), onlyFitting: !isFuzzy }
  // What was true at the end of a stretch that is past may have been replaced since.
  const asOf = within.to <= now && options.validAsOf === undefined ? { validAsOf: within.to - 1 } : {}
  const visibility = { ...question.visibility, ...asOf }
  return {
    question: { ...question, visibility },
    wanted: { ...wanted, visibility: { ...visibility, within: overlap(visibility.within, within) } },
  }
}

/** @throws AgidbError for a pattern that gives nothing, or something wrong. */
function toWanted(
  structured: NeurosymbolicPattern | undefined,
  limits: Limits,
): { readonly wanted?: StatementPattern; readonly within: Span } {
  checkKeys('structured', structured, PATTERN_KEYS)
  if (structured === undefined) return { within: { from: -Infinity, to: Infinity } }
  const { subject, predicate, object, polarity, from, to, subjectType, objectType } = structured
  for (const [part, name] of Object.entries({ subject, predicate, object, subjectType, objectType }))
    checkName(`structured.${part}`, name, limits)
  if (polarity !== undefined) checkChoice('structured.polarity', polarity, POLARITIES)
  const within = toSpan({ from, to }, 'structured')!
  if (PATTERN_KEYS.every((key) => structured[key] === undefined))
    throw invalid(`structured is empty; give one of ${PATTERN_KEYS.join(', ')}, or leave it out`, {
      what: 'structured',
    })
  const pattern: TriplePattern = {
    ...(subject !== undefined && { subject }),
    ...(predicate !== undefined && { predicate }),
    ...(object !== undefined && { object }),
  }
  return {
    wanted: {
      pattern,
      ...(polarity !== undefined && { polarity }),
      ...(subjectType !== undefined && { subjectType }),
      ...(objectType !== undefined && { objectType }),
    },
    within,
  }
}

/** @throws AgidbError for weights that are not 0 to 1, both 0, or above 0 for what the query does not have. */
function checkWeights(weights: Weights | undefined, hasPattern: boolean, hasCue: boolean): void {
  if (weights === undefined) return
  checkKeys('weights', weights, ['structured', 'fuzzy'])
  checkNumber('weights.structured', weights.structured, 0, 1)
  checkNumber('weights.fuzzy', weights.fuzzy, 0, 1)
  if (weights.structured + weights.fuzzy === 0)
    throw invalid('weights.structured and weights.fuzzy are both 0, so that nothing counts; give one of them more', {
      option: 'weights',
    })
  if (weights.structured > 0 && !hasPattern)
    throw invalid(`weights.structured is ${weights.structured}, and there is no structured; give a pattern, or 0`, {
      option: 'weights.structured',
    })
  if (weights.fuzzy > 0 && !hasCue)
    throw invalid(`weights.fuzzy is ${weights.fuzzy}, and there is no fuzzyCue; give a cue, or 0`, {
      option: 'weights.fuzzy',
    })
}

function overlap(one: Span | undefined, other: Span): Span {
  return one === undefined ? other : { from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) }
}
