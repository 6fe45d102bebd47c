import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { heaviest } from '../../../src/encoding/heaviest.js'
import { type Arena, type Query, SIGNATURE_BYTES } from '../../../src/kernel/port.js'
import { features, latent, name, reference, sum, vector, wasm, weight } from '../../unit/kernel/kernels.js'

function check<T>(arbitrary: fc.Arbitrary<T>, law: (value: T) => void, numRuns = 100): void {
  fc.assert(fc.property(arbitrary, law), { numRuns })
}

/** Slots near each other, and far apart. */
const slot = fc.oneof(fc.nat(40), fc.nat(5000), fc.constantFrom(2 ** 31, 2 ** 32 - 2))
/** Few signatures, so that many slots hold the same and their scores tie. */
const signature = fc.nat(9).map((n) => reference.fromName(`signature ${n}`))
const query: fc.Arbitrary<Query> = fc.oneof(
  signature.map((signs) => reference.query(signs)),
  features.map(({ names, weights }) => reference.quantise(reference.superpose(names, weights))),
  sum.map((values) => reference.quantise(values)),
  fc.tuple(sum, fc.nat(600)).map(([values, count]) => heaviest(reference.quantise(values), count)),
)

type Change =
  | { op: 'set'; slot: number; signature: Uint8Array }
  | { op: 'setMany'; rows: [number, Uint8Array][] }
  | { op: 'clear'; slot: number }
const rows = fc.array(fc.tuple(slot, signature), { maxLength: 30 })
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ op: fc.constant('set' as const), slot, signature }),
  fc.record({ op: fc.constant('setMany' as const), rows }),
  fc.record({ op: fc.constant('clear' as const), slot }),
)

describe('the WebAssembly kernel agrees with the reference bit for bit', () => {
  test('bind, hamming, similarity', () => {
    check(fc.tuple(vector, vector), ([a, b]) => {
      expect(wasm.bind(a, b)).toEqual(reference.bind(a, b))
      expect(wasm.hamming(a, b)).toBe(reference.hamming(a, b))
      expect(wasm.similarity(a, b)).toBe(reference.similarity(a, b))
    })
  })

  test('permute by any integer', () => {
    check(fc.tuple(vector, fc.oneof(fc.integer({ min: -9000, max: 9000 }), fc.maxSafeInteger())), ([a, shift]) => {
      expect(wasm.permute(a, shift)).toEqual(reference.permute(a, shift))
    })
  })

  test('bundle', () => {
    check(fc.array(fc.tuple(vector, weight), { maxLength: 40 }), (pairs) => {
      const vectors = pairs.map(([v]) => v)
      const weights = Int32Array.from(pairs, ([, w]) => w)
      expect(wasm.bundle(vectors)).toEqual(reference.bundle(vectors))
      expect(wasm.bundle(vectors, weights)).toEqual(reference.bundle(vectors, weights))
    })
  })

  test('fromSeed, fromName', () => {
    check(fc.uint8Array({ minLength: 32, maxLength: 32 }), (seed) => {
      expect(wasm.fromSeed(seed)).toEqual(reference.fromSeed(seed))
    })
    check(name, (text) => {
      expect(wasm.fromName(text)).toEqual(reference.fromName(text))
    })
  })

  test('superpose, textSignature', () => {
    check(features, ({ names, weights }) => {
      expect(wasm.superpose(names, weights)).toEqual(reference.superpose(names, weights))
      expect(wasm.textSignature(names, weights)).toEqual(reference.textSignature(names, weights))
    })
  })

  test('lexicons, whatever their words', () => {
    // Halves of surrogate pairs are all one in UTF-8, by which features are told apart.
    const whole = fc.string({ unit: 'grapheme', maxLength: 12 })
    const feature = fc.tuple(fc.oneof(whole, fc.nat(9).map(String)), fc.integer({ min: 1, max: 15 }))
    const word = fc.record({
      spelling: whole.map((text) => text.replaceAll(' ', '_')),
      features: fc.uniqueArray(feature, { maxLength: 20, selector: ([name]) => name }),
    })
    const words = fc.uniqueArray(word, { minLength: 1, maxLength: 8, selector: ({ spelling }) => spelling })
    check(
      fc.tuple(words, fc.array(fc.array(fc.nat(), { maxLength: 40 }), { maxLength: 4 })),
      ([words, texts]) => {
        const lexicons = [wasm.lexicon(), reference.lexicon()] as const
        const weights = new Map<string, number>()
        for (const { spelling, features } of words) {
          const names = features.map(([name]) => name)
          for (const [name, weight] of features) if (!weights.has(name)) weights.set(name, weight)
          const own = Uint32Array.from(names, (name) => weights.get(name)!)
          expect(lexicons[0].add(spelling, names, own)).toBe(lexicons[1].add(spelling, names, own))
        }
        const numbers = texts.map((text) => Uint32Array.from(text, (number) => number % words.length))
        const alone = numbers.map((text) => lexicons[0].signature(text))
        numbers.forEach((text, i) => expect(alone[i]).toEqual(lexicons[1].signature(text)))
        let end = 0
        const ends = Uint32Array.from(numbers, ({ length }) => (end += length))
        for (const lexicon of lexicons) {
          const together = new Uint8Array(numbers.length * SIGNATURE_BYTES)
          lexicon.signatures(Uint32Array.from(numbers.flatMap((text) => [...text])), ends, together)
          alone.forEach((signature, i) =>
            expect(together.subarray(i * SIGNATURE_BYTES, (i + 1) * SIGNATURE_BYTES)).toEqual(signature),
          )
        }
        for (const lexicon of lexicons) lexicon.free()
      },
      40,
    )
  })

  test('weights as large as they may be', () => {
    const names = ['a', 'b', 'c']
    for (const weights of [
      [2 ** 31 - 1, 0, 0],
      [1 - 2 ** 31, 0, 0],
      [2 ** 30, -(2 ** 30) + 2, 1],
    ]) {
      const w = Int32Array.from(weights)
      expect(wasm.superpose(names, w)).toEqual(reference.superpose(names, w))
      expect(wasm.textSignature(names, w)).toEqual(reference.textSignature(names, w))
    }
  })

  test('threshold, quantise', () => {
    check(sum, (values) => {
      expect(wasm.threshold(values)).toEqual(reference.threshold(values))
      expect(wasm.quantise(values)).toEqual(reference.quantise(values))
    })
  })

  test('project', () => {
    check(
      latent,
      (values) => {
        expect(wasm.project(values)).toEqual(reference.project(values))
      },
      60,
    )
  })

  test('projectQuery', () => {
    check(
      latent,
      (values) => {
        expect(wasm.projectQuery(values)).toEqual(reference.projectQuery(values))
      },
      60,
    )
  })

  /** Terms of sums, of which some come again, and where the sums end. */
  const sums = fc
    .tuple(
      fc.oneof(fc.integer({ min: 1, max: 600 }), fc.constantFrom(256, 1024)),
      fc.array(fc.oneof(fc.double({ min: -2, max: 2, noNaN: true }), fc.constantFrom(0, 1e30, -1e30, 1e-40, 1 / 3)), {
        maxLength: 12,
      }),
      fc.int8Array({ minLength: 1, maxLength: 50 }),
      fc.array(fc.nat(1000), { maxLength: 30 }),
      fc.array(fc.nat(30), { maxLength: 6 }),
    )
    .map(([length, factors, pattern, picks, cuts]) => {
      const terms = Uint16Array.from(factors.length === 0 ? [] : picks, (pick) => pick % factors.length)
      const rows = Int8Array.from({ length: length * factors.length }, (_, i) => pattern[(i * i + i) % pattern.length])
      return {
        length,
        of: { rows, factors: Float64Array.from(factors), terms },
        ends: Uint32Array.from(cuts, (cut) => Math.min(cut, terms.length)).sort(),
      }
    })

  test('unitSums', () => {
    check(sums, ({ length, of, ends }) => {
      const made = wasm.unitSums(of, ends)
      expect(made).toEqual(reference.unitSums(of, ends))
      for (let i = 0; i < ends.length && of.factors.length > 0; i++) {
        const squares = made.subarray(i * length, (i + 1) * length).reduce((sum, value) => sum + value * value, 0)
        if (squares !== 0) expect(squares).toBeCloseTo(1, 4)
      }
    })
  })

  test('maxSim', () => {
    const other = fc.array(fc.integer({ min: -128, max: 127 }), { minLength: 1, maxLength: 40 })
    check(fc.tuple(sums, other, fc.nat(4)), ([{ length, of, ends }, pattern, count]) => {
      const others = Int8Array.from({ length: length * count }, (_, i) => pattern[(i * i + 3 * i) % pattern.length])
      const found = wasm.maxSim(of, ends, others, length)
      expect(found).toEqual(reference.maxSim(of, ends, others, length))
      expect(found.length).toBe(ends.length * count)
      // One by one, a sum of its own for each term: the greatest of these, and of 0.
      for (let sum = 0; sum < ends.length; sum++) {
        const terms = of.terms.subarray(ends[sum - 1] ?? 0, ends[sum])
        const alone = Array.from(terms, (term) =>
          wasm.maxSim({ ...of, terms: Uint16Array.of(term) }, Uint32Array.of(1), others, length),
        )
        for (let at = 0; at < count; at++)
          expect(found[sum * count + at]).toBe(Math.max(0, ...alone.map((products) => products[at])))
      }
    })
  })

  test('dots', () => {
    const number = fc.oneof(
      fc.float({ min: -2, max: 2, noNaN: true }),
      fc.constantFrom(0, -0, Math.fround(1e30), Math.fround(-1e30), Math.fround(1e-40), Math.fround(1 / 3)),
    )
    check(
      fc.tuple(
        fc.integer({ min: 1, max: 70 }),
        fc.nat(5),
        fc.nat(4),
        fc.array(number, { minLength: 1, maxLength: 60 }),
      ),
      ([length, some, others, pattern]) => {
        const filled = (count: number, from: number) =>
          Float32Array.from({ length: count * length }, (_, i) => pattern[(i * i + i + from) % pattern.length])
        const [a, b] = [filled(some, 0), filled(others, 3)]
        const found = wasm.dots(a, b, length)
        expect(found).toEqual(reference.dots(a, b, length))
        expect(found.length).toBe(some * others)
        for (let i = 0; i < found.length; i++) {
          const of = (vectors: Float32Array, at: number) => vectors.subarray(at * length, (at + 1) * length)
          const products = Array.from(of(a, Math.floor(i / others)), (value, d) => value * of(b, i % others)[d])
          const largest = products.reduce((most, product) => Math.max(most, Math.abs(product)), 0)
          // Each of the two orders of summing is off by n · Σ|p| · 2⁻⁵³ at most (Higham, Accuracy and Stability, 4.2).
          const bound = length * length * Number.EPSILON * largest
          expect(Math.abs(found[i] - products.reduce((sum, product) => sum + product, 0))).toBeLessThanOrEqual(bound)
        }
      },
    )
  })

  test('projectSums, each as alone', () => {
    check(
      fc.tuple(sums, fc.constantFrom(1024, 1032, 2056)),
      ([{ length, of, ends }, every]) => {
        for (const kernel of [wasm, reference]) {
          const into = new Uint8Array(ends.length * every)
          const some = kernel.projectSums(of, ends, into, every)
          ends.forEach((end, i) => {
            // Each of its terms with a latent of its own.
            const terms = Array.from(of.terms.subarray(ends[i - 1] ?? 0, end))
            const rows = new Int8Array(terms.length * length)
            terms.forEach((term, t) => rows.set(of.rows.subarray(term * length, (term + 1) * length), t * length))
            const alone = new Uint8Array(SIGNATURE_BYTES)
            const own = {
              rows,
              factors: Float64Array.from(terms, (term) => of.factors[term]),
              terms: Uint16Array.from(terms.keys()),
            }
            const [has] = reference.projectSums(own, Uint32Array.of(terms.length), alone)
            expect(some[i]).toBe(has)
            expect(into.slice(i * every, i * every + SIGNATURE_BYTES)).toEqual(alone)
          })
        }
      },
      60,
    )
  })

  test('batches, from anywhere in larger buffers, one after the other', () => {
    const batches = [wasm.batch(), reference.batch()] as const
    check(
      fc.tuple(
        fc.array(fc.array(vector, { maxLength: 9 }), { maxLength: 4 }),
        fc.array(query, { minLength: 1, maxLength: 3 }),
        fc.nat(70),
      ),
      ([lists, queries, before]) => {
        for (const vectors of lists) {
          for (const batch of batches) {
            batch.begin(vectors.length + (before % 3))
            for (const vector of vectors) {
              const space = new Uint8Array(before + 1024 + 5)
              space.set(vector, before)
              batch.add(space, before)
            }
          }
          const arena = reference.arena()
          vectors.forEach((vector, slot) => arena.set(slot, vector))
          const slots = Uint32Array.from(vectors.keys())
          for (const query of queries)
            for (const batch of batches) expect(batch.score(query)).toEqual(arena.score(query, slots))
        }
      },
      60,
    )
  })

  test('a batch after the memory has grown', () => {
    const batch = wasm.batch()
    batch.begin(2)
    batch.add(wasm.fromName('a'))
    const large = wasm.batch()
    large.begin(70_000)
    batch.add(wasm.fromName('b'))
    expect([...batch.score(wasm.query(wasm.fromName('b')))].map((score) => score === 8192)).toEqual([false, true])
    large.free()
    batch.free()
  })

  test('vectors that stand off any boundary inside a larger buffer', () => {
    const space = new Uint8Array(3000)
    const a = space.subarray(3, 1027).fill(0x5a)
    const b = space.subarray(1031, 2055).fill(0x33)
    expect(wasm.bind(a, b)).toEqual(reference.bind(a, b))
    expect(wasm.hamming(a, b)).toBe(reference.hamming(a, b))
  })

  test('arenas after any history', () => {
    const allow = fc.option(fc.uint32Array({ maxLength: 160 }), { nil: undefined })
    const queries = fc.array(query, { minLength: 1, maxLength: 3 })
    const search = fc.tuple(fc.array(change, { maxLength: 40 }), queries, fc.nat(60), allow)
    check(search, ([changes, queries, k, allowed]) => {
      const arenas = [wasm.arena(), reference.arena()] as const
      for (const arena of arenas) {
        for (const step of changes) {
          if (step.op === 'set') arena.set(step.slot, step.signature)
          else if (step.op === 'clear') arena.clear(step.slot)
          else {
            const signatures = new Uint8Array(step.rows.length * 1024)
            step.rows.forEach(([, row], i) => signatures.set(row, i * 1024))
            arena.setMany(
              Uint32Array.from(step.rows, ([s]) => s),
              signatures,
            )
          }
        }
      }
      const [a, b] = arenas
      expect(a.size).toBe(b.size)
      const slots = Uint32Array.from([0, 1, 2, 3, 40, 999, 2 ** 31, 2 ** 32 - 2])
      for (const at of slots) {
        expect(a.has(at)).toBe(b.has(at))
        expect(a.get(at)).toEqual(b.get(at))
      }
      for (const q of queries) {
        expect(a.scan(q, k, allowed)).toEqual(b.scan(q, k, allowed))
        expect(a.score(q, slots)).toEqual(b.score(q, slots))
      }
      expect(a.scanMany(queries, k, allowed)).toEqual(b.scanMany(queries, k, allowed))
      expect(a.scanMany([], k)).toEqual([])
      a.free()
      b.free()
    })
  })

  test('an arena of several chunks, with holes and many ties', () => {
    const arenas = [wasm.arena(), reference.arena()]
    for (const arena of arenas) {
      for (let slot = 0; slot < 3000; slot++) arena.set(slot * 3, reference.fromName(`row ${slot % 700}`))
      for (let slot = 0; slot < 9000; slot += 33) arena.clear(slot)
    }
    const allow = new Uint32Array(200).fill(0xdeadbeef)
    const weighted = reference.superpose(['row 5', 'row 6', 'x'], Int32Array.of(5, -3, 1))
    for (const q of [reference.query(reference.fromName('row 5')), reference.quantise(weighted)]) {
      for (const k of [0, 1, 10, 2000, 10_000]) {
        expect(arenas[0].scan(q, k)).toEqual(arenas[1].scan(q, k))
        expect(arenas[0].scan(q, k, allow)).toEqual(arenas[1].scan(q, k, allow))
      }
    }
    for (const arena of arenas) arena.free()
  })

  describe('arenas of more signatures than a block of columns holds', () => {
    const HELD = 33_500
    /** Few, so that most scores tie; the extremes among them. */
    const signatures = Array.from({ length: 300 }, (_, i) => reference.fromName(`kind ${i}`))
    signatures.push(new Uint8Array(1024), new Uint8Array(1024).fill(255))
    /** In a mixed order, with holes between. */
    const slotAt = (place: number) => 2 * ((place * 7919) % HELD) + 5
    const fill = (arena: Arena) => {
      const rows = new Uint8Array(HELD * 1024)
      for (let place = 0; place < HELD; place++) rows.set(signatures[(place * 31) % signatures.length], place * 1024)
      arena.setMany(
        Uint32Array.from({ length: HELD }, (_, place) => slotAt(place)),
        rows,
      )
      return arena
    }
    const all = (sum: number) => reference.quantise(new Int32Array(8192).fill(sum))
    const mixed = reference.superpose(['kind 5', 'kind 6', 'x'], Int32Array.of(5, -3, 1))
    const queries = [
      ...[7, 300, 301].map((kind) => reference.query(signatures[kind])),
      ...[all(1), all(-1), all(0), reference.quantise(mixed)],
    ]
    const everywhere = new Uint32Array(2100).fill(0xa0000a02)
    const stretch = new Uint32Array(900).fill(-1, 700)
    const masks = [undefined, everywhere, stretch, new Uint32Array(0)]
    const candidates = Uint32Array.from({ length: 500 }, (_, i) => i * 137)

    test.each([0, HELD])('after any history, rows kept of %i', (rows) => {
      const arenas = [fill(wasm.arena({ rows })), fill(reference.arena())]
      // The reference takes its time to scan so many: each query gets one of the masks.
      const compare = (which: number, k: number, allow: Uint32Array | undefined = masks[which % masks.length]) => {
        const q = queries[which]
        expect(arenas[0].scan(q, k, allow)).toEqual(arenas[1].scan(q, k, allow))
        expect(arenas[0].scanMany([queries[1], q], k, allow)[1]).toEqual(arenas[0].scan(q, k, allow))
        expect(arenas[0].score(q, candidates)).toEqual(arenas[1].score(q, candidates))
      }
      queries.forEach((_, which) => compare(which, 10))
      compare(0, 100_000, undefined)
      compare(6, 3000, everywhere)
      expect(arenas[0].scanMany(queries, 20, stretch)).toEqual(arenas[1].scanMany(queries, 20, stretch))
      const place = fc.nat(HELD + 40)
      const step = fc.oneof(
        fc.record({ op: fc.constant('set' as const), place, kind: fc.nat(signatures.length - 1) }),
        fc.record({ op: fc.constant('clear' as const), place }),
        fc.record({ op: fc.constant('ask' as const), which: fc.nat(queries.length - 1) }),
      )
      // Histories add up.
      check(
        fc.tuple(fc.array(step, { minLength: 20, maxLength: 120, size: 'max' }), fc.nat(queries.length - 1)),
        ([steps, which]) => {
          for (const step of steps) {
            if (step.op === 'ask') arenas[0].scan(queries[step.which], 3)
            else
              for (const arena of arenas) {
                if (step.op === 'set') arena.set(slotAt(step.place), signatures[step.kind])
                else arena.clear(slotAt(step.place))
              }
          }
          expect(arenas[0].size).toBe(arenas[1].size)
          for (const step of steps) {
            if (step.op === 'ask') continue
            expect(arenas[0].get(slotAt(step.place))).toEqual(arenas[1].get(slotAt(step.place)))
          }
          compare(which, 10)
        },
        4,
      )
      // Until so few are left that the block gives its rows back.
      for (const arena of arenas)
        for (let place = 0; place < HELD; place++) if (place % 3 > 0) arena.clear(slotAt(place))
      expect(arenas[0].size).toBe(arenas[1].size)
      compare(0, 100_000, undefined)
      compare(6, 10, everywhere)
      for (const arena of arenas) arena.free()
    })
  })
})
