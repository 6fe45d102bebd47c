import { describe, expect, test } from 'vitest'
import { readCodebook } from '../../../src/encoding/codebook/node.js'
import { parseCodebook } from '../../../src/encoding/codebook/codebook.js'
import { dot, MAX_EXACT, Latents } from '../../../src/indexes/latents.js'
import { kernels } from '../kernel/kernels.js'

const codebook = parseCodebook(await readCodebook())
const WORDS = (
  'tea house sea river walk bread garden winter letter music train ship school doctor paint horse stone glass ' +
  'market island'
).split(' ')

/**
 * Texts of up to 20 words, and some of none that the codebook knows; together more pieces than are summed in one call.
 */
const texts = Array.from({ length: 900 }, (_, i) =>
  i % 50 === 7 ? '東京' : Array.from({ length: 1 + (i % 20) }, (_, at) => WORDS[(i * 7 + at) % 20]).join(' '),
)

describe.each(kernels)('latents, %s kernel', (_, kernel) => {
  const latents = new Latents(kernel, codebook)
  texts.forEach((text, slot) => latents.add(slot, latents.pieces(text)))
  const slots = [...texts.keys(), 5000].reverse()

  test('of many are those of each, and zeros where there is none', () => {
    const all = latents.latents(slots)
    expect(all.length).toBe(256 * slots.length)
    slots.forEach((slot, i) =>
      expect(all.slice(256 * i, 256 * i + 256)).toEqual(latents.latent(slot) ?? new Float32Array(256)),
    )
    expect(latents.latents([])).toEqual(new Float32Array(0))
    expect(latents.latents([7, 5000])).toEqual(new Float32Array(512))
  })

  test('point where the sum of the words does', () => {
    for (const slot of [0, 19, 333]) expect(dot(latents.latent(slot)!, latents.of(texts[slot])!)).toBeCloseTo(1, 5)
  })

  test('are compared with several at once as with each', () => {
    const some = latents.latents(slots.slice(0, 40))
    const others = latents.latents([3, 7, 400])
    const found = latents.dots(some, others)
    expect(found).toEqual(
      Float64Array.from({ length: 120 }, (_, i) => {
        const [a, b] = [Math.floor(i / 3), i % 3]
        return dot(some.subarray(256 * a, 256 * a + 256), others.subarray(256 * b, 256 * b + 256))
      }),
    )
  })

  test('go with what is removed', () => {
    const own = new Latents(kernel, codebook)
    own.add(1, own.pieces('tea by the sea'))
    const kept = own.latent(1)!
    own.remove(1)
    expect(own.latent(1)).toBeUndefined()
    expect(kept.every((value) => value === 0)).toBe(true)
  })

  test('are kept up to a bound, whatever is asked for', () => {
    const own = new Latents(kernel, codebook)
    const pieces = own.pieces('tea by the sea')
    for (let slot = 0; slot < 3 * MAX_EXACT; slot++) own.add(slot, pieces)
    const empty = own.bytes
    let most = 0
    for (let slot = 0; slot < 3 * MAX_EXACT; slot++) {
      own.latent(slot)
      most = Math.max(most, own.bytes - empty)
    }
    const each = 4 * codebook.dimension
    expect(most).toBeGreaterThanOrEqual(MAX_EXACT * each)
    expect(most).toBeLessThan(1.5 * MAX_EXACT * each)
    // Kept is what was asked for last, and only once.
    expect(own.latent(3 * MAX_EXACT - 1)).toBe(own.latent(3 * MAX_EXACT - 1))
  })
})
