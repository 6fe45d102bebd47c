import { checkKeys, checkName, checkWhole, DEFAULT_LIMITS, invalid } from '../api/check.js'
import type { LlmProvider, LlmRequest } from '../api/llm.js'
import { withDeadline } from '../base/deadline.js'
import { AgidbError } from '../base/errors.js'
import { answerOf, checkRequest, DEFAULT_TIMEOUT_MS, wrongAnswer } from './request.js'

/** Answers a request with text. Its `signal` fires when nobody waits any more. */
export type AskLlm = (request: LlmRequest & { readonly signal: AbortSignal }) => string | Promise<string>

/** Options of {@link functionLlm}. */
export interface FunctionLlmOptions {
  /** What messages and what it writes call it. Default `function`. */
  readonly id?: string
  /** Milliseconds that an answer may take, 1 to 3,600,000. Default 120,000. */
  readonly timeoutMs?: number
}

/**
 * A language model that is a function of the application's: a service of its own, or a recorded answer in a test.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION`. `complete` throws `AGIDB_LLM` where the function
 * throws (`cause`), takes too long, or answers with something else than up to 1 MB of text; `AGIDB_ABORTED`
 */
export function functionLlm(ask: AskLlm, options: FunctionLlmOptions = {}): LlmProvider {
  checkKeys('functionLlm', options, ['id', 'timeoutMs'])
  if (typeof ask !== 'function') throw invalid('functionLlm takes a function that answers a request with text')
  const { id = 'function', timeoutMs = DEFAULT_TIMEOUT_MS } = options
  checkName('id', id, DEFAULT_LIMITS)
  checkWhole('timeoutMs', timeoutMs, 1, 3_600_000)
  const late = () => wrongAnswer(id, `did not answer within ${timeoutMs.toLocaleString('en')} ms`, 'timeout')
  return {
    id,
    async complete(request) {
      checkRequest(request)
      const answer = await withDeadline({ timeoutMs, signal: request.signal, late }, (signal) =>
        asked(id, () => ask({ ...request, signal })),
      )
      return answerOf(id, answer, request)
    },
  }
}

/** The answer of a function. @throws AgidbError `AGIDB_LLM` where it throws something else than an `AGIDB_LLM` */
async function asked(id: string, ask: () => string | Promise<string>): Promise<unknown> {
  try {
    return await ask()
  } catch (cause) {
    if (cause instanceof AgidbError && cause.code === 'AGIDB_LLM') throw cause
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new AgidbError(
      'AGIDB_LLM',
      `the language model ${id} failed: ${message}`,
      { id, reason: 'failed' },
      { cause },
    )
  }
}
