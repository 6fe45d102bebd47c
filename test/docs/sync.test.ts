import { expect, test } from 'vitest'
import { programsOf, run } from './program.js'

const [methods, stream] = programsOf('docs/sync.md')

test('the example of two devices prints what it says', () => {
  expect(run(methods)).toBe('3 3\n2 2\n')
})

test('the example of a stream has the other memory receive the episode', () => {
  expect(run(stream)).toBe('1\n')
})
