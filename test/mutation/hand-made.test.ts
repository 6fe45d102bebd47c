import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MUTANTS } from './hand-made.js'

test.each(MUTANTS)('the text that a mutant of $file changes is there once: $means', ({ file, from, to, first }) => {
  expect(readFileSync(file, 'utf8').split(from)).toHaveLength(2)
  expect(to).not.toBe(from)
  expect(existsSync(first)).toBe(true)
})
