/**
 * Turns texts into latents that are close where the texts mean the same. `agidb/onnx` makes one of an ONNX model; any
 * object with these members will do.
 *
 * The latent of a text must be a function of the text alone: what is remembered beside it must leave no trace in it.
 */
export interface SentenceEncoder {
  /** SHA-256 of the model, 64 hexadecimal digits: latents of different models cannot be compared. */
  readonly id: string
  /** Numbers a latent, 1 to 8,192. */
  readonly dimension: number
  /** Milliseconds that a recall waits for the latent of its cue; later it goes on without. Default 100. */
  readonly cueMs?: number
  /**
   * The latents of texts, in order, each of unit length. Calls may overlap. A call with one text should overtake one
   * with many: somebody waits for it.
   */
  encode(texts: readonly string[]): Promise<Float32Array[]>
  /** Lets go of the model. A database does not call this: several may share an encoder. */
  close(): Promise<void>
}

/** How far the encoding of a database's memories has come. */
export interface EncoderStats {
  /** {@link SentenceEncoder.id} */
  readonly id: string
  readonly dimension: number
  /** Memories that can be found by their latent. */
  readonly encoded: number
  /**
   * Memories that still wait; with an {@link EncoderStats.error | error} they wait until the database is opened again.
   */
  readonly pending: number
  /** Why the encoder is used no more. */
  readonly error?: string
}
