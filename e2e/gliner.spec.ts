import { expect } from '@playwright/test'
import { gliner } from '../src/models/gliner/node.js'
import { CONTEXT, MODELS, TEXTS } from '../test/unit/models/gliner/models.js'
import { deviceOf, FILES, glinerPage, optionsOf } from './gliner-page.js'
import { test } from './profile.js'
import { serve } from './serve.js'

let server: Awaited<ReturnType<typeof serve>>

test.beforeAll(async () => {
  server = await serve()
})

test('each model finds the same entities in the browser and in Node, and asks no other server', async ({ context }) => {
  const { page, asked, foreign } = await glinerPage(server.url, context)
  for (const name of Object.keys(MODELS)) {
    const { entities: found } = await page.evaluate(([options, texts]) => window.reading.entities(options, texts), [
      optionsOf(name),
      TEXTS,
    ] as const)
    const node = await gliner({ ...MODELS[name], worker: false })
    const expected = await node.extract(
      TEXTS,
      TEXTS.map(() => CONTEXT),
    )
    await node.close?.()
    expect(found.flat().length).toBeGreaterThan(5)
    expect(found).toEqual(expected.map(({ entities }) => entities))
  }
  expect(asked.filter((file) => file.endsWith('/model')).toSorted()).toEqual(
    Object.keys(MODELS)
      .map((name) => `${name}/model`)
      .toSorted(),
  )
  expect(foreign).toEqual([])
})

test('a memory keeps what a model reads, whose files are fetched once', async ({ context }) => {
  const { page, asked } = await glinerPage(server.url, context)
  const options = optionsOf('span')
  const remember = () =>
    page.evaluate(([options, text]) => window.reading.remember(options, text), [options, TEXTS[0]] as const)
  const { version, stored, extraction } = await remember()
  expect(stored).toMatchObject({ extractor: 'gliner', version })
  expect(stored?.entities.length).toBeGreaterThan(0)
  expect(extraction).toMatchObject({ pending: 0 })
  expect(asked.toSorted()).toEqual(FILES.map((file) => `span/${file}`).toSorted())
  asked.length = 0
  expect(await remember()).toMatchObject({ version, stored })
  expect(asked).toEqual([])
})

test('without a graphics processor a model runs in WebAssembly', async ({ context }) => {
  expect(await deviceOf(server.url, context)).toBe('wasm')
})

test('a model that does not find its golden entities is refused', async ({ context }) => {
  const { page } = await glinerPage(server.url, context)
  const options = optionsOf('span')
  const {
    entities: [[first]],
  } = await page.evaluate(([options, texts]) => window.reading.entities(options, texts), [
    options,
    TEXTS.slice(0, 1),
  ] as const)
  expect(first).toBeDefined()
  const golden = [{ text: TEXTS[0], entities: [{ text: 'nobody', type: 'person' }] }]
  expect(await page.evaluate((options) => window.reading.failure(options), { ...options, golden })).toMatch(
    /^AGIDB_EXTRACTOR: the model finds .* in golden\[0\], where person "nobody" must be found/,
  )
})
