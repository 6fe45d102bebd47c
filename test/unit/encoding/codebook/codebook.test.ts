import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { BUILT_CODEBOOK } from '../../../../src/encoding/codebook/built.js'
import { readCodebook } from '../../../../src/encoding/codebook/node.js'
import { parseCodebook } from '../../../../src/encoding/codebook/codebook.js'
import { loadCodebook } from '../../../../src/encoding/codebook/load.js'

const bytes = await readCodebook()
const codebook = parseCodebook(bytes)

/** A text as the sum of its pieces, by their fixed weights. */
function latent(text: string): Float32Array {
  const sum = new Float32Array(codebook.dimension)
  for (const piece of codebook.pieces(text)) codebook.add(piece, codebook.weight(piece), sum)
  return sum
}

function cosine(a: Float32Array, b: Float32Array): number {
  const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, value, i) => sum + value * y[i], 0)
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}

/** The file with some bytes changed; a copy. */
function changed(change: (view: DataView) => void): Uint8Array<ArrayBuffer> {
  const copy = Uint8Array.from(bytes)
  change(new DataView(copy.buffer))
  return copy
}

describe('the codebook of the library', () => {
  test('has a latent for each word piece of BERT, and the id of its contents', () => {
    expect(codebook).toMatchObject({ size: 30_522, dimension: 256 })
    expect(codebook.id).toBe(BUILT_CODEBOOK)
    expect(codebook.id).toBe(createHash('sha256').update(bytes.subarray(32)).digest('hex').slice(0, 16))
  })

  test.each([
    ['physician', 'doctor', 'banana'],
    ['automobile', 'car', 'wedding'],
    ['the kids went swimming', 'children in the pool', 'the invoice is overdue'],
    ['she adopted a puppy', 'a new dog', 'an old camera'],
    ['we lost oxygen', 'not enough air', 'a nice recipe'],
  ])('%s is nearer to %s than to %s', (cue, near, far) => {
    expect(cosine(latent(cue), latent(near))).toBeGreaterThan(cosine(latent(cue), latent(far)) + 0.1)
  })

  test('weights are from 0 to 1', () => {
    const weights = Array.from({ length: codebook.size }, (_, piece) => codebook.weight(piece))
    expect(weights.filter((weight) => !(weight >= 0 && weight <= 1))).toEqual([])
    expect(Math.max(...weights)).toBeGreaterThan(0)
  })

  test('adds a latent times a weight to what is there', () => {
    const [piece] = codebook.pieces('tea')
    const once = new Float32Array(256)
    codebook.add(piece, 1, once)
    const sum = Float32Array.from(once)
    codebook.add(piece, 0.5, sum)
    for (let i = 0; i < 256; i++) expect(sum[i]).toBeCloseTo(1.5 * once[i], 5)
    expect(once.some((value) => value !== 0)).toBe(true)
  })

  test('gives the latents of pieces times their weights, each once however often it comes, call after call', () => {
    for (const text of ['tea for two', 'two and two are four', 'four cups of tea, or two', 'tea']) {
      const pieces = codebook.pieces(text)
      const { rows, factors, terms } = codebook.weighted(pieces)
      expect(factors.length).toBe(new Set(pieces).size)
      expect(rows.length).toBe(256 * factors.length)
      expect(terms.length).toBe(pieces.length)
      pieces.forEach((piece, i) => {
        const own = new Float32Array(256)
        codebook.add(piece, codebook.weight(piece), own)
        expect(
          Float32Array.from(rows.subarray(256 * terms[i], 256 * terms[i] + 256), (value) => factors[terms[i]] * value),
        ).toEqual(own)
      })
    }
  })

  test('is the same from bytes that lie anywhere', () => {
    const shifted = new Uint8Array(bytes.length + 3)
    shifted.set(bytes, 3)
    const copy = parseCodebook(shifted.subarray(3))
    const [a, b] = [new Float32Array(256), new Float32Array(256)]
    for (const piece of codebook.pieces('a house by the sea')) {
      codebook.add(piece, codebook.weight(piece), a)
      copy.add(piece, copy.weight(piece), b)
    }
    expect(b).toEqual(a)
    expect(copy.pieces('naïve 東京')).toEqual(codebook.pieces('naïve 東京'))
  })
})

describe('a file that is no codebook is refused', () => {
  const refused = { name: 'AgidbError', code: 'AGIDB_CODEBOOK' }
  test.each<[string, Uint8Array<ArrayBuffer>, RegExp]>([
    ['empty', new Uint8Array(), /no codebook/],
    ['something else', new TextEncoder().encode('<!doctype html><title>Not found</title>'), /no codebook/],
    ['a header alone', bytes.slice(0, 20), /no codebook/],
    ['cut short', bytes.slice(0, 1_000_000), /has 1000000 bytes where \d+ belong/],
    ['too long', changed((view) => view.setUint32(16, 30_521, true)), /bytes where/],
    ['of a newer version', changed((view) => view.setUint32(8, 2, true)), /version 2.*update agidb/],
  ])('%s', async (_, file, message) => {
    expect(() => parseCodebook(file)).toThrow(
      expect.objectContaining({ ...refused, message: expect.stringMatching(message) as string }),
    )
    await expect(loadCodebook(file)).rejects.toMatchObject(refused)
  })

  test('damaged', async () => {
    await expect(loadCodebook(changed((view) => view.setInt8(5_000_000, ~view.getInt8(5_000_000))))).rejects.toThrow(
      /damaged/,
    )
  })

  test('not there', async () => {
    await expect(readCodebook('/nowhere/codebook.bin')).rejects.toMatchObject({
      ...refused,
      details: { file: '/nowhere/codebook.bin' },
    })
    await expect(loadCodebook(new URL('http://127.0.0.1:9/codebook.bin'))).rejects.toMatchObject(refused)
  })
})

describe('loadCodebook', () => {
  afterEach(() => void vi.unstubAllGlobals())

  test('checks the contents where the runtime has no crypto.subtle, too', async () => {
    vi.stubGlobal('crypto', {})
    expect((await loadCodebook(bytes))?.id).toBe(codebook.id)
    await expect(loadCodebook(changed((view) => view.setInt8(5_000_000, ~view.getInt8(5_000_000))))).rejects.toThrow(
      /damaged/,
    )
  })

  test('takes bytes, a buffer or a URL', async () => {
    const server = createServer((request, response) =>
      request.url === '/codebook.bin' ? response.end(bytes) : response.writeHead(404).end(),
    )
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/codebook.bin`)
    for (const source of [bytes, Uint8Array.from(bytes).buffer, url])
      expect((await loadCodebook(source))?.id).toBe(codebook.id)
    await expect(loadCodebook(new URL('/other', url))).rejects.toThrow(/answered 404/)
    server.close()
  })

  test('none is none', async () => {
    expect(await loadCodebook('none')).toBeUndefined()
  })

  test('Node reads a path or a file: URL', async () => {
    const path = new URL('../../../../src/encoding/codebook/built/minilm-256.bin', import.meta.url).pathname
    for (const file of [path, pathToFileURL(path)]) expect(parseCodebook(await readCodebook(file)).id).toBe(codebook.id)
  })
})
