import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, type BrowserContext, type Page } from '@playwright/test'
import type { GlinerOptions } from '../src/models/gliner/browser.js'
import { type GlinerFixture, MODELS, TEXTS } from '../test/unit/models/gliner/models.js'
import { requestsElsewhere } from './requests.js'

/** The files of a model, by the names of their options. */
export const FILES = ['model', 'tokenizer', 'config'] as const

/** A page, the files of models that it asked for, and what it asked other servers for. */
export async function glinerPage(
  url: string,
  context: BrowserContext,
): Promise<{ page: Page; asked: string[]; foreign: string[] }> {
  const asked: string[] = []
  const foreign = requestsElsewhere(context, url)
  await context.route(`${url}/models/**`, async (route) => {
    const [name, file] = new URL(route.request().url()).pathname.split('/').slice(2)
    asked.push(`${name}/${file}`)
    await route.fulfill({ path: MODELS[name][file as keyof Omit<GlinerFixture, 'threshold'>] })
  })
  const page = await context.newPage()
  await page.goto(`${url}/e2e/pages/gliner.html`)
  await page.waitForFunction(() => typeof window.reading === 'object')
  return { page, asked, foreign }
}

/** Where a page finds the files of a model, with what they must be. */
export function optionsOf(name: string) {
  const hashes = FILES.map((file) => createHash('sha256').update(readFileSync(MODELS[name][file])).digest('hex'))
  const [model, tokenizer, config] = FILES.map((file) => `/models/${name}/${file}`)
  const sha256 = { model: hashes[0], tokenizer: hashes[1], config: hashes[2] }
  return { model, tokenizer, config, sha256, threshold: MODELS[name].threshold }
}

/** Where a model runs that is to run on the graphics processor. It finds what it finds in WebAssembly. */
export async function deviceOf(url: string, context: BrowserContext): Promise<string> {
  const { page, foreign } = await glinerPage(url, context)
  const read = (more: Partial<GlinerOptions>) =>
    page.evaluate(([options, texts]) => window.reading.entities(options, texts), [
      { ...optionsOf('span'), ...more },
      TEXTS,
    ] as const)
  const expected = await read({})
  const golden = expected.entities.map((entities, i) => ({
    text: TEXTS[i],
    entities: entities.map(({ text, type }) => ({ text, type })),
  }))
  const found = await read({ device: 'webgpu', golden })
  const places = ({ entities }: typeof expected) =>
    entities.map((of) => of.map(({ from, to, type }) => [from, to, type]))
  expect(places(found)).toEqual(places(expected))
  expect(foreign).toEqual([])
  return found.device
}
