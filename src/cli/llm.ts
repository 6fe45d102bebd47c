import type { LlmProvider } from '../api/llm.js'
import type { LlmSettings } from '../config/settings.js'
import { ollamaLlm, openaiLlm } from '../llm/index.js'

/** A server without an address is where it is by default. */
type Wanted = Pick<LlmSettings, 'provider' | 'model'> & Partial<LlmSettings>

/**
 * The language model of a configuration. It is asked nothing before it is needed.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`
 */
export function llmOf({ provider, model, baseUrl, apiKey }: Wanted): LlmProvider {
  const make = provider === 'ollama' ? ollamaLlm : openaiLlm
  return make({ model, url: baseUrl, apiKey })
}
