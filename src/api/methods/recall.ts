import type { ExplainOptions, Explanation } from '../explanation.js'
import type { NeurosymbolicOptions, NeurosymbolicQuery } from '../neurosymbolic.js'
import { withPlainSound } from '../plain-sound.js'
import type { AttentionTrace, Recall, RecallId, RecallOptions, RecallWithPrompt } from '../recall.js'
import type { Registration } from './method.js'

/** The methods of recall. */
export interface RecallMethods {
  /**
   * The memories that answer a cue, best first. To look for a statement alone, give an empty cue and `structured`.
   *
   * @throws AgidbError `AGIDB_INVALID_TEXT` for an empty cue without `structured`, `AGIDB_INVALID_ARGUMENT`,
   * `AGIDB_INVALID_TIME` or `AGIDB_UNKNOWN_OPTION` for wrong options, `AGIDB_TOO_LARGE`, `AGIDB_ABORTED`.
   */
  recall(cue: string | undefined, options: RecallOptions & { readonly budgetTokens: number }): Promise<RecallWithPrompt>
  recall(cue: string | undefined, options?: RecallOptions): Promise<Recall>
  /**
   * The memories that have a statement, that answer a cue, or both. With a pattern alone, or `fuzzy: 0`, the matches
   * are exactly the episodes with a statement that fits the pattern; with a cue alone, or `structured: 0`, the answer
   * is that of `recall`; with both, statements that fit lift what the cue finds. A match that fits has the `statement`
   * that does.
   *
   * @throws AgidbError as `recall` does; `AGIDB_INVALID_ARGUMENT` also for weights without both a pattern and a cue to
   * weigh.
   */
  neurosymbolicQuery(query: NeurosymbolicQuery, options?: NeurosymbolicOptions): Promise<Recall>
  /**
   * How the matches of a recall come about: of each its rank, its score and what each signal contributed. With
   * `without` the question is asked once more without its words, its picture or its sound, and each match has its
   * place in that answer, too. Both are answers of the memory as it is now, and teach it nothing.
   *
   * @param recallId the `id` of an answer of `recall` or `neurosymbolicQuery`: of the last `limits.traces` (default
   * 64) since the memory was opened.
   * @throws AgidbError `AGIDB_NOT_FOUND` for another id; `AGIDB_INVALID_ARGUMENT` for a wrong part, and where nothing
   * is left to ask; `AGIDB_UNKNOWN_OPTION`.
   */
  explain(recallId: RecallId, options?: ExplainOptions): Promise<Explanation>
  /**
   * What a recall with `traceAttention` considered, without the episodes that were forgotten since. Kept in main memory
   * for the last `limits.traces` of them (default 64), until the database is closed; `undefined` for any other.
   */
  attentionTrace(recallId: RecallId): Promise<AttentionTrace | undefined>
}

const asked = ([cue, options, ...rest]: readonly unknown[]) => [cue, withPlainSound(options), ...rest]

export const recallMethods: Registration<RecallMethods> = {
  recall: { effect: 'reads', crossing: asked, interruption: { options: 1, rejects: 'at-once' } },
  neurosymbolicQuery: { effect: 'reads', crossing: asked, interruption: { options: 1, rejects: 'at-once' } },
  explain: { effect: 'reads' },
  attentionTrace: { effect: 'reads' },
}
