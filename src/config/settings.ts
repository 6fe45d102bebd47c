/** What the command line and a server are told: see docs/configuration.md. */
export interface Settings {
  /** The folder of the memory. */
  readonly dataDir: string
  readonly embedder: EmbedderSettings
  readonly llm: LlmSettings
  /** What makes summaries of documents; `llm`: the language model. */
  readonly summarizer: 'extractive' | 'none' | 'llm'
  /** Where a server listens. */
  readonly host: string
  /** 0 to 65,535; 0 lets the system choose. */
  readonly port: number
  /** Results of a search, 1 to 100. */
  readonly searchTopK: number
  /** Children of each result, 0 to 100. */
  readonly searchChildrenK: number
  /** Whether nothing may be written. */
  readonly readOnly: boolean
}

/** What makes latents of texts. */
export interface EmbedderSettings {
  /** `codebook`: nothing beside agidb. `onnx`: a model in a folder. `ollama`, `openai`: a server. */
  readonly type: 'codebook' | 'onnx' | 'ollama' | 'openai'
  /** The name of a server's model, or the folder of an ONNX model with its `tokenizer.json`. */
  readonly model?: string
  readonly baseUrl?: string
  readonly apiKey?: string
  readonly dimensions?: number
}

/** The language model that a reflection asks, and summaries of documents where the configuration says so. */
export interface LlmSettings {
  readonly provider: 'ollama' | 'openai'
  readonly model: string
  readonly baseUrl: string
  readonly apiKey?: string
}

/** Where a value was said: in a variable of the environment, in a file, or nowhere. */
export type Origin =
  | { readonly kind: 'environment'; readonly variable: string }
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'default' }

/** Settings, and where each value was said. */
export interface Configuration {
  readonly settings: Settings
  /** The file that was read. Absent: there is none. */
  readonly file?: string
  /** By the key of a setting: `llm.model`. */
  readonly origins: Readonly<Record<string, Origin>>
}
