import { expect, test } from 'vitest'
import { statementMemories } from '../../bench/recall/statements.js'
import { fitOf } from '../../src/recall/evidence/pattern.js'

test('the two halves of the pattern material share no text that has statements', async () => {
  const texts = async (half: 'fit' | 'held') =>
    (await statementMemories(half)).flatMap(({ observations }) =>
      observations
        .filter(({ speaker, triples }) => speaker === undefined && triples !== undefined)
        .map(({ text }) => text),
    )
  const fit = new Set(await texts('fit'))
  const held = await texts('held')
  expect(fit.size).toBeGreaterThan(100)
  expect(held.filter((text) => fit.has(text))).toEqual([])
})

test('what answers a question fits its exact pattern, and never all of a wrong one', async () => {
  const memories = await statementMemories('held')
  expect([...new Set(memories.map(({ observations }) => observations.length))]).toEqual([12, 60, 500])
  for (const { observations, questions } of memories) {
    expect(questions.some(({ gold }) => gold.length === 0)).toBe(true)
    for (const { gold, exact, wrong } of questions) {
      for (const index of gold) {
        expect(fitOf(observations[index].triples ?? [], exact)).toBe(1)
        if (wrong.subject === exact.subject) expect(fitOf(observations[index].triples ?? [], wrong)).toBeLessThan(1)
      }
    }
  }
})
