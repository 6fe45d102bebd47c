import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FramePart, SensoryFrame } from '../../../../src/api/sensory.js'
import { DEFAULT_LIMITS } from '../../../../src/api/check.js'
import { AgidbError } from '../../../../src/base/errors.js'
import { faultOfRow } from '../../../../src/records/fault.js'
import { sensoryFrameKind } from '../../../../src/records/kinds/sensory-frame.js'
import { encodeWithBytes, ImportCheck, RecordKinds } from '../../../../src/records/record-kind.js'
import { RECORD_KINDS } from '../../../../src/records/registry.js'

const at = '2027-01-15T08:00:00.000Z'
const common = { id: 'sf_1', at, receivedAt: at, surprise: 0.5, goalRelevance: 0 }
const image: FramePart = { modality: 'image', surprise: 0.25, encoder: 'eye', latent: Float32Array.of(1, -2, 0.5) }
const audio: FramePart = { modality: 'audio', surprise: 0.5, encoder: 'ear', latent: Float32Array.of(3, 4) }
const text: FramePart = { modality: 'text', surprise: 0 }
const several: SensoryFrame = { ...common, modality: 'multimodal', text: 'A bell.', parts: [text, image, audio] }
const faultOf = (row: Uint8Array, id = 'sf_1') =>
  faultOfRow(sensoryFrameKind, row, id, new ImportCheck('row 1', DEFAULT_LIMITS))
const WRONG = 'is no sensory frame'

test('the row of a frame of one sense has the bytes that it always had', () => {
  const frame: SensoryFrame = { ...common, modality: 'audio', latent: Float32Array.of(1, -2), encoder: 'ear' }
  const { latent: _, ...rest } = frame
  const json = new TextEncoder().encode(JSON.stringify({ ...rest, number: 7 }))
  const row = sensoryFrameKind.encode({ frame, number: 7 })
  expect([...row]).toEqual([2, json.length, 0, 0, 0, ...json, 0, 0, 128, 63, 0, 0, 0, 192])
  expect(sensoryFrameKind.decode(row)).toEqual({ frame, number: 7 })
  expect(faultOf(row)).toBeUndefined()
})

test('a frame of several senses comes back from its row, with the latents of each part', () => {
  const parts = fc
    .tuple(
      fc.constant('image' as const),
      fc.option(fc.constant('audio' as const), { nil: undefined }),
      fc.option(fc.constant('video' as const), { nil: undefined }),
    )
    .chain((modalities) =>
      fc.tuple(
        ...modalities
          .filter((modality) => modality !== undefined)
          .map((modality) =>
            fc.record({
              modality: fc.constant(modality),
              surprise: fc.double({ min: 0, max: 1, noNaN: true }),
              encoder: fc.string({ minLength: 1, maxLength: 20 }).filter((name) => name.trim() !== ''),
              latent: fc.float32Array({ minLength: 1, maxLength: 9, noNaN: true, noDefaultInfinity: true }),
            }),
          ),
      ),
    )
  fc.assert(
    fc.property(parts, fc.boolean(), fc.integer({ min: 1 }), (sensed, speaks, number) => {
      const frame: SensoryFrame = {
        ...common,
        modality: 'multimodal',
        ...(speaks && { text: 'A bell.' }),
        parts: [...(speaks ? [text] : []), ...sensed],
      }
      const row = sensoryFrameKind.encode({ frame, number })
      expect(JSON.stringify(sensoryFrameKind.decode(row))).toBe(JSON.stringify({ frame, number }))
      expect(RECORD_KINDS.find(row)).toBe(sensoryFrameKind)
      expect(faultOf(row)).toBeUndefined()
    }),
  )
})

test('a version that knows frames of one sense alone refuses those of several as newer', () => {
  const before = new RecordKinds([{ ...sensoryFrameKind, laterTags: [] }])
  const row = sensoryFrameKind.encode({ frame: several, number: 1 })
  expect(row[0]).toBe(10)
  expect(() => before.of(row)).toThrow(expect.objectContaining({ code: 'AGIDB_NEWER_FORMAT' }) as Error)
})

test('no two kinds share the first byte of a later form', () => {
  const other = { ...sensoryFrameKind, name: 'other', tag: 11, laterTags: [10] }
  expect(() => new RecordKinds([sensoryFrameKind, other])).toThrow('other and sensory frame have the tag 10')
  expect(() => new RecordKinds([{ ...other, laterTags: [32] }])).toThrow('expected 1 to 31')
})

test('a damaged row is refused, or can be written again', () => {
  const row = sensoryFrameKind.encode({ frame: several, number: 1 })
  const change = fc.record({ at: fc.nat(row.length - 1), byte: fc.nat(255) })
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      const damaged = row.slice()
      damaged[0] = 10
      for (const { at, byte } of changes) if (at > 0) damaged[at] = byte
      try {
        if (faultOf(damaged) !== undefined) return
      } catch (error) {
        expect(error).toBeInstanceOf(AgidbError)
        return
      }
      expect(faultOf(sensoryFrameKind.encode(sensoryFrameKind.decode(damaged)))).toBeUndefined()
    }),
    { numRuns: 1_000 },
  )
})

describe('an import refuses a frame of several senses', () => {
  const rowOf = (change: Partial<SensoryFrame>) =>
    sensoryFrameKind.encode({ frame: { ...several, ...change } as SensoryFrame, number: 1 })
  const { latent: _, ...unmade } = image
  test.each<[string, Uint8Array]>([
    ['without parts', rowOf({ parts: [], text: undefined })],
    ['of another modality', rowOf({ modality: 'image' })],
    ['with words that are no part', rowOf({ parts: [image] })],
    ['with a part of words and no text', rowOf({ text: undefined })],
    ['with a sense twice', rowOf({ parts: [text, image, image] })],
    ['with its senses in another order', rowOf({ parts: [text, audio, image] })],
    ['with a part of no sense', rowOf({ parts: [text, { ...image, modality: 'multimodal' }] })],
    ['with the name of no sense', rowOf({ parts: [text, { ...image, modality: 'a smell' }] })],
    ['with a picture without a latent', rowOf({ parts: [text, unmade] })],
    ['with a latent without an encoder', rowOf({ parts: [text, { ...image, encoder: undefined }] })],
    ['with a latent of no numbers', rowOf({ parts: [text, { ...image, latent: new Float32Array() }] })],
    ['with a number that is none', rowOf({ parts: [text, { ...image, latent: Float32Array.of(1, NaN) }] })],
    ['with words that have a latent', rowOf({ parts: [{ ...image, modality: 'text' }, audio] })],
    ['with a surprise over 1', rowOf({ parts: [text, { ...image, surprise: 1.5 }] })],
    ['with an encoder of its own', rowOf({ encoder: 'eye' })],
    ['under another id', rowOf({ id: 'sf_2' })],
    ['with more numbers than its parts have', Uint8Array.from([...rowOf({}), 0, 0, 0, 0])],
    ['with fewer numbers than its parts have', rowOf({}).slice(0, -4)],
    ['with half a number', Uint8Array.from([...rowOf({}), 0, 0])],
    [
      'with parts that overlap',
      encodeWithBytes(
        10,
        {
          ...several,
          parts: [text, { ...unmade, numbers: '2' }, { ...audio, latent: undefined, numbers: 2 }],
          number: 1,
        },
        new Uint8Array(20),
      ),
    ],
  ])('%s', (_name, row) => {
    expect(faultOf(row)).toBe(WRONG)
  })

  test('that is one of a single sense with parts', () => {
    const row = Uint8Array.from(rowOf({ parts: [text, image] }))
    row[0] = 2
    expect(faultOf(row)).toBe(WRONG)
    const { parts: __, ...one } = several
    const plain = sensoryFrameKind.encode({ frame: one, number: 1 })
    expect(plain[0]).toBe(2)
    expect(faultOf(plain)).toBe(WRONG)
  })

  test('whose parts are no list', () => {
    const row = encodeWithBytes(10, { ...several, parts: 5, number: 1 }, new Uint8Array())
    expect(() => faultOf(row)).toThrow(expect.objectContaining({ code: 'AGIDB_CORRUPT' }) as Error)
  })

  test('with a latent that is too long, or too many parts', () => {
    const long = { ...image, latent: new Float32Array(8_193).fill(1) }
    expect(() => faultOf(rowOf({ parts: [text, long] }))).toThrow(
      expect.objectContaining({ code: 'AGIDB_TOO_LARGE' }) as Error,
    )
    expect(() => faultOf(rowOf({ parts: [text, ...Array.from({ length: 8 }, () => image)] }))).toThrow(
      expect.objectContaining({ code: 'AGIDB_TOO_LARGE' }) as Error,
    )
  })
})
