import { address, flag, oneOf, secret, text, whole, type ValueKind } from './value.js'

/** A setting: its key in a file and its variable of the environment. */
export interface SettingRow<T> {
  /** The path in a file: `llm.model`. */
  readonly key: string
  /** The variable without `AGIDB_`. */
  readonly variable: string
  readonly kind: ValueKind<T>
  /** Only with this kind of embedder. */
  readonly embedder?: string
  /** Whether it stands in no error. */
  readonly isSecret?: boolean
}

const row = <T>(
  key: string,
  variable: string,
  kind: ValueKind<T>,
  more: Pick<SettingRow<T>, 'embedder' | 'isSecret'> = {},
): SettingRow<T> => ({ key, variable, kind, ...more })

/** All settings. */
export const ROWS = {
  dataDir: row('data_dir', 'DATA_DIR', text),
  embedder: row('embedder.type', 'EMBEDDER', oneOf(['codebook', 'onnx', 'ollama', 'openai'], { fastembed: 'onnx' })),
  onnxModel: row('embedder.model', 'FASTEMBED_MODEL', text, { embedder: 'onnx' }),
  ollamaModel: row('embedder.model', 'OLLAMA_MODEL', text, { embedder: 'ollama' }),
  ollamaUrl: row('embedder.base_url', 'OLLAMA_URL', address, { embedder: 'ollama' }),
  openaiModel: row('embedder.model', 'OPENAI_MODEL', text, { embedder: 'openai' }),
  openaiUrl: row('embedder.base_url', 'OPENAI_URL', address, { embedder: 'openai' }),
  openaiKey: row('embedder.api_key', 'OPENAI_API_KEY', secret, { embedder: 'openai', isSecret: true }),
  dimensions: row('embedder.dimensions', 'EMBEDDER_DIMENSIONS', whole(1, 8192)),
  llmProvider: row('llm.provider', 'LLM_PROVIDER', oneOf(['ollama', 'openai'])),
  llmModel: row('llm.model', 'LLM_MODEL', text),
  llmBaseUrl: row('llm.base_url', 'LLM_BASE_URL', address),
  llmApiKey: row('llm.api_key', 'LLM_API_KEY', secret, { isSecret: true }),
  summarizer: row('summarizer', 'SUMMARIZER', oneOf(['extractive', 'none', 'llm'])),
  host: row('host', 'HOST', text),
  port: row('port', 'PORT', whole(0, 65_535)),
  searchTopK: row('search_top_k', 'SEARCH_TOP_K', whole(1, 100)),
  searchChildrenK: row('search_children_k', 'SEARCH_CHILDREN_K', whole(0, 100)),
  readOnly: row('read_only', 'READ_ONLY', flag),
} as const

/** The keys that a file may have. */
export const KEYS: readonly string[] = [...new Set(Object.values(ROWS).map(({ key }) => key))]
