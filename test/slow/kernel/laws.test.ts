import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NO_SCORE } from '../../../src/kernel/port.js'
import { features, kernels, sum, vector } from '../../unit/kernel/kernels.js'

/** Standard deviation of the similarity of two unrelated hypervectors: 0.5 / √8192. */
const SIGMA = 0.5 / Math.sqrt(8192)

describe.each(kernels)('laws, %s kernel', (_, kernel) => {
  const named = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, i) => kernel.fromName(`${prefix} ${i}`))

  test('bind is its own inverse and keeps distances', () => {
    fc.assert(
      fc.property(vector, vector, vector, (a, b, c) => {
        expect(kernel.bind(kernel.bind(a, b), b)).toEqual(a)
        expect(kernel.hamming(kernel.bind(a, c), kernel.bind(b, c))).toBe(kernel.hamming(a, b))
      }),
    )
  })

  test('permute moves dimension d to d + shift, and back', () => {
    const unit = new Uint8Array(1024)
    unit[0] = 1
    expect(kernel.permute(unit, 13)[1]).toBe(1 << 5)
    expect(kernel.permute(unit, -1)[1023]).toBe(1 << 7)
    fc.assert(
      fc.property(vector, fc.integer(), (a, n) => {
        expect(kernel.permute(kernel.permute(a, n), -n)).toEqual(a)
      }),
    )
  })

  test('unrelated names are as unlike as chance has it', () => {
    const vectors = named('unrelated', 60)
    const z = vectors.flatMap((a, i) => vectors.slice(i + 1).map((b) => (kernel.similarity(a, b) - 0.5) / SIGMA))
    const mean = z.reduce((total, x) => total + x, 0) / z.length
    const variance = z.reduce((total, x) => total + (x - mean) ** 2, 0) / z.length
    expect(Math.abs(mean)).toBeLessThan(0.1)
    expect(variance).toBeGreaterThan(0.85)
    expect(variance).toBeLessThan(1.15)
    expect(Math.max(...z.map(Math.abs))).toBeLessThan(5)
  })

  test('a bundle resembles each of its parts and nothing else', () => {
    const parts = named('part', 15)
    const bundle = kernel.bundle(parts)
    for (const part of parts) expect(kernel.similarity(bundle, part)).toBeGreaterThan(0.5 + 10 * SIGMA)
    for (const other of named('other', 15)) expect(kernel.similarity(bundle, other)).toBeLessThan(0.5 + 5 * SIGMA)
  })

  test('a heavier part counts for more, a negative one against', () => {
    const [a, b, c] = named('weighed', 3)
    const bundle = kernel.bundle([a, b, c], Int32Array.of(3, 2, -2))
    expect(kernel.similarity(bundle, a)).toBeGreaterThan(kernel.similarity(bundle, b))
    expect(kernel.similarity(bundle, b)).toBeGreaterThan(0.6)
    expect(kernel.similarity(bundle, c)).toBeLessThan(0.4)
  })

  test('a tie takes the bit of the fixed random hypervector', () => {
    const tie = kernel.fromName('agidb/tie')
    expect(kernel.bundle([])).toEqual(tie)
    expect(kernel.threshold(new Int32Array(8192))).toEqual(tie)
    const [a] = named('tied', 1)
    expect(kernel.bundle([a, a], Int32Array.of(7, -7))).toEqual(tie)
  })

  test('textSignature is the threshold of superpose, and superpose is linear', () => {
    fc.assert(
      fc.property(features, ({ names, weights }) => {
        const whole = kernel.superpose(names, weights)
        expect(kernel.textSignature(names, weights)).toEqual(kernel.threshold(whole))
        const half = names.length >> 1
        const first = kernel.superpose(names.slice(0, half), weights.slice(0, half))
        const second = kernel.superpose(names.slice(half), weights.slice(half))
        expect(first.map((value, d) => value + second[d])).toEqual(whole)
      }),
      { numRuns: 30 },
    )
  })

  test('the score of a query is the bipolar dot product', () => {
    fc.assert(
      fc.property(sum, vector, (values, signature) => {
        const arena = kernel.arena()
        arena.set(7, signature)
        const query = kernel.quantise(values)
        const bit = (bytes: Uint8Array, d: number) => (bytes[d >> 3] >> (d & 7)) & 1
        let score = 0
        let squares = 0
        for (let d = 0; d < 8192; d++) {
          let magnitude = 0
          for (let p = 0; p < 4; p++) magnitude |= bit(query.planes!.subarray(p * 1024, (p + 1) * 1024), d) << p
          score += bit(query.signs, d) === bit(signature, d) ? magnitude : -magnitude
          squares += magnitude ** 2
        }
        expect(arena.score(query, Uint32Array.of(7, 8))).toEqual(Int32Array.of(score, NO_SCORE))
        expect(query.norm).toBe(Math.sqrt(squares))
        const binary = kernel.query(query.signs)
        expect([...arena.score(binary, Uint32Array.of(7))]).toEqual([8192 - 2 * kernel.hamming(query.signs, signature)])
        arena.free()
      }),
      { numRuns: 20 },
    )
  })

  test('scores of unrelated signatures have the spread that norm says', () => {
    const query = kernel.quantise(kernel.superpose(['a', 'b', 'c', 'd', 'e'], Int32Array.of(1, 2, 3, 4, 5)))
    const arena = kernel.arena()
    named('background', 800).forEach((signature, slot) => arena.set(slot, signature))
    const scores = arena.scan(query, 800).scores
    const deviation = Math.sqrt(scores.reduce((total, score) => total + score ** 2, 0) / scores.length)
    expect(deviation / query.norm).toBeGreaterThan(0.9)
    expect(deviation / query.norm).toBeLessThan(1.1)
    arena.free()
  })

  test('a quantised query finds the signature of the same features first', () => {
    const text = (n: number) => Array.from({ length: 20 }, (_, i) => `word ${(n * 7 + i * i) % 97}`)
    const arena = kernel.arena()
    for (let n = 0; n < 97; n++) arena.set(n, kernel.textSignature(text(n), new Int32Array(20).fill(1)))
    for (let n = 0; n < 97; n += 8) {
      const query = kernel.quantise(
        kernel.superpose(
          text(n),
          Int32Array.from({ length: 20 }, (_, i) => 1 + (i % 4)),
        ),
      )
      expect(arena.scan(query, 1).slots[0]).toBe(n)
    }
    arena.free()
  })

  test('projection keeps angles, for latents of few large coordinates too', () => {
    for (const [length, large] of [
      [2, 2],
      [96, 96],
      [384, 384],
      [384, 2],
      [1024, 3],
    ]) {
      for (let step = 0; step <= 10; step++) {
        const angle = (Math.PI * step) / 10
        const a = new Float32Array(length)
        const b = new Float32Array(length)
        for (let i = 0; i < large; i += 2) {
          const turn = i * i
          a.set([Math.cos(turn), Math.sin(turn)].slice(0, large - i), i)
          b.set([Math.cos(turn + angle), Math.sin(turn + angle)].slice(0, large - i), i)
        }
        const dot = a.reduce((total, x, i) => total + x * b[i], 0)
        const norms = Math.hypot(...a) * Math.hypot(...b)
        const expected = Math.acos(Math.min(1, Math.max(-1, dot / norms))) / Math.PI
        const distance = kernel.hamming(kernel.project(a), kernel.project(b)) / 8192
        expect(Math.abs(distance - expected)).toBeLessThan(6 * SIGMA)
      }
    }
  })

  test('what an arena holds and hands out are copies', () => {
    const arena = kernel.arena()
    const signature = kernel.fromName('mine')
    arena.set(1, signature)
    signature.fill(0)
    arena.get(1)!.fill(0)
    expect(arena.get(1)).toEqual(kernel.fromName('mine'))
    const query = kernel.query(signature)
    signature.fill(255)
    expect(query.signs).toEqual(new Uint8Array(1024))
    kernel.fromName('mine').fill(0)
    expect(kernel.fromName('mine')).toEqual(arena.get(1))
    arena.free()
  })

  test('an arena says the same of a signature whatever else it holds', () => {
    const few = kernel.arena()
    const many = kernel.arena()
    const signatures = named('of many', 40)
    // One full block of columns, and a row.
    const rest = Uint32Array.from({ length: 32_769 }, (_, i) => i)
    const rows = new Uint8Array(rest.length * 1024)
    rest.forEach((i) => rows.set(signatures[i % 40], i * 1024))
    many.setMany(rest, rows)
    signatures.forEach((signature, slot) => few.set(slot, signature))
    const sums = kernel.superpose(['of many 3', 'of many 4', 'else'], Int32Array.of(3, -2, 2))
    const slots = Uint32Array.from({ length: 40 }, (_, i) => i)
    for (const query of [kernel.query(signatures[9]), kernel.quantise(sums)]) {
      const scores = few.score(query, slots)
      expect(many.score(query, slots)).toEqual(scores)
      expect(
        many.score(
          query,
          slots.map((i) => 32_720 + i),
        ),
      ).toEqual(scores)
      const best = few.scan(query, 1).slots[0]
      const hits = many.scan(query, 900)
      const alike = [...rest].filter((i) => i % 40 === best)
      expect([...hits.slots.subarray(0, alike.length)]).toEqual(alike)
      expect(new Set(hits.scores.subarray(0, alike.length))).toEqual(new Set([scores[best]]))
    }
    few.free()
    many.free()
  })

  test('arenas know nothing of each other, and memory is reported', () => {
    const [one, two] = [kernel.arena(), kernel.arena()]
    one.set(0, kernel.fromName('one'))
    expect([one.size, two.size]).toEqual([1, 0])
    expect(one.bytes).toBeGreaterThanOrEqual(1024)
    expect(kernel.memoryBytes).toBeGreaterThanOrEqual(one.bytes)
    two.free()
    expect(one.get(0)).toEqual(kernel.fromName('one'))
    one.free()
  })
})
