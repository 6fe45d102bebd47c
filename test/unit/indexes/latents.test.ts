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

  test('of many texts are those of each up to rounding, and zeros where no word is known', () => {
    const many = latents.ofMany(texts)
    expect(many.length).toBe(texts.length)
    texts.forEach((text, i) => {
      const alone = latents.of(text)
      if (alone === undefined) expect(many[i]).toEqual(new Float32Array(256))
      else expect(dot(many[i], alone)).toBeCloseTo(1, 5)
    })
    expect(latents.ofMany([])).toEqual([])
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

  test('are compared with a cue piece by piece', () => {
    const wanted = latents.pieces('boat tea 東京')
    const { cosines: found, latents: meant } = latents.compare(wanted, slots, 10)
    expect(meant).toEqual(latents.latents(slots.slice(0, 10)))
    const direction = (piece: number) => {
      const latent = new Float32Array(256)
      codebook.add(piece, 1, latent)
      return latent
    }
    expect(found.length).toBe(wanted.length * slots.length)
    slots.forEach((slot, i) => {
      const pieces = slot < texts.length ? latents.pieces(texts[slot]) : []
      for (const [at, piece] of wanted.entries()) {
        const cosines = Array.from(pieces, (other) => dot(direction(piece), direction(other)))
        expect(found[i * wanted.length + at]).toBeCloseTo(Math.max(0, ...cosines), 5)
      }
    })
    // "tea" is in the text itself, "ship" is near to "boat".
    const one = new Latents(kernel, codebook)
    one.add(0, one.pieces('a ship with tea'))
    const [boat, tea] = one.compare(one.pieces('boat tea'), [0], 0).cosines
    expect(tea).toBeCloseTo(1, 2)
    expect(boat).toBeGreaterThan(0.4)
    expect(boat).toBeLessThan(0.95)
  })

  test('of a cue of many pieces the rarest are compared, in order', () => {
    const own = new Latents(kernel, codebook)
    for (let slot = 0; slot < 2; slot++) own.add(slot, own.pieces(WORDS.join(' ')))
    for (let slot = 2; slot < 10; slot++) own.add(slot, own.pieces('a text of other words'))
    const more = 'moon apple cloud wheel dance river paper snow fire king night wind bridge tower clock coffee'
    const { pieces, idf } = own.cue(`${WORDS.join(' ')} ${more}`)!
    expect(pieces.length).toBe(32)
    expect(idf.length).toBe(32)
    const rare = own.pieces(more).filter((piece) => !own.pieces(WORDS.join(' ')).includes(piece))
    for (const piece of rare) expect(pieces).toContain(piece)
    const { pieces: few } = own.cue('tea by the river')!
    expect([...few]).toEqual([...own.pieces('tea by the river')])
    // What most of the episodes have is not compared.
    expect([...own.cue('a text by the river of words')!.pieces]).toEqual([...own.pieces('by the river')])
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
