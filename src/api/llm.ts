/** A request to a language model. */
export interface LlmRequest {
  /** What the model is to do. */
  readonly system: string
  /** What it is to do it with. Data of the memory stand in it as data, never as instructions. */
  readonly prompt: string
  /** The answer is to be JSON of this schema (JSON Schema). Absent: text. */
  readonly schema?: Readonly<Record<string, unknown>>
  /** The most tokens of the answer. */
  readonly maxTokens?: number
  readonly signal?: AbortSignal
}

/** A language model, wherever it runs. */
export interface LlmProvider {
  /** What messages and what it writes call it: `ollama/llama3.2`. */
  readonly id: string
  /**
   * Answers a request with text.
   *
   * @throws AgidbError `AGIDB_LLM` when the model cannot be reached or refuses
   */
  complete(request: LlmRequest): Promise<string>
}
