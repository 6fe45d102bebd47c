import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { patternsIn, patternsOfSubjects, readCsv, readNpy } from '../../../src/bams/index.js'
import { AgidbError } from '../../../src/base/errors.js'
import { runs } from '../../runs.js'
import { golden } from './golden.js'

/** A file of version 1 with a header as it is given. */
function file(header: string, numbers = new Uint8Array(0), version = 1): Uint8Array {
  const text = new TextEncoder().encode(header)
  const length = version === 1 ? [text.length & 255, text.length >> 8] : [text.length & 255, text.length >> 8, 0, 0]
  return Uint8Array.from([0x93, ...new TextEncoder().encode('NUMPY'), version, 0, ...length, ...text, ...numbers])
}

const header = (descr: string, shape: string, order = 'False') =>
  `{'descr': '${descr}', 'fortran_order': ${order}, 'shape': ${shape}, }\n`

function code(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (error instanceof AgidbError) return error.code
    throw error
  }
  return 'none'
}

describe('readNpy', () => {
  it('reads what NumPy wrote: versions, byte orders, types and both orders of numbers', () => {
    for (const { file, shape, values } of golden.files) {
      const found = readNpy(Uint8Array.from(Buffer.from(file, 'base64')))
      expect(found.shape).toEqual(shape)
      expect([...found.values]).toEqual([values].flat())
    }
  })

  it('reads a part of a larger buffer', () => {
    const bytes = Buffer.from(golden.files[2]!.file, 'base64')
    const larger = new Uint8Array(bytes.length + 3)
    larger.set(bytes, 3)
    expect([...readNpy(larger.subarray(3)).values]).toEqual(golden.files[2]!.values)
  })

  const eight = new Uint8Array(8)
  it.each([
    ['no magic', new TextEncoder().encode('not a file of NumPy'), 'AGIDB_PARSE'],
    ['nothing', new Uint8Array(0), 'AGIDB_PARSE'],
    ['version 4', file(header('<f8', '(1,)'), eight, 4), 'AGIDB_UNSUPPORTED'],
    ['objects', file(header('|O', '(1,)'), eight), 'AGIDB_UNSUPPORTED'],
    ['records', file(`{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }`, eight), 'AGIDB_PARSE'],
    ['complex numbers', file(header('<c8', '(1,)'), eight), 'AGIDB_UNSUPPORTED'],
    ['no byte order', file(header('|f8', '(1,)'), eight), 'AGIDB_UNSUPPORTED'],
    ['a type from the prototype', file(header('<toString', '(1,)'), eight), 'AGIDB_UNSUPPORTED'],
    ['fewer numbers', file(header('<f8', '(2,)'), eight), 'AGIDB_PARSE'],
    ['more numbers', file(header('<f4', '(1,)'), eight), 'AGIDB_PARSE'],
    ['a huge shape', file(header('<f8', '(999999999999999, 999999999999999)'), eight), 'AGIDB_PARSE'],
    ['a negative length', file(header('<f8', '(-1,)'), eight), 'AGIDB_PARSE'],
    ['a shape that is code', file(header('<f8', '(__import__,)'), eight), 'AGIDB_PARSE'],
    ['a number instead of a tuple', file(header('<f8', '(1)'), eight), 'AGIDB_PARSE'],
    ['33 dimensions', file(header('<f8', `(${'1,'.repeat(33)})`), eight), 'AGIDB_PARSE'],
    ['a key twice', file(header('<f8', "(1,), 'shape': (1,)"), eight), 'AGIDB_PARSE'],
    ['no shape', file("{'descr': '<f8', 'fortran_order': False}", eight), 'AGIDB_PARSE'],
    ['another key', file(header('<f8', "(1,), 'x': True"), eight), 'AGIDB_PARSE'],
    ['another order', file(header('<f8', '(1,)', "'C'"), eight), 'AGIDB_PARSE'],
    ['no dictionary', file('[1, 2]', eight), 'AGIDB_PARSE'],
    ['a header that is cut short', file(header('<f8', '(1,)')).subarray(0, 40), 'AGIDB_PARSE'],
    [
      'an enormous header',
      Uint8Array.from([0x93, 78, 85, 77, 80, 89, 2, 0, 255, 255, 255, 255, 0, 0]),
      'AGIDB_TOO_LARGE',
    ],
    [
      'an integer over 2 to the 53',
      file(
        header('<i8', '(1,)'),
        eight.map(() => 0x7f),
      ),
      'AGIDB_PARSE',
    ],
  ])('refuses %s with a code', (_, bytes, expected) => {
    expect(code(() => readNpy(bytes))).toBe(expected)
  })

  it('refuses a header of many spaces', () => {
    const long = file(`{${' '.repeat(65_000)}`, eight)
    expect(code(() => readNpy(long))).toBe('AGIDB_PARSE')
    expect(code(() => readNpy(file(`{'descr': '${' '.repeat(65_000)}`, eight)))).toBe('AGIDB_PARSE')
  })

  it('reads damaged files or refuses them with a code, and nothing else', () => {
    const whole = Buffer.from(golden.files[0]!.file, 'base64')
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length), (at, byte, length) => {
        const damaged = Uint8Array.from(whole)
        damaged[at] = byte
        expect(code(() => readNpy(damaged.subarray(0, Math.max(length, at))))).toMatch(/^(none|AGIDB_[A-Z_]+)$/)
      }),
      { numRuns: runs(300) },
    )
  })
})

describe('Arrays as patterns', () => {
  it('an array of three dimensions has the patterns of each subject', () => {
    const array = { shape: [2, 3, 1], values: Float64Array.of(1, 2, 3, 4, 5, 6) }
    expect(patternsOfSubjects(array).map(({ values }) => [...values])).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ])
    expect(code(() => patternsIn(array))).toBe('AGIDB_INVALID_ARGUMENT')
    expect(code(() => patternsOfSubjects({ shape: [6], values: array.values }))).toBe('AGIDB_INVALID_ARGUMENT')
  })

  it('a number that is not finite is refused', () => {
    expect(code(() => patternsIn({ shape: [1, 2], values: Float64Array.of(1, Number.NaN) }))).toBe(
      'AGIDB_INVALID_ARGUMENT',
    )
  })
})

describe('readCsv', () => {
  it('reads names of columns and rows, quotes, and other separators', () => {
    const table = readCsv('stimulus;V1;"V ""4"";"\r\n"a;1";1;-2.5e1\r\nb;.5;3.\r\n\r\n')
    expect(table).toEqual({
      rows: 2,
      columns: 2,
      values: Float64Array.of(1, -25, 0.5, 3),
      columnNames: ['V1', 'V "4";'],
      rowNames: ['a;1', 'b'],
    })
  })

  it('reads bare numbers', () => {
    expect(readCsv('1,2\n3,4')).toEqual({ rows: 2, columns: 2, values: Float64Array.of(1, 2, 3, 4) })
    expect(readCsv('1\t2\n')).toEqual({ rows: 1, columns: 2, values: Float64Array.of(1, 2) })
  })

  it.each([
    ['', 1],
    ['1,2\n3', 2],
    ['1,2\n3,x', 2],
    ['1,2\n3,', 2],
    ['1,2\n"3', 2],
    ['1,2\n"3"4,5', 2],
    ['1,2\n3,Infinity', 2],
    ['a,b', 1],
  ])('refuses %j', (text) => {
    expect(code(() => readCsv(text))).toBe('AGIDB_PARSE')
  })

  // It took a minute when the time to refuse a field grew faster than its length.
  it('refuses a field of many digits that is no number at once', () => {
    const started = performance.now()
    expect(code(() => readCsv(`1,2\n3,${'4'.repeat(200_000)}x`))).toBe('AGIDB_PARSE')
    expect(performance.now() - started).toBeLessThan(3000)
  })

  it.each(['1', '+1.', '-.5', ' 1.5e-3 ', '0012', '1E5'])('reads %j as a number', (field) => {
    expect([...readCsv(`0,${field}`).values]).toEqual([0, Number(field)])
  })

  it.each(['.', '1..', '1.e', 'e5', '--1', '1 2', '0x1'])('does not read %j as a number', (field) => {
    expect(code(() => readCsv(`0,0\n0,${field}`))).toBe('AGIDB_PARSE')
  })

  it('reads back what was written as text', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true })
    fc.assert(
      fc.property(fc.array(fc.tuple(number, number), { minLength: 1, maxLength: 9 }), (rows) => {
        const table = readCsv(rows.map((row) => row.join(',')).join('\n'))
        expect([...table.values].map(String)).toEqual(rows.flat().map(String))
      }),
      { numRuns: runs(100) },
    )
  })
})
