import { expect } from '@playwright/test'
import { PERCEIVING, perceivedBits } from '../test/runtimes/perceived-bits.js'
import { openMemory } from '../test/unit/engine/open.js'
import { Agidb } from '../src/runtimes/node/index.js'
import { test } from './profile.js'
import { serve } from './serve.js'

let server: Awaited<ReturnType<typeof serve>>

test.beforeAll(async () => {
  server = await serve()
})

test('the page gets the same signatures from its engine worker as Node, and the statement that matched', async ({
  context,
}) => {
  const triples = [{ subject: 'Sarah', predicate: 'recommends', object: 'Bawri' }]
  const page = await context.newPage()
  await page.goto(`${server.url}/e2e/pages/library.html`)
  await page.waitForFunction(() => typeof window.library === 'object')
  const seen = await page.evaluate(async (triples) => {
    const db = await window.library.open({ name: 'neurosymbolic', extract: 'none' })
    await db.observe('Sarah recommended Bawri.', { id: 'first', triples, at: '2026-11-29' })
    const signature = await db.tripleToSignature(triples)
    const found = await db.signatureToTriples(signature)
    const { matches } = await db.neurosymbolicQuery({ structured: { subject: 'sarah' } })
    const text = await db.extractModalitySignature('first', 'text')
    const episode = await db.episodeToSignature('first')
    const content = await db.signatureToEpisode(episode)
    await db.close()
    const { statement } = matches[0]
    return { bytes: [...signature], found, statement, text: [...text!], episode: [...episode], content }
  }, triples)
  const node = await openMemory({ extract: 'none' })
  await node.observe('Sarah recommended Bawri.', { id: 'first', triples, at: '2026-11-29' })
  const signature = await node.tripleToSignature(triples)
  expect(seen.bytes).toEqual([...signature])
  expect(seen.found).toEqual(await node.signatureToTriples(signature))
  expect(seen.statement).toEqual({ ...triples[0], polarity: 'positive' })
  expect(seen.text).toEqual([...(await node.extractModalitySignature('first', 'text'))!])
  expect(seen.episode).toEqual([...(await node.episodeToSignature('first'))])
  expect(seen.content).toEqual(await node.signatureToEpisode(Uint8Array.from(seen.episode)))
  expect(seen.content).toMatchObject({ triples: [{ triple: triples[0] }], day: '2026-11-29' })
  await node.close()
})

test('a page makes of latents of every sense the signatures that Node makes, to the bit', async ({ context }) => {
  const page = await context.newPage()
  await page.goto(`${server.url}/e2e/pages/library.html`)
  await page.waitForFunction(() => typeof window.library === 'object')
  const bits = await page.evaluate(() => window.library.perceivedBits())
  expect(Object.keys(bits)).toEqual(['image', 'audio', 'video', 'touch'])
  // Deno answers the same: test/runtimes/runtimes.test.ts.
  expect(bits).toEqual(await perceivedBits(await Agidb.open({ storage: 'memory', ...PERCEIVING })))
})
