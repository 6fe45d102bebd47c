import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SentenceEncoder } from '../../../../src/api/encoder.js'
import { sentenceEncoder as onnxEncoder } from '../../../../src/models/node.js'
import { type RunsOn, sentenceEncoder, type SentenceOptions } from '../../../../src/models/transformers/node.js'
import { encoderContract } from '../../../contract/encoder.js'
import { openMemory } from '../../engine/open.js'
import { cosine, FILES, GOLDEN, SHA256 } from '../minilm.js'
import { CLIP, folderOf, MINILM } from './folders.js'

const folder = folderOf(MINILM)
const clip = folderOf(CLIP)
let encoder: SentenceEncoder & RunsOn

beforeAll(async () => {
  encoder = await sentenceEncoder({ model: folder.path, worker: false })
})
afterAll(async () => {
  await encoder.close()
  folder.remove()
  clip.remove()
})

describe('a sentence encoder over transformers.js holds to the contract', () =>
  encoderContract(() => sentenceEncoder({ model: folder.path, worker: false })))

describe('a sentence encoder over transformers.js', () => {
  test('says what it is, with the id that agidb/onnx gives the model', () => {
    expect(encoder).toMatchObject({ id: SHA256.model, dimension: 384, device: 'cpu' })
  })

  test('agrees with the reference, and with agidb/onnx also on texts that are too long', async () => {
    const texts = GOLDEN.map(({ text }) => text)
    const onnx = await onnxEncoder({ ...FILES, worker: false })
    const [own, other] = [await encoder.encode(texts), await onnx.encode(texts)]
    await onnx.close()
    for (const [i, latent] of own.entries()) {
      expect(cosine(latent, other[i])).toBeGreaterThan(0.999)
      expect(cosine(latent, latent)).toBeCloseTo(1, 5)
    }
    for (const [i, { latent }] of GOLDEN.entries()) expect(cosine(own[i], latent)).toBeGreaterThan(0.999)
  })

  test('lets a recall find what means the same', async () => {
    const db = await openMemory({ encoder: { ...encoder, cueMs: 60_000, encode: (texts) => encoder.encode(texts) } })
    await db.observeMany([{ text: 'The physician examined my knee.' }, { text: 'The invoice is due on Monday.' }])
    while ((await db.stats()).encoder!.pending > 0) await new Promise((resolve) => setTimeout(resolve, 10))
    const { matches, attentionTrace } = await db.recall('a doctor looked at a leg', { traceAttention: true })
    expect(attentionTrace?.sentence).toBe('used')
    expect(matches[0].text).toBe('The physician examined my knee.')
    await db.close()
  })

  test('reads a folder by its URL, and refuses calls once it is closed', async () => {
    const model = pathToFileURL(`${folder.path}/`)
    const other = await sentenceEncoder({ model, sha256: SHA256.model, worker: false })
    const [latent] = await other.encode([GOLDEN[0].text])
    expect(cosine(latent, GOLDEN[0].latent)).toBeGreaterThan(0.999)
    await other.close()
    await expect(other.encode(['a'])).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
  })

  test('takes the first vector where it is told, with an id of its own, and as many tokens as it is told', async () => {
    const first = await sentenceEncoder({ model: folder.path, worker: false, pooling: 'first', maxTokens: 8 })
    const texts = ['The rent is due on Monday, as always.', 'The rent is due on Monday']
    const [cut, whole] = await first.encode(texts)
    expect(cut).toEqual(whole)
    expect(cosine(cut, (await encoder.encode(texts))[1])).toBeLessThan(0.999)
    expect(first.id).not.toBe(encoder.id)
    await first.close()
  })

  test('goes on without a graphics processor where there is none', async () => {
    const other = await sentenceEncoder({ model: folder.path, device: 'webgpu', worker: false })
    expect(other.device).toBe('cpu')
    expect((await other.encode(['a'])).length).toBe(1)
    await other.close()
  })
})

describe('refused is', () => {
  const refused = (message: RegExp, code = 'AGIDB_ENCODER') => ({
    code,
    message: expect.stringMatching(message) as string,
  })

  test.each<[string, object, ReturnType<typeof refused>]>([
    [
      'a folder that is not there',
      { model: '/nowhere' },
      refused(/config\.json in the folder \/nowhere cannot be read/),
    ],
    ['a file that is not there', { dtype: 'q8' }, refused(/the model at .*model_quantized\.onnx cannot be read/)],
    ['a model that is another', { sha256: '0'.repeat(64) }, refused(/has the SHA-256 .* expected 0{64}/)],
    [
      'a server',
      { model: 'https://example.org/m' },
      refused(/must be a folder of this machine/, 'AGIDB_INVALID_ARGUMENT'),
    ],
    ['no model', { model: undefined }, refused(/model must be the URL or the path/, 'AGIDB_INVALID_ARGUMENT')],
    ['another device', { device: 'tpu' }, refused(/device/, 'AGIDB_INVALID_ARGUMENT')],
    ['a hash that is none', { sha256: 'abc' }, refused(/64 hexadecimal digits/, 'AGIDB_INVALID_ARGUMENT')],
    ['an unknown option', { modle: 'x' }, refused(/has no option "modle"/, 'AGIDB_UNKNOWN_OPTION')],
    ['an unknown type of numbers', { dtype: 'fp8' }, refused(/dtype/, 'AGIDB_INVALID_ARGUMENT')],
    ['a worker', { worker: {} }, refused(/worker/, 'AGIDB_INVALID_ARGUMENT')],
  ])('%s', async (_, options, error) => {
    const given = { model: folder.path, worker: false, ...options } as SentenceOptions
    await expect(sentenceEncoder(given)).rejects.toMatchObject(error)
  })

  test('a model that takes something else, and a folder without a tokenizer', async () => {
    const pictures = folderOf({ ...CLIP, 'onnx/model.onnx': CLIP['onnx/vision_model.onnx'] })
    await expect(sentenceEncoder({ model: pictures.path, worker: false })).rejects.toMatchObject(
      refused(/the model fails: .*pixel_values/s),
    )
    pictures.remove()
    const { 'tokenizer.json': _, ...bare } = MINILM
    const wordless = folderOf(bare)
    await expect(sentenceEncoder({ model: wordless.path, worker: false })).rejects.toMatchObject(
      refused(/the tokenizer in the folder .* cannot be read/),
    )
    wordless.remove()
  })

  test('a file that is no ONNX', async () => {
    const wrong = folderOf({ ...MINILM, 'onnx/model.onnx': { no: 'model' } })
    await expect(sentenceEncoder({ model: wrong.path, worker: false })).rejects.toMatchObject(
      refused(/the model cannot be loaded/),
    )
    wrong.remove()
  })
})
