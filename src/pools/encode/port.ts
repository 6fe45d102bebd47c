import type { Made } from '../../indexes/signature-set.js'
import type { KernelSource } from '../../kernel/loading.js'

/** What of an episode its signatures are made of: its text, and who said it. */
export type TextToEncode = readonly [text: string, head: string | undefined]

/** What the signatures are made with, in a form that crosses to another thread. */
export interface EncodeConfig {
  readonly kernel: KernelSource
  /** The bytes of the codebook, if there is one. */
  readonly codebook?: Uint8Array
}

/** What was made of texts. */
export interface EncodedTexts {
  /** Which of them have a signature, by space. */
  readonly made: Made
  /** Bytes of memory that the thread has now. */
  readonly bytes: number
}

/** What a thread that makes signatures exposes. Calls are answered in the order in which they were made. */
export interface EncodeHost {
  /** Loads what it needs. Rejects when that is not there. */
  open(config: EncodeConfig): Promise<void>
  /** Makes the signatures of texts as `Indexes.encodeMany` does, into memory that is shared. */
  encode(texts: readonly TextToEncode[], into: Uint8Array): Promise<EncodedTexts>
}

/** A thread that makes signatures. */
export interface EncodeThread {
  readonly host: EncodeHost
  /** Ends the thread at once and gives its memory back. */
  end(): void
}

/**
 * Starts a thread. `failed` is called when it ends by itself or cannot start; calls to it may then never be answered.
 */
export type StartEncodeThread = (failed: () => void) => EncodeThread
