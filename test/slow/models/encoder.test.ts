import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SentenceEncoder } from '../../../src/api/encoder.js'
import { sentenceEncoder, type EncoderOptions } from '../../../src/models/node.js'
import { encoderContract } from '../../contract/encoder.js'
import { cosine, FILES, GOLDEN, MODEL, SHA256, TOKENIZER } from '../../unit/models/minilm.js'

const open = (options: Partial<EncoderOptions> = {}) => sentenceEncoder({ ...FILES, worker: false, ...options })
const refused = (message: RegExp | string, code = 'AGIDB_ENCODER') => ({
  code,
  message: expect.stringMatching(message) as string,
})

describe('a sentence encoder holds to the contract', () => encoderContract(open))

describe('a sentence encoder', () => {
  let encoder: SentenceEncoder

  beforeAll(async () => {
    encoder = await open()
  })
  afterAll(() => encoder.close())

  test('says what it is', () => {
    expect(encoder).toMatchObject({ id: SHA256.model, dimension: 384 })
  })

  test.each(
    GOLDEN.map(({ text, latent }) => [text.slice(0, 40), text, latent] as const),
  )('agrees with the reference: %s', async (_, text, latent) => {
    const [own] = await encoder.encode([text])
    expect(cosine(own, latent)).toBeGreaterThan(0.9999)
    expect(cosine(own, own)).toBeCloseTo(1, 5)
  })

  test('reads as many tokens as it is told', async () => {
    const short = await open({ maxTokens: 8 })
    const [cut, whole] = await short.encode(['The rent is due on Monday, as always.', 'The rent is due on Monday'])
    expect(cut).toEqual(whole)
    await short.close()
  })
})

/** Models that are no sentence encoders, each of one or two nodes. */
const model = (base64: string) => Uint8Array.from(Buffer.from(base64, 'base64'))
const OF_PIXELS = model(
  'CAgSADpLChUKBnBpeGVscxIBeSIISWRlbnRpdHkSAXhaGQoGcGl4ZWxzEg8KDQgBEgkKAggBCgMSAW5iFAoBeRIPCg0IARIJCgII' +
    'AQoDEgFuQgQKABAN',
)
const OF_WHOLE_NUMBERS = model(
  'CAgSADpRChgKCWlucHV0X2lkcxIBeSIISWRlbnRpdHkSAXhaHAoJaW5wdXRfaWRzEg8KDQgHEgkKAggBCgMSAW5iFAoBeRIPCg0I' +
    'BxIJCgIIAQoDEgFuQgQKABAN',
)
const POOLED = model(
  'CAgSADqrAQofCglpbnB1dF9pZHMSAWYiBENhc3QqCQoCdG8YAaABAgpBCgFmEhJzZW50ZW5jZV9lbWJlZGRpbmciClJlZHVjZU1l' +
    'YW4qCwoEYXhlc0ABoAEHKg8KCGtlZXBkaW1zGAGgAQISAXhaHAoJaW5wdXRfaWRzEg8KDQgHEgkKAggBCgMSAW5iJAoSc2VudGVu' +
    'Y2VfZW1iZWRkaW5nEg4KDAgBEggKAggBCgIIAUIECgAQDQ==',
)
const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))

describe('refused is', () => {
  test.each<[string, Partial<EncoderOptions>, ReturnType<typeof refused>]>([
    [
      'a model that is not there',
      { model: '/nowhere/model.onnx' },
      refused('the model at /nowhere/model.onnx cannot be read'),
    ],
    [
      'a tokenizer that is not there',
      { tokenizer: new URL('file:///nowhere.json') },
      refused('the tokenizer at file:///nowhere.json'),
    ],
    [
      'a model that is another',
      { sha256: { model: SHA256.tokenizer } },
      refused(`SHA-256 ${SHA256.model}; expected ${SHA256.tokenizer}`),
    ],
    [
      'a tokenizer that is another',
      { sha256: { tokenizer: '0'.repeat(64) } },
      refused('the tokenizer .* has the SHA-256'),
    ],
    ['a model that is no ONNX', { model: json('no'), sha256: {} }, refused('cannot be read as ONNX')],
    [
      'a model with other inputs',
      { model: OF_PIXELS, sha256: {} },
      refused('the model takes pixels; a sentence encoder takes input_ids'),
    ],
    [
      'a model with other outputs',
      { model: OF_WHOLE_NUMBERS, sha256: {} },
      refused(/gives int64 of shape 1 × 3.* gives float32/),
    ],
    [
      'a tokenizer that is no JSON',
      { tokenizer: json({}).subarray(1), sha256: {} },
      refused('the tokenizer cannot be read'),
    ],
    [
      'a tokenizer without words',
      { tokenizer: json({ model: { type: 'WordPiece', vocab: {} } }), sha256: {} },
      refused('the tokenizer cannot be read'),
    ],
    [
      'a hash that is none',
      { sha256: { model: 'abc' } },
      refused('sha256.model must be 64 hexadecimal digits', 'AGIDB_INVALID_ARGUMENT'),
    ],
    [
      'no model',
      { model: undefined },
      refused('model must be the bytes, the URL or the path', 'AGIDB_INVALID_ARGUMENT'),
    ],
    [
      'a cache that is no folder',
      { cache: '' },
      refused('cache must be the path of a folder', 'AGIDB_INVALID_ARGUMENT'),
    ],
    ['a worker', { worker: { postMessage() {}, terminate() {} } }, refused('worker', 'AGIDB_INVALID_ARGUMENT')],
    ['too few tokens', { maxTokens: 2 }, refused('maxTokens is 2', 'AGIDB_INVALID_ARGUMENT')],
    ['an unknown option', { modle: MODEL } as object, refused('has no option "modle"', 'AGIDB_UNKNOWN_OPTION')],
  ])('%s', async (_, options, error) => {
    await expect(open(options)).rejects.toMatchObject(error)
  })

  test('a tokenizer with more words than the model', async () => {
    const tokenizer = JSON.parse(await readFile(TOKENIZER, 'utf8')) as { model: { vocab: Record<string, number> } }
    tokenizer.model.vocab['anotherword'] = 40_000
    await expect(open({ tokenizer: json(tokenizer), sha256: {} })).rejects.toMatchObject(
      refused('the model fails on a text of 3 tokens'),
    )
  })
})

test('a model may pool by itself and need its tokens alone', async () => {
  const encoder = await open({ model: POOLED, sha256: {} })
  expect(encoder.dimension).toBe(1)
  expect(await encoder.encode(['The rent is due.'])).toEqual([Float32Array.of(1)])
  await encoder.close()
})

test('bytes are read as well as files', async () => {
  const [model, tokenizer] = (await Promise.all([MODEL, TOKENIZER].map((file) => readFile(file)))).map(
    (bytes) => new Uint8Array(bytes),
  )
  const encoder = await open({ model: model.buffer, tokenizer })
  expect(encoder.id).toBe(SHA256.model)
  expect(cosine((await encoder.encode([GOLDEN[0].text]))[0], GOLDEN[0].latent)).toBeGreaterThan(0.9999)
  await encoder.close()
})
