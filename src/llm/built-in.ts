import { checkFlag, checkKeys } from '../api/check.js'
import type { LlmProvider } from '../api/llm.js'
import { AgidbError } from '../base/errors.js'
import { functionLlm, type FunctionLlmOptions } from './function.js'
import { wrongAnswer } from './request.js'

/** A conversation with the model of the browser (Prompt API of the Web Machine Learning Community Group). */
interface Session {
  prompt(text: string, options: { readonly responseConstraint?: object; readonly signal: AbortSignal }): Promise<string>
  destroy(): void
}

/** `LanguageModel` of the Prompt API, as far as it is used. */
interface BuiltInModel {
  availability(): Promise<'unavailable' | 'downloadable' | 'downloading' | 'available'>
  create(options: {
    readonly initialPrompts: readonly { readonly role: 'system'; readonly content: string }[]
    readonly signal: AbortSignal
  }): Promise<Session>
}

/** Options of {@link builtInLlm}. */
export interface BuiltInLlmOptions extends Pick<FunctionLlmOptions, 'timeoutMs'> {
  /** Whether the browser may download its model, some gigabytes, when it is first asked. Default false. */
  readonly download?: boolean
}

/**
 * The language model that the browser brings along, where it brings one (`LanguageModel`): nothing leaves the machine.
 * `maxTokens` of a request is not heeded, since the browser has no such option.
 *
 * @throws AgidbError `AGIDB_UNSUPPORTED` where there is none; `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION`.
 * `complete` throws as that of {@link functionLlm}; `details.reason` is `unavailable` where the model cannot run here
 * or is not downloaded
 */
export function builtInLlm(options: BuiltInLlmOptions = {}): LlmProvider {
  checkKeys('builtInLlm', options, ['download', 'timeoutMs'])
  checkFlag('download', options.download)
  const { download = false, timeoutMs } = options
  const model = (globalThis as { LanguageModel?: BuiltInModel }).LanguageModel
  if (typeof model?.create !== 'function')
    throw new AgidbError(
      'AGIDB_UNSUPPORTED',
      'this runtime brings no language model along (LanguageModel); use ollamaLlm, openaiLlm or functionLlm',
    )
  const id = 'built-in'
  return functionLlm(
    async ({ system, prompt, schema, signal }) => {
      const state = await model.availability()
      if (state === 'unavailable') throw wrongAnswer(id, 'cannot run on this device', 'unavailable')
      if (state !== 'available' && !download)
        throw wrongAnswer(id, 'is not downloaded; builtInLlm({ download: true }) allows it', 'unavailable')
      const session = await model.create({ initialPrompts: [{ role: 'system', content: system }], signal })
      try {
        return await session.prompt(prompt, { ...(schema !== undefined && { responseConstraint: schema }), signal })
      } finally {
        session.destroy()
      }
    },
    { id, ...(timeoutMs !== undefined && { timeoutMs }) },
  )
}
