import { checkChoice, checkId, checkKeys, invalid } from '../api/check.js'
import { type ExplainOptions, type Explanation, QUESTION_PARTS, type QuestionPart } from '../api/explanation.js'
import type { Limits } from '../api/open-options.js'
import type { Recall, RecallId } from '../api/recall.js'
import { AgidbError } from '../base/errors.js'

/** A question that was asked. */
export interface AskedQuestion {
  /** The parts that it has. */
  readonly parts: readonly QuestionPart[]
  /** Whether it asks for a statement, too. */
  readonly hasPattern: boolean
  /** Asks it again, of the memory as it is now, without some part. Nothing is learned from it. */
  readonly again: (without?: QuestionPart) => Promise<Recall>
}

/** The questions of the newest recalls, in main memory, so that they can be explained. */
export class AskedQuestions {
  readonly #limits: Limits
  /** In the order in which they were asked. */
  readonly #asked = new Map<RecallId, AskedQuestion>()

  constructor(limits: Limits) {
    this.#limits = limits
  }

  keep(id: RecallId, question: AskedQuestion): void {
    this.#asked.set(id, question)
    for (const oldest of this.#asked.keys()) {
      if (this.#asked.size <= this.#limits.traces) break
      this.#asked.delete(oldest)
    }
  }

  /** See `explain` of `RecallMethods`. */
  async explain(id: RecallId, options: ExplainOptions = {}): Promise<Explanation> {
    checkId('recallId', id, this.#limits)
    checkKeys('explain', options, ['without'])
    const { without } = options
    if (without !== undefined) checkChoice('without', without, QUESTION_PARTS)
    const question = this.#asked.get(id)
    if (question === undefined) throw this.#notKept(id)
    const isAll = question.parts.every((part) => part === without) && !question.hasPattern
    if (isAll)
      throw invalid(`the recall asked by ${without} alone, so that nothing is left to ask without it`, {
        option: 'without',
      })
    const whole = await question.again()
    if (without === undefined) return explanation(id, whole)
    // A part that the question does not have changes nothing.
    const isThere = question.parts.includes(without)
    return { ...explanation(id, whole, isThere ? await question.again(without) : whole), without }
  }

  #notKept(id: RecallId): AgidbError {
    const message =
      `there is no recall ${JSON.stringify(id)} among the last ${this.#limits.traces} of this memory since it was ` +
      'opened; explain takes the `id` of an answer of recall'
    return new AgidbError('AGIDB_NOT_FOUND', message, { id })
  }
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
