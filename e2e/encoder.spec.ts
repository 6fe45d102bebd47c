import { expect, type BrowserContext, type Page } from '@playwright/test'
import { sentenceEncoder } from '../src/models/node.js'
import { FILES, GOLDEN, MODEL, SHA256, TOKENIZER } from '../test/unit/models/minilm.js'
import { test } from './profile.js'
import { requestsElsewhere } from './requests.js'
import { serve } from './serve.js'

let server: Awaited<ReturnType<typeof serve>>

test.beforeAll(async () => {
  server = await serve()
})

const files = { model: '/models/model.onnx', tokenizer: '/models/tokenizer.json', sha256: SHA256 }

/** A page, and the files that it asked the server of models for. */
async function encoderPage(context: BrowserContext): Promise<{ page: Page; asked: string[]; foreign: string[] }> {
  const asked: string[] = []
  const foreign = requestsElsewhere(context, server.url)
  await context.route(`${server.url}/models/*`, async (route) => {
    const name = route.request().url().split('/').at(-1)!
    asked.push(name)
    const path = { 'model.onnx': MODEL, 'tokenizer.json': TOKENIZER }[name]
    await (path === undefined ? route.fulfill({ status: 404 }) : route.fulfill({ path }))
  })
  const page = await context.newPage()
  await page.goto(`${server.url}/e2e/pages/encoder.html`)
  await page.waitForFunction(() => typeof window.encoding === 'object')
  return { page, asked, foreign }
}

test('a text has the same latent in the browser and in Node, to the bit', async ({ context }) => {
  const { page, foreign } = await encoderPage(context)
  const texts = GOLDEN.map(({ text }) => text)
  const found = await page.evaluate(([files, texts]) => window.encoding.latents(files, texts), [files, texts] as const)
  const node = await sentenceEncoder({ ...FILES, worker: false })
  const expected = (await node.encode(texts)).map((latent) => [...latent])
  await node.close()
  expect(found).toEqual(expected)
  expect(foreign).toEqual([])
})

test('memories are encoded in the background, kept, and not encoded again', async ({ context }) => {
  const { page } = await encoderPage(context)
  const remember = (texts: string[], cue: string) =>
    page.evaluate(([files, texts, cue]) => window.encoding.remember(files, 'encoded', texts, cue), [
      files,
      texts,
      cue,
    ] as const)
  const first = await remember(['The rent is due on Monday.', 'A fuel cell blew up.'], 'rent')
  const encoder = { id: SHA256.model, dimension: 384 }
  expect(first).toMatchObject({
    before: { ...encoder, encoded: 0, pending: 0 },
    after: { ...encoder, encoded: 2, pending: 0 },
  })
  expect(first).toMatchObject({ reports: [2], sentence: 'used', best: 'The rent is due on Monday.' })
  await page.reload()
  const again = await remember(['Bawri is a thai place.'], 'thai')
  expect(again).toMatchObject({
    before: { encoded: 2 },
    after: { encoded: 3, pending: 0 },
    reports: [3],
    sentence: 'used',
  })
})

test('files are fetched once and then kept, unless what is kept is damaged', async ({ context }) => {
  const { page, asked } = await encoderPage(context)
  const open = () => page.evaluate((files) => window.encoding.latents(files, ['a']), files)
  await Promise.all([open(), open()])
  const kept = { files: { [SHA256.model]: 22_928_619, [SHA256.tokenizer]: 466_247 }, responses: [] }
  expect(await page.evaluate(() => window.encoding.kept())).toEqual(kept)
  asked.length = 0
  await open()
  expect(asked).toEqual([])
  await page.evaluate((hash) => window.encoding.damage(hash), SHA256.model)
  await open()
  expect(asked).toEqual(['model.onnx'])
  asked.length = 0
  await open()
  expect(asked).toEqual([])
  expect(await page.evaluate(() => window.encoding.kept())).toEqual(kept)
})

test('where private files cannot be moved, the Cache API keeps them', async ({ context }) => {
  const { page, asked } = await encoderPage(context)
  const open = () => page.evaluate((files) => window.encoding.withoutMove(files), files)
  expect(await open()).toBe(SHA256.model)
  expect(await page.evaluate(() => window.encoding.kept())).toEqual({
    files: {},
    responses: expect.arrayContaining([SHA256.model, SHA256.tokenizer]) as string[],
  })
  asked.length = 0
  expect(await open()).toBe(SHA256.model)
  expect(asked).toEqual([])
})

test('what does not work is said', async ({ context }) => {
  const { page } = await encoderPage(context)
  const failure = (change: Partial<typeof files>, options: { worker?: string; cache?: string } = {}) =>
    page.evaluate(([files, options]) => window.encoding.failure(files, options), [
      { ...files, ...change },
      options,
    ] as const)
  expect(await failure({ model: '/models/none.onnx' })).toMatch(
    /^AGIDB_ENCODER: the model at .*none\.onnx cannot be read: the server answered 404/,
  )
  expect(await failure({ sha256: { ...SHA256, model: '0'.repeat(64) } })).toMatch(
    /^AGIDB_ENCODER: the model .* expected 0{64}/,
  )
  expect(await failure({}, { worker: '/nowhere.js' })).toMatch(
    /^AGIDB_ENCODER: the worker of the sentence encoder failed/,
  )
  expect(await failure({}, { cache: 'folder' })).toMatch(/^AGIDB_INVALID_ARGUMENT: cache/)
  // Of the model nothing is kept. The tokenizer may be, or a part of it: its worker ends when the model fails.
  const { files: kept, responses } = await page.evaluate(() => window.encoding.kept())
  expect(
    Object.keys(kept)
      .map((name) => name.replace(/\.part$/, ''))
      .filter((name) => name !== SHA256.tokenizer),
  ).toEqual([])
  expect([undefined, 466_247]).toContain(kept[SHA256.tokenizer])
  expect(responses).toEqual([])
})
