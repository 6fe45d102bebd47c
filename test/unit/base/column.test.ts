import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Column } from '../../../src/base/column.js'
import type { CheckpointParts } from '../../../src/base/checkpoint-parts.js'

const far = fc.oneof(fc.nat(9000), fc.nat(1_000_000), fc.nat(2 ** 31 - 1))

describe('a column', () => {
  test('reads back what was set, and its own empty value elsewhere, also after it was saved and loaded', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.tuple(far, fc.integer({ min: -5, max: 5 })), fc.constant('reload'))),
        far,
        (steps, elsewhere) => {
          let column = new Column(Int32Array, -1)
          const model = new Map<number, number>()
          for (const step of steps) {
            if (typeof step === 'string') {
              const parts: CheckpointParts = new Map()
              column.save(parts, 'it')
              column = new Column(Int32Array, -1)
              column.load(parts, 'it')
            } else {
              column.set(...(step as [number, number]))
              model.set(...(step as [number, number]))
            }
          }
          for (const [slot, value] of model)
            expect([column.get(slot), column.get(slot + 1)]).toEqual([value, model.get(slot + 1) ?? -1])
          expect(column.get(elsewhere)).toBe(model.get(elsewhere) ?? -1)
          expect(column.get(-1)).toBe(-1)
          const within = [...model.keys()].every((slot) =>
            [...column.stretches()].some(([from, end]) => from <= slot && slot < end),
          )
          expect(within).toBe(true)
        },
      ),
    )
  })

  test('has room for those pages alone in which something was set', () => {
    const column = new Column(Float64Array, 0)
    for (const slot of [2 ** 26, 5, 2 ** 26 + 1, 2 ** 25]) column.set(slot, slot)
    expect(column.bytes).toBeLessThan(300_000)
    expect([...column.stretches()]).toEqual([
      [0, 1024],
      [2 ** 25, 2 ** 25 + 1024],
      [2 ** 26, 2 ** 26 + 1024],
    ])
    expect([2 ** 26, 5, 2 ** 26 + 1, 2 ** 25, 2 ** 25 + 1, 2 ** 27].map((slot) => column.get(slot))).toEqual([
      2 ** 26,
      5,
      2 ** 26 + 1,
      2 ** 25,
      0,
      0,
    ])
  })

  test('is saved as one array by slot as long as no page was passed over', () => {
    const column = new Column(Uint16Array, 0)
    for (let slot = 0; slot < 3000; slot += 1000) column.set(slot, slot)
    const parts: CheckpointParts = new Map()
    column.save(parts, 'it')
    expect([[...parts.keys()], parts.get('it')?.length, parts.get('it')?.[2000]]).toEqual([['it'], 2001, 2000])
  })

  test('holds times to the millisecond', () => {
    const column = new Column(Float64Array, Infinity)
    column.set(3, 8.64e15)
    column.set(4, -8.64e15)
    expect([column.get(3), column.get(4), column.get(2)]).toEqual([8.64e15, -8.64e15, Infinity])
  })
})
