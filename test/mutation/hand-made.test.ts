import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MUTANTS } from './hand-made.js'

test.each(MUTANTS)('The text that a mutant of $file changes is there exactly once: $means', (mutant) => {
  const { file, from, to, first } = mutant
  const count = existsSync(file) ? readFileSync(file, 'utf8').split(from).length - 1 : 'no file'
  // What fails shows the mutant that is to be corrected in test/mutation/hand-made.ts.
  expect({ file, from, count }).toEqual({ file, from, count: 1 })
  expect(to).not.toBe(from)
  expect({ first, isThere: existsSync(first) }).toEqual({ first, isThere: true })
})
