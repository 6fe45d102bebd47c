import { describe, expect, test } from 'vitest'
import { AgidbError, type ErrorCode } from '../../../src/base/errors.js'
import type { Hypervector, Query, Terms } from '../../../src/kernel/port.js'
import { kernels } from './kernels.js'

function refusal(call: () => unknown): { code: ErrorCode; message: string } {
  try {
    call()
  } catch (error) {
    if (error instanceof AgidbError) return { code: error.code, message: error.message }
    throw error
  }
  throw new Error('was accepted')
}

const short = new Uint8Array(1023)
const long = new Uint8Array(1025)
const right = new Uint8Array(1024)
const query: Query = { signs: right, norm: 1 }
const one: Terms = { rows: Int8Array.of(1, 2), factors: Float64Array.of(1), terms: Uint16Array.of(0) }
const wrong = <T>(value: unknown) => value as T

describe.each(kernels)('wrong arguments, %s kernel', (_, kernel) => {
  const arena = kernel.arena()
  const begun = () => {
    const batch = kernel.batch()
    batch.begin(1)
    return batch
  }
  const calls: [string, string, () => unknown][] = [
    [
      'bind, short',
      'a must be a hypervector (Uint8Array of length 1024), not Uint8Array of length 1023',
      () => kernel.bind(short, right),
    ],
    ['bind, long', 'b must be', () => kernel.bind(right, long)],
    ['bind, an array', 'a must be', () => kernel.bind(wrong<Hypervector>([1, 2]), right)],
    ['bind, nothing', 'not undefined', () => kernel.bind(right, wrong<Hypervector>(undefined))],
    ['permute by a fraction', 'shift must be an integer, not 0.5', () => kernel.permute(right, 0.5)],
    ['permute by NaN', 'shift must be an integer, not NaN', () => kernel.permute(right, NaN)],
    ['hamming', 'b must be', () => kernel.hamming(right, short)],
    ['similarity', 'a must be', () => kernel.similarity(short, right)],
    ['bundle', 'vectors[1] must be', () => kernel.bundle([right, short])],
    [
      'bundle, weights missing',
      'weights must be an Int32Array of length 2',
      () => kernel.bundle([right, right], Int32Array.of(1)),
    ],
    ['bundle, plain weights', 'weights must be', () => kernel.bundle([right], wrong<Int32Array>([1]))],
    ['fromSeed', 'seed must be a Uint8Array of length 32', () => kernel.fromSeed(new Uint8Array(31))],
    ['fromName', 'name must be a string, not 5', () => kernel.fromName(wrong<string>(5))],
    [
      'superpose, weights missing',
      'weights must be an Int32Array of length 2',
      () => kernel.superpose(['a', 'b'], Int32Array.of(1)),
    ],
    ['superpose, overflow', 'less than 2^31', () => kernel.superpose(['a', 'b'], Int32Array.of(2 ** 31 - 1, -1))],
    [
      'superpose, no names',
      'names must be an array',
      () => kernel.superpose(wrong<string[]>('ab'), Int32Array.of(1, 1)),
    ],
    [
      'superpose, a number for a name',
      'name must be a string',
      () => kernel.superpose(wrong<string[]>([1]), Int32Array.of(1)),
    ],
    ['textSignature', 'weights must be', () => kernel.textSignature(['a'], new Int32Array(0))],
    ['threshold', 'sum must be an Int32Array of length 8192', () => kernel.threshold(new Int32Array(8191))],
    ['quantise', 'sum must be', () => kernel.quantise(wrong<Int32Array>(new Float32Array(8192)))],
    ['query', 'signature must be', () => kernel.query(short)],
    ['project nothing', 'latent must be a Float32Array of length 1 to 8192', () => kernel.project(new Float32Array(0))],
    ['project too much', 'latent must be', () => kernel.project(new Float32Array(8193).fill(1))],
    ['project zeros', 'not be the zero vector', () => kernel.project(Float32Array.of(0, -0))],
    ['project NaN', 'latent[1] must be a finite number, not NaN', () => kernel.project(Float32Array.of(1, NaN))],
    [
      'project infinity',
      'latent[0] must be a finite number, not Infinity',
      () => kernel.project(Float32Array.of(Infinity)),
    ],
    [
      'unitSums, a term that is none',
      'terms must be numbers under 1, the number of factors, not 1',
      () => kernel.unitSums({ ...one, terms: Uint16Array.of(0, 1) }, Uint32Array.of(2)),
    ],
    [
      'unitSums, terms in an array',
      'terms must be a Uint16Array',
      () => kernel.unitSums({ ...one, terms: wrong<Uint16Array>([0]) }, Uint32Array.of(1)),
    ],
    [
      'unitSums, more than there is',
      'ends must be a Uint32Array of ascending numbers up to 1',
      () => kernel.unitSums(one, Uint32Array.of(2)),
    ],
    [
      'projectSums, a term that is none',
      'terms must be',
      () => kernel.projectSums({ ...one, terms: Uint16Array.of(1) }, Uint32Array.of(1), right),
    ],
    [
      'maxSim of rows of another length',
      'rows must be 3 numbers for each of the factors, not 2',
      () => kernel.maxSim({ ...one, rows: Int8Array.of(1, 2) }, Uint32Array.of(1), new Int8Array(3), 3),
    ],
    [
      'maxSim with a part of a row',
      'others must be an Int8Array of rows of length 2',
      () => kernel.maxSim({ ...one, rows: Int8Array.of(1, 2) }, Uint32Array.of(1), new Int8Array(3), 2),
    ],
    [
      'maxSim of no length',
      'length must be an integer from 1 to 8192, not 0',
      () => kernel.maxSim(one, Uint32Array.of(1), new Int8Array(0), 0),
    ],
    [
      'dots of no length',
      'length must be an integer of 1 or more, not 0',
      () => kernel.dots(new Float32Array(0), new Float32Array(0), 0),
    ],
    [
      'dots of a part',
      'vectors must be a Float32Array of vectors of length 2',
      () => kernel.dots(new Float32Array(3), new Float32Array(2), 2),
    ],
    ['dots with an array', 'others must be', () => kernel.dots(new Float32Array(2), wrong<Float32Array>([1, 2]), 2)],
    ['set at a negative slot', 'slot must be an integer from 0 to 4294967294, not -1', () => arena.set(-1, right)],
    ['set at a fraction', 'slot must be', () => arena.set(1.5, right)],
    ['set beyond the last slot', 'slot must be', () => arena.set(2 ** 32 - 1, right)],
    ['set a short signature', 'signature must be', () => arena.set(1, short)],
    [
      'setMany, lengths differ',
      'signatures must be a Uint8Array of length 2048',
      () => arena.setMany(Uint32Array.of(1, 2), right),
    ],
    ['setMany, plain slots', 'slots must be a Uint32Array', () => arena.setMany(wrong<Uint32Array>([1]), right)],
    ['setMany beyond the last slot', 'slots must be', () => arena.setMany(Uint32Array.of(2 ** 32 - 1), right)],
    ['digest', 'bytes must be a Uint8Array', () => kernel.digest(wrong<Uint8Array>('ab'))],
    ['get', 'slot must be', () => arena.get(NaN)],
    ['has', 'slot must be', () => arena.has(-5)],
    ['clear', 'slot must be', () => arena.clear(wrong<number>('1'))],
    ['scan, negative k', 'k must be an integer of 0 or more, not -1', () => arena.scan(query, -1)],
    ['scan, fractional k', 'k must be', () => arena.scan(query, 1.5)],
    ['scan, no query', 'query.signs must be', () => arena.scan(wrong<Query>(undefined), 1)],
    ['scan, short planes', 'query.planes must be', () => arena.scan({ ...query, planes: right }, 1)],
    ['scanMany, one query', 'queries must be an array of queries', () => arena.scanMany(wrong<Query[]>(query), 1)],
    ['scanMany, wrong query', 'query.planes must be', () => arena.scanMany([query, { ...query, planes: right }], 1)],
    ['scanMany, negative k', 'k must be', () => arena.scanMany([query], -1)],
    ['scanMany, plain allow', 'allow must be', () => arena.scanMany([query], 1, wrong<Uint32Array>([1]))],
    ['arena, negative rows', 'rows must be an integer', () => kernel.arena({ rows: -1 })],
    ['scan, plain allow', 'allow must be', () => arena.scan(query, 1, wrong<Uint32Array>([1]))],
    ['batch, negative room', 'most must be an integer', () => kernel.batch().begin(-1)],
    ['batch, no room', 'the batch is full', () => kernel.batch().add(right)],
    ['batch, half a signature', 'bytes must be a Uint8Array with 1024 from 1 on', () => begun().add(right, 1)],
    ['batch, plain bytes', 'bytes must be', () => begun().add(wrong<Uint8Array>([1]))],
    ['batch, no query', 'query.signs must be', () => kernel.batch().score(wrong<Query>(undefined))],
    ['score', 'slots must be', () => arena.score(query, wrong<Uint32Array>([1]))],
    [
      'lexicon, a word with a space',
      'word must be a string without a space, not "New York"',
      () => kernel.lexicon().add('New York', [], new Uint32Array(0)),
    ],
    [
      'lexicon, a feature named like a pair',
      'names must be strings that do not start with pair:, not "pair:new york"',
      () => kernel.lexicon().add('new', ['pair:new york'], Uint32Array.of(1)),
    ],
    [
      'lexicon, a weight beyond the greatest',
      'weights must be a Uint32Array of length 1, of numbers from 1 to 15, not 16',
      () => kernel.lexicon().add('new', ['word:new'], Uint32Array.of(16)),
    ],
    [
      'lexicon, the number of no word',
      'words must be numbers under 0, the number of words of the lexicon, not 0',
      () => kernel.lexicon().signature(Uint32Array.of(0)),
    ],
  ]

  test.each(calls)('%s', (_name, message, call) => {
    const { code, message: said } = refusal(call)
    expect(code).toBe('AGIDB_INVALID_ARGUMENT')
    expect(said).toContain(message)
  })

  test('a refused batch leaves the arena as it was', () => {
    arena.set(1, right)
    refusal(() => arena.setMany(Uint32Array.of(1, 2), new Uint8Array(2047)))
    expect([arena.size, arena.get(1), arena.has(2)]).toEqual([1, right, false])
  })

  test('a batch that was freed', () => {
    const gone = begun()
    gone.free()
    gone.free()
    expect(gone.bytes).toBe(0)
    for (const call of [() => gone.begin(1), () => gone.add(right), () => gone.score(query)])
      expect(refusal(call).code).toBe('AGIDB_CLOSED')
  })

  test('an arena that was freed', () => {
    const gone = kernel.arena()
    gone.set(1, right)
    gone.free()
    gone.free()
    expect([gone.size, gone.bytes]).toEqual([0, 0])
    const uses = [
      () => gone.scan(query, 1),
      () => gone.scanMany([query], 1),
      () => gone.get(1),
      () => gone.set(1, right),
      () => gone.has(1),
    ]
    for (const call of [...uses, () => gone.clear(1)]) {
      expect(refusal(call).code).toBe('AGIDB_CLOSED')
    }
  })
})
