import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { checkString, invalid } from '../../api/check.js'
import type { SentenceEncoder } from '../../api/encoder.js'
import { AgidbError } from '../../base/errors.js'
import { encodeUtf8 } from '../../base/utf8.js'
import { MOST_NUMBERS, type HttpEncoding } from './options.js'
import { bytesOf } from './body.js'

/** What a server is asked, and what of its answer are the latents. */
export interface EncoderProtocol {
  /** Asks for the latents of texts, in an answer of up to `maxBytes`; its order is that of the texts. */
  ask(texts: readonly string[], maxBytes: number, signal: AbortSignal): Promise<readonly unknown[]>
}

/** A text that tells how many numbers a latent has. */
const PROBE = 'How long is a latent?'
/** Statuses of a server that does not take a text, or not so many. */
const NOT_TAKEN = [400, 413, 422]
/** What servers of other statuses say of a text that is too long. */
const TOO_LONG = /too (large|long)|context (length|size|window)|maximum (context|length)/i
/** A text of so few characters is too long for no model: something else is wrong with it. */
const SHORT_TEXT = 256

/** Latents from a server: texts go in batches, answers are checked to the last number and brought to unit length. */
export class HttpEncoder implements SentenceEncoder {
  readonly #encoding: HttpEncoding
  readonly #protocol: EncoderProtocol
  readonly #closing = new AbortController()
  id = ''
  dimension = 0

  constructor(encoding: HttpEncoding, protocol: EncoderProtocol) {
    this.#encoding = encoding
    this.#protocol = protocol
  }

  get cueMs(): number {
    return this.#encoding.cueMs
  }

  /** Learns how many numbers a latent has: from the options, or from the server. */
  async open(): Promise<this> {
    const { dimensions, model } = this.#encoding
    this.dimension = dimensions ?? lengthOf((await this.#ask([PROBE]))[0])
    this.id = bytesToHex(sha256(encodeUtf8(`agidb http encoder 1\n${model}\n${this.dimension}`)))
    return this
  }

  /**
   * @throws AgidbError `AGIDB_ENCODER` when the server cannot be reached, refuses, or answers with something else than
   * latents; `AGIDB_CLOSED`; `AGIDB_INVALID_ARGUMENT`
   */
  async encode(texts: readonly string[]): Promise<Float32Array[]> {
    if (!Array.isArray(texts)) throw invalid('texts must be an array of strings', { what: 'texts' })
    for (const [i, text] of (texts as readonly unknown[]).entries()) checkString(`texts[${i}]`, text)
    const latents: Float32Array[] = []
    for (let at = 0; at < texts.length; at += this.#encoding.batch)
      latents.push(...(await this.#latents(texts.slice(at, at + this.#encoding.batch))))
    return latents
  }

  close(): Promise<void> {
    this.#closing.abort()
    return Promise.resolve()
  }

  /** The latents of a batch. Of one that the server does not take, each half alone; of a text alone, its first half. */
  async #latents(texts: readonly string[]): Promise<Float32Array[]> {
    try {
      const answer = await this.#ask(texts)
      return answer.map((latent, i) => this.#latent(latent, i))
    } catch (error) {
      if (!isNotTaken(error)) throw error
      const half = Math.ceil(texts.length / 2)
      if (texts.length > 1)
        return [...(await this.#latents(texts.slice(0, half))), ...(await this.#latents(texts.slice(half)))]
      if (texts[0].length <= SHORT_TEXT) throw error
      return this.#latents([firstHalf(texts[0])])
    }
  }

  async #ask(texts: readonly string[]): Promise<readonly unknown[]> {
    const closed = () => new AgidbError('AGIDB_CLOSED', 'the encoder is closed; make another to use it')
    const { signal } = this.#closing
    if (signal.aborted) throw closed()
    try {
      // Some servers refuse a text that is empty.
      const answer = await this.#protocol.ask(
        texts.map((text) => (text.trim() === '' ? '.' : text)),
        bytesOf(texts.length, this.dimension || MOST_NUMBERS),
        signal,
      )
      if (answer.length !== texts.length)
        throw wrong(`answers ${texts.length} texts with ${answer.length} latents`, this.#encoding)
      return answer
    } catch (error) {
      throw signal.aborted ? closed() : error
    }
  }

  #latent(value: unknown, i: number): Float32Array {
    const { dimension } = this
    if (!Array.isArray(value) || value.length !== dimension) {
      const length = Array.isArray(value) ? `${value.length} numbers` : 'no list of numbers'
      throw wrong(`answers text ${i} with ${length} where ${dimension} numbers are expected`, this.#encoding)
    }
    let sum = 0
    for (const number of value as readonly unknown[]) {
      if (typeof number !== 'number') throw wrong(`answers text ${i} with something else than numbers`, this.#encoding)
      sum += number * number
    }
    const length = Math.sqrt(sum)
    if (!(length > 0 && length < Infinity))
      throw wrong(`answers text ${i} with a latent of length ${length}`, this.#encoding)
    return Float32Array.from(value as number[], (number) => number / length)
  }
}

function lengthOf(latent: unknown): number {
  if (!Array.isArray(latent) || latent.length < 1 || latent.length > MOST_NUMBERS)
    throw new AgidbError('AGIDB_ENCODER', 'the encoder answers with something else than a latent of 1 to 8,192 numbers')
  return latent.length
}

function wrong(what: string, { endpoint, model }: HttpEncoding): AgidbError {
  return new AgidbError('AGIDB_ENCODER', `the encoder ${model} at ${endpoint.base} ${what}`, {
    url: endpoint.base,
    model,
  })
}

function isNotTaken(error: unknown): boolean {
  if (!(error instanceof AgidbError) || error.details['status'] === undefined) return false
  return NOT_TAKEN.includes(error.details['status'] as number) || TOO_LONG.test(error.message)
}

/** The first half of a text, which ends between two characters. */
function firstHalf(text: string): string {
  const end = text.length >> 1
  const isSplit = /[\ud800-\udbff]/.test(text[end - 1])
  return text.slice(0, isSplit ? end - 1 : end)
}
