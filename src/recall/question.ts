import { checkChoice, checkKeys, checkName, checkNumber, checkSignal, checkText, checkWhole, invalid } from '../core/check.js'
import type { Limits } from '../core/agidb.js'
import type { RecallOptions } from '../core/recall.js'
import { toMillis } from '../core/time.js'
import type { Question } from './recall.js'
import { TIERS } from './tiers.js'

const KEYS: readonly (keyof RecallOptions)[] = [
  'k', 'tierFloor', 'session', 'speaker', 'source', 'validAsOf', 'transactionAsOf', 'recencyWindow', 'structured', 'weights', 'fold', 'context',
  'budgetTokens', 'goals', 'goalBias', 'asker', 'traceAttention', 'whole', 'signal',
]
const DEFAULT_K = 10
const MAX_K = 1_000
const MAX_CONTEXT = 10
const MAX_BUDGET = 1_000_000
const MAX_GOALS = 16
const GOAL_BIAS = 0.3

/**
 * Checks a cue and its options, and fills in the defaults.
 *
 * @param now epoch milliseconds.
 * @throws AgidbError with the code of what is wrong.
 */
export function toQuestion(cue: string, options: RecallOptions, now: number, limits: Limits): Question {
  checkText('cue', cue, limits, 'cueBytes')
  checkKeys('recall', options, KEYS)
  checkSignal(options.signal)
  const { k = DEFAULT_K, tierFloor = 'nearest', session, speaker, source, recencyWindow, structured, weights, traceAttention = false } = options
  const { fold = true, context = 0, budgetTokens, goals = [], goalBias = GOAL_BIAS, asker, whole = false } = options
  checkWhole('k', k, 1, MAX_K)
  checkChoice('tierFloor', tierFloor, TIERS)
  checkChoice('traceAttention', traceAttention, [true, false])
  checkChoice('fold', fold, [true, false])
  checkChoice('whole', whole, [true, false])
  checkWhole('context', context, 0, MAX_CONTEXT)
  if (budgetTokens !== undefined) checkWhole('budgetTokens', budgetTokens, 1, MAX_BUDGET)
  checkGoals(goals, limits)
  checkNumber('goalBias', goalBias, 0, 1)
  for (const [what, name] of Object.entries({ session, speaker, source, asker })) checkName(what, name, limits)
  if (recencyWindow !== undefined) checkNumber('recencyWindow', recencyWindow, 1, Number.MAX_VALUE)
  checkKeys('structured', structured, ['subject', 'predicate', 'object'])
  for (const [part, name] of Object.entries(structured ?? {})) checkName(`structured.${part}`, name, limits)
  const pattern = structured !== undefined && Object.values(structured).some((part) => part !== undefined) ? structured : undefined
  if (weights !== undefined) {
    checkKeys('weights', weights, ['structured', 'fuzzy'])
    if (pattern === undefined) throw invalid('weights say how structured and fuzzy evidence mix, so they need a structured pattern', { option: 'weights' })
    checkNumber('weights.structured', weights.structured, 0, 1)
    checkNumber('weights.fuzzy', weights.fuzzy, 0, 1)
  }
  const time = (what: 'validAsOf' | 'transactionAsOf') => (options[what] === undefined ? undefined : toMillis(options[what], what))
  return {
    cue,
    k,
    tierFloor,
    visibility: { session, speaker, source, validAsOf: time('validAsOf'), transactionAsOf: time('transactionAsOf'), now },
    now,
    traceAttention,
    fold,
    context,
    goals,
    goalBias,
    ...(budgetTokens !== undefined && { budgetTokens }),
    ...(asker !== undefined && { asker }),
    ...(recencyWindow !== undefined && { recencyWindow }),
    ...(pattern !== undefined && { pattern }),
    ...(weights !== undefined && { weights }),
  }
}

function checkGoals(goals: unknown, limits: Limits): void {
  if (!Array.isArray(goals)) throw invalid('goals must be an array of texts', { option: 'goals' })
  if (goals.length > MAX_GOALS) throw invalid(`goals has ${goals.length} texts; expected at most ${MAX_GOALS}`, { option: 'goals' })
  for (const [i, goal] of goals.entries()) checkText(`goals[${i}]`, goal, limits, 'cueBytes')
}
