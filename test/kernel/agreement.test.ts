import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Query } from '../../src/kernel/port.js'
import { features, latent, name, reference, sum, vector, wasm, weight } from './kernels.js'

function check<T>(arbitrary: fc.Arbitrary<T>, law: (value: T) => void, numRuns = 100): void {
  fc.assert(fc.property(arbitrary, law), { numRuns })
}

/** Slots near each other, and far apart. */
const slot = fc.oneof(fc.nat(40), fc.nat(5000), fc.constantFrom(2 ** 31, 2 ** 32 - 1))
/** Few signatures, so that many slots hold the same and their scores tie. */
const signature = fc.nat(9).map((n) => reference.fromName(`signature ${n}`))
const query: fc.Arbitrary<Query> = fc.oneof(
  signature.map((signs) => reference.query(signs)),
  features.map(({ names, weights }) => reference.quantise(reference.superpose(names, weights))),
  sum.map((values) => reference.quantise(values)),
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

  test('weights as large as they may be', () => {
    const names = ['a', 'b', 'c']
    for (const weights of [[2 ** 31 - 1, 0, 0], [1 - 2 ** 31, 0, 0], [2 ** 30, -(2 ** 30) + 2, 1]]) {
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
            arena.setMany(Uint32Array.from(step.rows, ([s]) => s), signatures)
          }
        }
      }
      const [a, b] = arenas
      expect(a.size).toBe(b.size)
      const slots = Uint32Array.from([0, 1, 2, 3, 40, 999, 2 ** 31, 2 ** 32 - 1])
      for (const at of slots) {
        expect(a.has(at)).toBe(b.has(at))
        expect(a.get(at)).toEqual(b.get(at))
      }
      for (const q of queries) {
        expect(a.scan(q, k, allowed)).toEqual(b.scan(q, k, allowed))
        expect(a.score(q, slots)).toEqual(b.score(q, slots))
      }
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
})
