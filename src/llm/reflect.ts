import type { Agidb } from '../api/agidb.js'
import type { LlmProvider } from '../api/llm.js'
import type { ThinkReport } from '../api/think.js'

/**
 * Has a model reflect on a memory: it gets the briefing of `entries.priming` and answers what occupies the agent, which
 * entries belong together, and what is to be learned. That is written as entries; then entries age. A wrong answer
 * changes nothing.
 *
 * @throws AgidbError `AGIDB_LLM` when the model cannot be reached, or answers with something else
 */
export async function reflect(
  db: Pick<Agidb, 'entries'>,
  model: LlmProvider,
  options: { readonly signal?: AbortSignal } = {},
): Promise<ThinkReport> {
  const { request, ids } = await db.entries.reflection()
  const answer = await model.complete({ ...request, ...(options.signal && { signal: options.signal }) })
  return db.entries.reflect(answer, ids)
}
