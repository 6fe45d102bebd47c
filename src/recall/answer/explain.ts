import { SENSES } from '../../api/encoder.js'
import { checkChoice, checkId, checkKeys, invalid } from '../../api/check.js'
import type { ExplainOptions, Explanation, QuestionPart } from '../../api/explanation.js'
import type { Limits } from '../../api/open-options.js'
import type { Recall, RecallId } from '../../api/recall.js'
import { AgidbError } from '../../base/errors.js'

/** A question that was asked. */
export interface AskedQuestion {
  /** The parts that it has. */
  readonly parts: readonly QuestionPart[]
  /** Whether it asks for a statement, too. */
  readonly hasPattern: boolean
  /** Asks it again, of the memory as it is now, without some part. Nothing is learned from it. */
  readonly again: (without?: QuestionPart) => Promise<Recall>
}

/**
 * See `explain` of `RecallMethods`.
 *
 * @param asked the questions that are kept, by the ids of their recalls
 */
export async function explain(
  asked: ReadonlyMap<RecallId, AskedQuestion>,
  id: RecallId,
  options: ExplainOptions,
  limits: Limits,
): Promise<Explanation> {
  checkId('recallId', id, limits)
  checkKeys('explain', options, ['without'])
  const { without } = options
  const question = asked.get(id)
  if (question === undefined) throw notKept(id, limits)
  if (without !== undefined) checkChoice('without', without, [...new Set(['text', ...SENSES, ...question.parts])])
  if (question.parts.every((part) => part === without) && !question.hasPattern)
    throw invalid(`the recall asked by ${without} alone, so that nothing is left to ask without it`, {
      option: 'without',
    })
  const whole = await question.again()
  if (without === undefined) return explanation(id, whole)
  // A part that the question does not have changes nothing.
  const isThere = question.parts.includes(without)
  return { ...explanation(id, whole, isThere ? await question.again(without) : whole), without }
}

function notKept(id: RecallId, { traces }: Limits): AgidbError {
  const message =
    `there is no recall ${JSON.stringify(id)} among the last ${traces} of this memory since it was opened; explain ` +
    'takes the `id` of an answer of recall or neurosymbolicQuery'
  return new AgidbError('AGIDB_NOT_FOUND', message, { id })
}

function explanation(id: RecallId, whole: Recall, without?: Recall): Explanation {
  const [before, after] = [standings(whole), standings(without)]
  const ids = new Set([...before.keys(), ...after.keys()])
  return {
    recall: id,
    matches: [...ids].map((id) => {
      const [whole, without] = [before.get(id), after.get(id)]
      return { id, ...(whole && { whole }), ...(without && { without }) }
    }),
  }
}

function standings(answer: Recall | undefined) {
  const matches = answer?.matches ?? []
  return new Map(
    matches.map(({ id, confidence, signals }, i) => {
      const score = Object.values(signals).reduce((sum, value) => sum + value, 0)
      return [id, { rank: i + 1, score, confidence, signals }]
    }),
  )
}
