import { expect, it } from 'vitest'
import { readOrder } from '../../bench/recall/order.js'
import { mayAskOrder } from '../../src/recall/sequence/gate.js'
import { askedSequence } from '../../src/recall/sequence/asked.js'

it('questions about order in time have their evidence in their conversations, and ask for an order', async () => {
  const parts = { development: await readOrder('development'), held: await readOrder('held') }
  const cues = Object.values(parts).flatMap((exams) =>
    exams.flatMap(({ questions }) => questions.map(({ cue }) => cue)),
  )
  expect(new Set(cues).size).toBe(42)
  expect(parts.held.reduce((sum, { questions }) => sum + questions.length, 0)).toBe(20)
  for (const exam of Object.values(parts).flat()) {
    for (const { cue, gold } of exam.questions) {
      expect(gold.length, cue).toBeGreaterThan(0)
      for (const index of gold) expect(exam.observations[index], cue).toBeDefined()
      expect(mayAskOrder(cue) && askedSequence(cue) !== undefined, cue).toBe(true)
    }
  }
  const names = (part: keyof typeof parts) => parts[part].map(({ name }) => name)
  expect(names('held').filter((name) => names('development').includes(name))).toEqual([])
})
