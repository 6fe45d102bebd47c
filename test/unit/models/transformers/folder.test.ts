import { describe, expect, test } from 'vitest'
import { encodeUtf8 } from '../../../../src/base/utf8.js'
import { hashOfAll, modelFiles } from '../../../../src/models/transformers/folder.js'
import { type SentenceOptions, toSentenceLoading } from '../../../../src/models/transformers/options.js'

const loading = (options: Partial<SentenceOptions> = {}) =>
  toSentenceLoading({ model: '/m/', ...options }, (folder) => folder)
const config = (external: unknown) => async () =>
  encodeUtf8(JSON.stringify({ 'transformers.js_config': { use_external_data_format: external } }))

describe('the files of a model', () => {
  test.each<[string, Partial<SentenceOptions>, unknown, string[]]>([
    ['one file', {}, undefined, ['onnx/model.onnx']],
    ['no file beside it', {}, false, ['onnx/model.onnx']],
    ['one file of numbers beside it', {}, true, ['onnx/model.onnx', 'onnx/model.onnx_data']],
    [
      'two, for one way to store numbers',
      { dtype: 'fp16' },
      { 'model_fp16.onnx': 2 },
      ['onnx/model_fp16.onnx', 'onnx/model_fp16.onnx_data', 'onnx/model_fp16.onnx_data_1'],
    ],
    ['none for the other', { dtype: 'q8' }, { 'model_fp16.onnx': 2 }, ['onnx/model_quantized.onnx']],
  ])('%s', async (_, options, external, files) => {
    expect(await modelFiles(loading(options), config(external))).toEqual(files)
  })

  test('a folder without a config.json is refused', async () => {
    const missing = () => Promise.reject(new Error('the server answered 404'))
    await expect(modelFiles(loading(), missing)).rejects.toMatchObject({
      code: 'AGIDB_ENCODER',
      message: 'config.json in the folder /m cannot be read: the server answered 404',
    })
  })

  test('the hash of one file is its own; of several it depends on each', () => {
    expect(hashOfAll(['a'])).toBe('a')
    expect(hashOfAll(['a', 'b'])).toMatch(/^[0-9a-f]{64}$/)
    expect(hashOfAll(['a', 'b'])).not.toBe(hashOfAll(['a', 'c']))
  })
})
