import { expect, test } from 'vitest'
import { programsOf, run } from './program.js'

const [agent, documents, person, mem0] = programsOf('docs/recipes.md')

test('the agent is given what was said in the turn before', () => {
  const [question, ...given] = run(agent).split('\n')
  expect(question).toBe('Which thai place was it? I remember:')
  expect(given.join('\n')).toContain('Sarah recommended Bawri, a thai place in Bandra.')
})

test('the passage of a document is found with its path, and beside what was said', () => {
  const printed = run(documents)
  expect(printed).toMatch(/^Kettle > Lime kettle\.md ## Lime\n\nBoil it with vinegar\.\n/)
  expect(printed).toContain('The lid locks with a quarter turn.')
  expect(printed).toContain('Tom broke the lid of the kettle.')
})

test('what a person said, and what was said of her, is shown, forgotten and erased', () => {
  expect(run(person)).toBe("I moved to Hill Road.\n1\n0\n[ 'expired', 'expired' ]\n")
})

test('what mem0 held is found by the calls of mem0', () => {
  expect(run(mem0)).toBe('1\nLoves Bawri, a thai place in Bandra\n')
})
