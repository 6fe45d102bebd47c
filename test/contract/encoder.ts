import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SentenceEncoder } from '../../src/api/encoder.js'

const TEXTS = ['The rent is due on Monday.', 'A fuel cell blew up.', 'The rent is due on Monday.', 'Ünïcödé 🎻 弦']

/** What every sentence encoder holds to; to be called within a `describe`. */
export function encoderContract(open: () => Promise<SentenceEncoder>): void {
  let encoder: SentenceEncoder

  beforeAll(async () => {
    encoder = await open()
  })
  afterAll(() => encoder.close())

  test('says what it is', () => {
    expect(encoder.id).toMatch(/^[0-9a-f]{64}$/)
    expect(encoder.dimension).toBeGreaterThanOrEqual(1)
    expect(encoder.dimension).toBeLessThanOrEqual(8_192)
  })

  test('answers each text with a latent of unit length, in order', async () => {
    const latents = await encoder.encode(TEXTS)
    expect(latents).toHaveLength(TEXTS.length)
    for (const latent of latents) {
      expect(latent).toBeInstanceOf(Float32Array)
      expect(latent).toHaveLength(encoder.dimension)
      expect(latent.reduce((sum, value) => sum + value * value, 0)).toBeCloseTo(1, 4)
    }
    expect(latents[0]).toEqual(latents[2])
    expect(latents[0]).not.toEqual(latents[1])
  })

  test('makes the same of a text whatever is beside it', async () => {
    const together = await encoder.encode(TEXTS)
    expect((await encoder.encode([...TEXTS].reverse())).reverse()).toEqual(together)
    expect(await Promise.all(TEXTS.map(async (text) => (await encoder.encode([text]))[0]))).toEqual(together)
  })

  test('answers who asks for one text before who asks for many', async () => {
    const order: string[] = []
    const texts = Array.from({ length: 12 }, (_, i) => `This is memory number ${i}.`)
    const many = encoder.encode(texts).then(() => order.push('many'))
    const one = encoder.encode(['And what is this?']).then(() => order.push('one'))
    await Promise.all([many, one])
    expect(order).toEqual(['one', 'many'])
  })

  test('answers nothing to nothing, and takes an empty text', async () => {
    expect(await encoder.encode([])).toEqual([])
    const [first, second] = await encoder.encode(['', ''])
    expect(first).toEqual(second)
    expect(first).toHaveLength(encoder.dimension)
  })

  test('is refused when it is closed, also while it works', async () => {
    const other = await open()
    const waiting = other.encode(['The rent is due on Monday.'])
    await other.close()
    await other.close()
    await expect(waiting).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
    await expect(other.encode(['x'])).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
  })
}
