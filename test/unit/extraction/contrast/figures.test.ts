import { expect, test } from 'vitest'
import { figuresOf, sameFigure } from '../../../../src/extraction/contrast/figures.js'

const values = (text: string) => figuresOf(text.toLowerCase()).map(({ value }) => value)

test.each<[string, string[]]>([
  ['My number is 555-1234.', ['5551234']],
  ['Call +49 170 555 12 34.', ['491705551234']],
  ['It costs 2,500 euros, not 1.2 million.', ['2500', '1200000']],
  ['We meet at 3 pm, or at 15:00.', ['15:00!', '15:00']],
  ['He gets up at half past seven and leaves at quarter to nine.', ['7:30', '8:45']],
  ['Stand-up is at nine thirty.', ['9:30']],
  ['Twenty-five guests, two hundred and ten chairs, a dozen tables.', ['25', '210', '12']],
  ['Due on 2026-05-03.', ['2026', '5', '3']],
  ['The 3rd of May, the third floor, the second door.', ['3', '3', '2']],
  ['Wait a second.', []],
  ['Version v2 needs 16GB and build 7b3f.', ['2', '16', '7b3f']],
  ['The one that I like is tank one.', ['1']],
  ['120/80 this morning, and 2-1 in the evening', ['120', '80', '2', '1']],
])('%s has the figures %j', (text, expected) => {
  expect(values(text)).toEqual(expected)
})

test.each<[string, string, boolean]>([
  ['15:00!', '15:00', true],
  ['15:00!', '3', true],
  ['3:00!', '15:00!', false],
  ['7:30!', '19:30!', false],
  ['7:30', '19:30!', true],
  ['5', '17', false],
  ['5551234', '5551234', true],
  ['5551234', '5559876', false],
])('%s and %s are the same figure: %s', (a, b, same) => {
  expect([sameFigure(a, b), sameFigure(b, a)]).toEqual([same, same])
})
