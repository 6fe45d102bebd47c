import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { ollamaEncoder, openaiEncoder, type HttpEncoderOptions } from '../../../src/models/http/index.js'
import { encoderContract } from '../../contract/encoder.js'
import { answer, serve, type Handler, type TestServer } from '../http/server.js'

const KEY = 'sk-secret-0123456789'
const open: TestServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})
async function server(handler: Handler): Promise<TestServer> {
  const started = await serve(handler)
  open.push(started)
  return started
}

/** A latent that is a function of a text. */
function latentOf(text: string, dimension = 8): number[] {
  const latent = Array.from({ length: dimension }, (_, i) => Math.sin(i + 1) * 3)
  for (const [i, letter] of [...text].entries()) latent[i % dimension] += ((letter.codePointAt(0) ?? 0) % 37) / 5
  return latent
}

const KINDS = [
  {
    name: 'openaiEncoder',
    make: (url: string, options: Partial<HttpEncoderOptions> = {}) =>
      openaiEncoder({ url, model: 'm', apiKey: KEY, retries: 0, ...options }),
    // Servers may answer in any order.
    body: (latents: readonly unknown[]) => ({
      data: latents.map((embedding, index) => ({ index, embedding })).reverse(),
    }),
    path: '/v1/embeddings',
  },
  {
    name: 'ollamaEncoder',
    make: (url: string, options: Partial<HttpEncoderOptions> = {}) =>
      ollamaEncoder({ url, model: 'm', apiKey: KEY, retries: 0, ...options }),
    body: (embeddings: readonly unknown[]) => ({ embeddings }),
    path: '/api/embed',
  },
]

describe.each(KINDS)('$name', ({ make, body, path }) => {
  const encoding: Handler = ({ body: asked }, response) => {
    const reply = () =>
      answer(response, body((asked.input as string[]).map((text) => latentOf(text, asked.dimensions))))
    if (asked.input.length > 1) setTimeout(reply, 20)
    else reply()
  }

  describe('holds to the contract of a sentence encoder', () => {
    let at: TestServer | undefined
    encoderContract(async () => make((at ??= await serve(encoding)).url))
  })

  test('asks once for the number of dimensions, and not where it is given', async () => {
    const at = await server(encoding)
    expect((await make(at.url)).dimension).toBe(8)
    expect(at.received).toHaveLength(1)
    expect(at.received[0]).toMatchObject({ path, body: { model: 'm', input: [expect.any(String)] } })
    expect(at.received[0].headers['authorization']).toBe(`Bearer ${KEY}`)
    const given = await make(at.url, { dimensions: 3 })
    expect(at.received).toHaveLength(1)
    expect((await given.encode(['x']))[0]).toHaveLength(3)
    expect(at.received[1].body.dimensions).toBe(3)
  })

  test('has an id of its model and its dimensions, wherever the server is', async () => {
    const one = await make('http://localhost:1', { dimensions: 3 })
    expect((await make('http://localhost:2', { dimensions: 3 })).id).toBe(one.id)
    expect((await make('http://localhost:1', { dimensions: 4 })).id).not.toBe(one.id)
    expect((await make('http://localhost:1', { dimensions: 3, model: 'n' })).id).not.toBe(one.id)
  })

  test('encodes any number of texts in batches of any size to the same latents', async () => {
    const at = await server(encoding)
    const texts = fc.array(fc.string({ unit: 'binary' }), { maxLength: 9 })
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 4 }), async (some, batch) => {
        const before = at.received.length
        const encoder = await make(at.url, { dimensions: 8, batch })
        const latents = await encoder.encode(some)
        expect(at.received.slice(before).map(({ body: { input } }) => input.length)).toEqual(
          Array.from({ length: Math.ceil(some.length / batch) }, (_, i) => Math.min(batch, some.length - i * batch)),
        )
        expect(latents).toEqual(await (await make(at.url, { dimensions: 8 })).encode(some))
      }),
      { numRuns: 20 },
    )
  })

  test('cuts texts that the model refuses as too long, and none beside them', async () => {
    const at = await server(({ body: asked }, response) => {
      const isTooLong = (asked.input as string[]).some((text) => text.length > 1000)
      if (isTooLong) answer(response, { error: 'input exceeds the context length' }, 400)
      else encoding({ path, headers: {}, body: asked }, response, 0)
    })
    const encoder = await make(at.url, { dimensions: 8 })
    const long = '🎻'.repeat(1501)
    const [first, cut, last] = await encoder.encode(['a', long, 'b'])
    expect([first, last]).toEqual(await encoder.encode(['a', 'b']))
    // 3,002 units, of which the half and the quarter begin a character.
    const kept = at.received
      .map(({ body: { input } }) => input[0] as string)
      .find((text) => /^(🎻)+$/u.test(text) && text.length <= 1000)
    expect(long.startsWith(kept!)).toBe(true)
    expect(cut).toEqual((await encoder.encode([kept!]))[0])
  })

  test('tries a busy server again', async () => {
    const at = await server((request, response, n) => {
      if (n < 2) answer(response, {}, 503, { 'retry-after': '0' })
      else encoding(request, response, n)
    })
    const encoder = await make(at.url, { dimensions: 8, retries: 2 })
    expect(await encoder.encode(['x'])).toHaveLength(1)
  })

  test.each([
    ['too few latents', []],
    ['a latent of another length', [[1, 2]]],
    ['no list', ['x']],
    ['no numbers', [['1', 2, 3]]],
    ['null', [[null, 2, 3]]],
    ['zeros', [[0, 0, 0]]],
    ['numbers that are too large', [[1e300, 1e300, 1e300]]],
  ])('refuses an answer with %s', async (_, latents) => {
    const at = await server((_, response) => answer(response, body(latents)))
    const encoder = await make(at.url, { dimensions: 3 })
    await expect(encoder.encode(['x'])).rejects.toMatchObject({ code: 'AGIDB_ENCODER' })
  })

  test.each([
    ['something else', (): unknown => ({ data: 7, embeddings: 'x' })],
    ['null', () => null],
    ['a latent of 10,000 numbers', () => body([new Array(10_000).fill(1)])],
    ['10 MB', () => body(['x'.repeat(10_000_000)])],
  ])('is not opened where the server answers with %s', async (_, hostile) => {
    const at = await server((_, response) => answer(response, hostile()))
    await expect(make(at.url)).rejects.toMatchObject({ code: 'AGIDB_ENCODER' })
  })

  test('names the server that refuses, and not the key', async () => {
    const at = await server((_, response) => answer(response, { error: { message: `no ${KEY}` } }, 401))
    const error = (await make(at.url).catch((thrown: unknown) => thrown)) as Error
    expect(error).toMatchObject({ code: 'AGIDB_ENCODER', details: { status: 401 } })
    expect(JSON.stringify([error.message, error])).not.toContain(KEY)
  })

  test.each([
    { model: '' },
    { dimensions: 0 },
    { dimensions: 8193 },
    { batch: 0 },
    { cueMs: -1 },
    { url: 'x' },
    { dims: 8 },
  ])('refuses the options %j', async (wrong) => {
    await expect(make('http://localhost:1', { dimensions: 3, ...wrong })).rejects.toMatchObject({
      code: expect.stringMatching(/^AGIDB_(INVALID_ARGUMENT|UNKNOWN_OPTION)$/),
    })
  })

  test('refuses what is no text', async () => {
    const encoder = await make('http://localhost:1', { dimensions: 3 })
    await expect(encoder.encode(['\ud800'])).rejects.toMatchObject({ code: 'AGIDB_INVALID_TEXT' })
    await expect(encoder.encode('x' as never)).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
  })
})

test.each([
  ['the same', [0, 0]],
  ['ones that no text has', [1, 2]],
  ['no whole numbers', [0, 0.5]],
  ['the one of another beside none', [1, undefined]],
])('openaiEncoder refuses latents whose indexes are wrong: %s', async (_, indexes) => {
  const data = indexes.map((index) => ({ index, embedding: [1, 2, 3] }))
  const at = await server((_, response) => answer(response, { data }))
  const encoder = await openaiEncoder({ url: at.url, model: 'm', retries: 0, dimensions: 3 })
  await expect(encoder.encode(['x', 'y'])).rejects.toMatchObject({ code: 'AGIDB_ENCODER' })
})

test('openaiEncoder takes latents without indexes in the order of the texts', async () => {
  const data = [{ embedding: [2, 0, 0] }, { embedding: [0, 2, 0] }]
  const at = await server((_, response) => answer(response, { data }))
  const encoder = await openaiEncoder({ url: at.url, model: 'm', retries: 0, dimensions: 3 })
  expect((await encoder.encode(['x', 'y'])).map((latent) => [...latent])).toEqual([
    [1, 0, 0],
    [0, 1, 0],
  ])
})
