import { expect, test } from 'vitest'
import { saidTexts } from '../../../src/adapters/said.js'

const bytesOf = (text: string) => new TextEncoder().encode(text).length

test('a text that a memory takes stays as it is', () => {
  expect(saidTexts('word '.repeat(13_000))).toEqual(['word '.repeat(13_000)])
  expect(saidTexts(' \n')).toEqual([])
})

test('a longer text is cut between words into parts that a memory takes', () => {
  const text = Array.from({ length: 40_000 }, (_, i) => `wörd${i}`).join(' ')
  const parts = saidTexts(text)
  expect(parts.join(' ')).toBe(text)
  expect(Math.max(...parts.map(bytesOf))).toBeLessThanOrEqual(65_536)
})

test.each(['語', '😀'])('a longer text without white space loses nothing: %s', (character) => {
  const text = `x${character.repeat(60_000)}`
  const parts = saidTexts(text)
  expect(parts.join('')).toBe(text)
  expect(Math.max(...parts.map(bytesOf))).toBeLessThanOrEqual(65_536)
})

test('half of a surrogate pair becomes U+FFFD, and a pair stays', () => {
  expect(saidTexts('the \ud83d 😀')).toEqual(['the \ufffd 😀'])
})
