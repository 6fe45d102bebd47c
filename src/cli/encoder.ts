import { join } from 'node:path'
import type { SentenceEncoder } from '../api/encoder.js'
import { AgidbError } from '../base/errors.js'
import type { EmbedderSettings } from '../config/settings.js'
import { ollamaEncoder, openaiEncoder } from '../models/http/index.js'
import { sentenceEncoder } from '../models/node.js'
import { printable } from './terminal.js'

/** Somebody waits for the command, and the next one encodes what this one did not. */
const RETRIES = 2

/**
 * The encoder of a configuration. Where its server does not answer, there is none and a warning says so: the memory is
 * used without it, and encoded when it answers again.
 *
 * @throws AgidbError `AGIDB_ENCODER`, `AGIDB_UNSUPPORTED`, `AGIDB_INVALID_ARGUMENT`
 */
export async function encoderOf(settings: EmbedderSettings): Promise<SentenceEncoder | undefined> {
  try {
    return await made(settings)
  } catch (error) {
    if (!isAway(error)) throw error
    process.stderr.write(`agidb: ${printable((error as Error).message)}; the memory is used without it\n`)
    return undefined
  }
}

async function made({ type, model = '', baseUrl, apiKey, dimensions }: EmbedderSettings) {
  if (type === 'codebook') return undefined
  if (type === 'onnx')
    return sentenceEncoder({ model: join(model, 'model.onnx'), tokenizer: join(model, 'tokenizer.json') })
  const make = type === 'ollama' ? ollamaEncoder : openaiEncoder
  return make({ model, url: baseUrl, apiKey, dimensions, retries: RETRIES })
}

/** Whether a server does not answer now, rather than refusing for good. */
function isAway(error: unknown): boolean {
  if (!(error instanceof AgidbError)) return false
  const { reason, status } = error.details
  return reason === 'unreachable' || reason === 'timeout' || status === 429 || (status as number) >= 500
}
