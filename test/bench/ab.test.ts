import { expect, test } from 'vitest'
import { pairedRatio, ratiosOf } from '../../bench/ab/ratio.js'

test('the ratio of two versions that take the same time is 1, without a spread', () => {
  expect(
    pairedRatio([
      [1, 1, 1],
      [1, 1, 1],
    ]),
  ).toEqual({ ratio: 1, from: 1, to: 1 })
})

test('the interval holds the ratio and is wider where pairs of processes disagree', () => {
  const alike = pairedRatio([
    [1.09, 1.1, 1.11],
    [1.09, 1.1, 1.11],
    [1.09, 1.1, 1.11],
    [1.09, 1.1, 1.11],
  ])
  const apart = pairedRatio([
    [0.9, 0.91, 0.9],
    [1.1, 1.11, 1.1],
    [1.3, 1.31, 1.3],
    [1.1, 1.1, 1.09],
  ])
  expect(alike.ratio).toBe(1.1)
  for (const { ratio, from, to } of [alike, apart]) expect(from <= ratio && ratio <= to).toBe(true)
  expect(apart.to - apart.from).toBeGreaterThan(5 * (alike.to - alike.from))
})

test('a version that is a tenth slower in every round is told from an equal one', () => {
  const noise = [0.99, 1.0, 1.01, 1.02, 0.98]
  const pairs = [noise, noise, noise].map((pair) => pair.map((ratio) => ratio * 1.1))
  expect(pairedRatio(pairs).from).toBeGreaterThan(1.05)
})

test('a version that is slow because it goes second is not taken for a slower one', () => {
  const second = 1.3
  expect(
    ratiosOf([
      { before: 1, after: second },
      { before: second, after: 1 },
    ]),
  ).toEqual([1])
  const [slower, equal] = [
    { before: 10, after: 11 },
    { before: 4, after: 4 },
  ]
  expect(ratiosOf([slower, slower, equal, equal])).toEqual([1.1, 1])
})
