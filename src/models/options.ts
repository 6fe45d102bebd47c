/** A file: its bytes; a URL; or a text, which is a URL in a browser, and a URL or a path elsewhere. */
export type FileSource = Uint8Array<ArrayBuffer> | ArrayBuffer | URL | string

/** A `Worker` of a browser. */
export interface EncoderWorker {
  postMessage(message: unknown): void
  terminate(): void
}

/** Options of `sentenceEncoder`. */
export interface EncoderOptions {
  /**
   * The model, a sentence encoder in ONNX: `input_ids`, `attention_mask` and perhaps `token_type_ids` of 64 bits in;
   * out a vector for each token, of which the mean is taken, or one for the text.
   */
  readonly model: FileSource
  /** Its tokenizer, a `tokenizer.json` of Hugging Face. */
  readonly tokenizer: FileSource
  /**
   * What the files must be, as SHA-256 in hexadecimal digits. A file from a URL is cached only with it. Default: not
   * checked.
   */
  readonly sha256?: { readonly model?: string; readonly tokenizer?: string }
  /** Tokens of a text that count; the rest of it is left out. Default: what the tokenizer says, or else 256. */
  readonly maxTokens?: number
  /** Milliseconds that a recall waits for its cue; later it goes on without. Default 100. */
  readonly cueMs?: number
  /**
   * Where files from URLs are kept, by their SHA-256. In Node and Deno a folder; default: nowhere. In a browser the
   * origin private file system, or the Cache API where it has none; `false`: nowhere.
   */
  readonly cache?: string | false
  /**
   * The URL of `onnxruntime-web/ort-wasm-simd-threaded.wasm`, for a bundler that loses it. Default: beside ONNX
   * Runtime.
   */
  readonly wasm?: URL | string
  /**
   * `false`: encode in this thread, which each text then holds up (Node and Deno only). A worker that runs
   * `agidb/onnx/worker`, or a function that makes one: for a bundler that does not understand
   * `new Worker(new URL(…, import.meta.url))` (browsers only). Default: a worker of its own.
   */
  readonly worker?: false | EncoderWorker | (() => EncoderWorker)
}

/** The options in the form in which they cross to a worker, checked: no functions, and a URL as its text. */
export interface Loading {
  readonly model: Uint8Array<ArrayBuffer> | ArrayBuffer | string
  readonly tokenizer: Uint8Array<ArrayBuffer> | ArrayBuffer | string
  readonly sha256: { readonly model?: string; readonly tokenizer?: string }
  readonly maxTokens?: number
  readonly cache?: string | false
  readonly wasm?: string
  /** The name of the output that is asked for. Default: that of a sentence encoder, or else the first. */
  readonly output?: string
  readonly padding?: Padding
}

/** What shorter texts are filled up with, for a model that takes so many tokens and no fewer. */
export interface Padding {
  /** Tokens of every text, 8 to 65,536. */
  readonly length: number
  /** The id of the token that follows the text. */
  readonly token: number
}
