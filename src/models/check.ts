import { checkKeys, checkNumber, checkWhole, invalid } from '../api/check.js'
import type { EncoderOptions, FileSource, Loading } from './options.js'

const KEYS: readonly (keyof EncoderOptions)[] = [
  'model',
  'tokenizer',
  'sha256',
  'maxTokens',
  'cueMs',
  'cache',
  'wasm',
  'worker',
]

/**
 * Checks the options of `sentenceEncoder` and brings them into the form in which they cross.
 *
 * @param resolve makes a text that names a file into what the reader of files understands
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION`
 */
export function toLoading(options: EncoderOptions, resolve: (file: string) => string): Loading {
  checkKeys('sentenceEncoder', options, KEYS)
  const { model, tokenizer, sha256 = {}, maxTokens, cueMs, cache, wasm } = options ?? {}
  checkKeys('sha256', sha256, ['model', 'tokenizer'])
  for (const [file, hash] of Object.entries(sha256)) {
    if (hash !== undefined && !(typeof hash === 'string' && /^[0-9a-f]{64}$/i.test(hash))) {
      throw invalid(`sha256.${file} must be 64 hexadecimal digits, not ${JSON.stringify(hash)}`, {
        option: `sha256.${file}`,
      })
    }
  }
  if (maxTokens !== undefined) checkWhole('maxTokens', maxTokens, 8, 65_536)
  if (cueMs !== undefined) checkNumber('cueMs', cueMs, 0, 60_000)
  const file = (what: string, source: FileSource) => {
    if (source instanceof URL) return source.href
    if (typeof source === 'string' && source !== '') return resolve(source)
    if (source instanceof Uint8Array || source instanceof ArrayBuffer) return source
    throw invalid(`${what} must be the bytes, the URL or the path of a file`, { option: what })
  }
  return {
    model: file('model', model),
    tokenizer: file('tokenizer', tokenizer),
    sha256: { model: sha256.model?.toLowerCase(), tokenizer: sha256.tokenizer?.toLowerCase() },
    maxTokens,
    cache,
    ...(wasm !== undefined && { wasm: wasm instanceof URL ? wasm.href : resolve(wasm) }),
  }
}
