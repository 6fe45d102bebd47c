import {
  checkChoice,
  checkFlag,
  checkKeys,
  checkName,
  checkNumber,
  checkSignal,
  checkText,
  checkWhole,
  invalid,
} from '../../api/check.js'
import { checkNarrowing } from '../../api/check-filter.js'
import { SENSES } from '../../api/encoder.js'
import type { Limits } from '../../api/open-options.js'
import type { RecallOptions } from '../../api/recall.js'
import { toMillis, toSpan } from '../../api/time.js'
import type { Question } from './question.js'
import { toGraphWeights } from './graph-weights.js'
import { TIERS } from '../answer/tiers.js'

/** The options of `recall`. */
export const RECALL_KEYS: readonly (keyof RecallOptions)[] = [
  'k',
  'tierFloor',
  'session',
  'speaker',
  'source',
  'filter',
  'deep',
  'validAsOf',
  'transactionAsOf',
  'at',
  'minConfidence',
  'recencyWindow',
  'structured',
  'weights',
  'fold',
  'context',
  'budgetTokens',
  'goals',
  'goalBias',
  'asker',
  'traceAttention',
  'whole',
  'graph',
  ...SENSES,
  'own',
  'latents',
  'modality',
  'learn',
  'signal',
]
const DEFAULT_K = 10
const MAX_K = 1_000
const MAX_CONTEXT = 10
const MAX_BUDGET = 1_000_000
const MAX_GOALS = 16
const GOAL_BIAS = 0.3

/**
 * Checks a cue and its options, and fills in the defaults. There may be no cue where there is a pattern.
 *
 * @param now epoch milliseconds.
 * @param mayBeOpen whether a pattern counts that gives no part.
 * @throws AgidbError with the code of what is wrong.
 */
export function toQuestion(
  cue: string | undefined,
  options: RecallOptions,
  now: number,
  limits: Limits,
  mayBeOpen = false,
): Question {
  checkKeys('recall', options, RECALL_KEYS)
  checkSignal(options.signal)
  const { k = DEFAULT_K, tierFloor = 'nearest', recencyWindow, structured, weights, traceAttention = false } = options
  const {
    fold = true,
    context = 0,
    budgetTokens,
    goals = [],
    goalBias = GOAL_BIAS,
    asker,
    whole = false,
    minConfidence = 0,
    learn = true,
    modality = 'text',
  } = options
  checkWhole('k', k, 1, MAX_K)
  checkChoice('tierFloor', tierFloor, TIERS)
  checkChoice('traceAttention', traceAttention, [true, false])
  checkChoice('fold', fold, [true, false])
  checkChoice('whole', whole, [true, false])
  checkFlag('learn', learn)
  checkWhole('context', context, 0, MAX_CONTEXT)
  if (budgetTokens !== undefined) checkWhole('budgetTokens', budgetTokens, 1, MAX_BUDGET)
  checkGoals(goals, limits)
  checkNumber('goalBias', goalBias, 0, 1)
  checkNumber('minConfidence', minConfidence, 0, 1)
  checkName('asker', asker, limits)
  const { filter, ...belonging } = checkNarrowing(options, limits)
  if (recencyWindow !== undefined) checkNumber('recencyWindow', recencyWindow, 1, Number.MAX_VALUE)
  checkKeys('structured', structured, ['subject', 'predicate', 'object'])
  for (const [part, name] of Object.entries(structured ?? {})) checkName(`structured.${part}`, name, limits)
  const pattern =
    structured !== undefined && (mayBeOpen || Object.values(structured).some((part) => part !== undefined))
      ? structured
      : undefined
  const isPatternAlone = (cue === undefined || cue === '') && pattern !== undefined
  const isWithoutCue = isPatternAlone || (!cue && isPerceived(options))
  if (!isWithoutCue || modality !== 'text') checkCue(cue, limits)
  checkWeights(weights, pattern !== undefined, isPatternAlone)
  const time = (what: 'validAsOf' | 'transactionAsOf') =>
    options[what] === undefined ? undefined : toMillis(options[what], what)
  const within = toSpan(options.at, 'at')
  return {
    cue: isWithoutCue || modality !== 'text' ? '' : cue!,
    k,
    tierFloor,
    visibility: {
      ...belonging,
      within,
      validAsOf: time('validAsOf'),
      transactionAsOf: time('transactionAsOf'),
      now,
    },
    now,
    traceAttention,
    fold,
    context,
    goals,
    goalBias,
    minConfidence,
    ...toGraphWeights(options.graph),
    ...(filter !== undefined && { filter }),
    ...toDocumentScope(options),
    ...(asker !== undefined && { asker }),
    ...(recencyWindow !== undefined && { recencyWindow }),
    ...(pattern !== undefined && { pattern }),
    ...(weights !== undefined && { weights }),
  }
}

/** Whether a picture, a sound or something else that is perceived is asked for. */
export function isPerceived(options: RecallOptions): boolean {
  return ([...SENSES, 'own', 'latents'] as const).some((key) => options[key] !== undefined)
}

/** Weights mix a pattern and a cue, so both must be there. */
function checkWeights(weights: RecallOptions['weights'], hasPattern: boolean, isPatternAlone: boolean): void {
  if (weights === undefined) return
  checkKeys('weights', weights, ['structured', 'fuzzy'])
  if (!hasPattern)
    throw invalid('weights say how structured and fuzzy evidence mix, so they need a structured pattern', {
      option: 'weights',
    })
  if (isPatternAlone)
    throw invalid('weights say how a pattern and a cue mix, and there is no cue; give one, or leave weights out', {
      option: 'weights',
    })
  checkNumber('weights.structured', weights.structured, 0, 1)
  checkNumber('weights.fuzzy', weights.fuzzy, 0, 1)
  if (weights.structured + weights.fuzzy === 0)
    throw invalid('weights.structured and weights.fuzzy are both 0, so that nothing counts; give one of them more', {
      option: 'weights',
    })
}

function checkCue(cue: string | undefined, limits: Limits): void {
  if (cue === undefined)
    throw invalid('the cue is undefined; give one, or look for a structured pattern, a picture or a sound', {
      what: 'cue',
    })
  checkText('cue', cue, limits, 'cueBytes')
}

/** Which entries of documents are asked. */
function toDocumentScope({ deep }: RecallOptions): Pick<Question, 'documents'> {
  checkFlag('deep', deep)
  return deep === true ? { documents: { deep } } : {}
}

function checkGoals(goals: unknown, limits: Limits): void {
  if (!Array.isArray(goals)) throw invalid('goals must be an array of texts', { option: 'goals' })
  if (goals.length > MAX_GOALS)
    throw invalid(`goals has ${goals.length} texts; expected at most ${MAX_GOALS}`, { option: 'goals' })
  for (const [i, goal] of goals.entries()) checkText(`goals[${i}]`, goal, limits, 'cueBytes')
}
