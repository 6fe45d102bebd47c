import type { Encoder, EncoderInput, Sense, SentenceEncoder, Thumbnail } from '../../api/encoder.js'
import { AgidbError } from '../../base/errors.js'

/** An encoder that also takes texts. */
export type WithTexts<S extends Sense> = Encoder<S> & Required<Pick<Encoder<S>, 'encodeText'>>

/** Two towers in one space: of inputs of a sense, and of texts. */
export class DualEncoder<S extends Sense> implements Encoder<S> {
  readonly modality: S
  /** The id of the tower of inputs, which alone makes what is stored. */
  readonly id: string
  readonly dimension: number
  readonly #inputs: Encoder<S>
  readonly #texts: SentenceEncoder

  private constructor(inputs: Encoder<S>, texts: SentenceEncoder) {
    this.modality = inputs.modality
    this.id = inputs.id
    this.dimension = inputs.dimension
    this.#inputs = inputs
    this.#texts = texts
  }

  /**
   * Waits for both towers. When one of them fails, the other is closed.
   *
   * @throws AgidbError `AGIDB_ENCODER` for towers whose latents differ in length; what the towers throw
   */
  static async of<S extends Sense>(
    inputs: Promise<Encoder<S>>,
    texts: Promise<SentenceEncoder>,
  ): Promise<DualEncoder<S>> {
    const [seen, read] = await Promise.allSettled([inputs, texts])
    const made = [seen, read].flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    const close = () => Promise.all(made.map((tower) => tower.close()))
    if (seen.status === 'rejected' || read.status === 'rejected') {
      await close()
      throw (seen.status === 'rejected' ? seen : (read as PromiseRejectedResult)).reason
    }
    const [one, other] = [seen.value, read.value]
    if (one.dimension === other.dimension) return new DualEncoder(one, other)
    await close()
    const message =
      `the ${one.modality} tower gives ${one.dimension} numbers, the text tower ${other.dimension}; ` +
      'give two models of one space, and the outputs that are in it'
    throw new AgidbError('AGIDB_ENCODER', message, { [one.modality]: one.dimension, text: other.dimension })
  }

  encode(inputs: readonly EncoderInput<S>[]): Promise<Float32Array[]> {
    return this.#inputs.encode(inputs)
  }

  encodeText(texts: readonly string[]): Promise<Float32Array[]> {
    return this.#texts.encode(texts)
  }

  thumbnail(input: EncoderInput<S>): Promise<Thumbnail> {
    return this.#inputs.thumbnail!(input)
  }

  async close(): Promise<void> {
    await Promise.all([this.#inputs.close(), this.#texts.close()])
  }
}
