import { beforeAll, expect, test } from 'vitest'
import { shownLines } from './guide.js'
import { runProgram } from './program.js'

/** What the program saw, by name. */
let seen: Record<string, any>
beforeAll(async () => {
  seen = JSON.parse(await runProgram('programs/mem0.ts'))
})

test('calls that were written for mem0 go to this memory, with its types', () => {
  expect(seen).toEqual({
    added: ['I love thai food.', 'Noted.'],
    found: [['I love thai food.', { topic: 'food' }]],
    got: 'I love ramen.',
    history: ['UPDATE', 'ADD'],
    all: 2,
    left: 1,
    'after reset': 0,
  })
})

test('the example moves what mem0 held, and the guide shows lines of it', async () => {
  const fixture = 'test/unit/transfer/transcript/fixtures/mem0.json'
  expect(await runProgram('mem0/move.mts', fixture)).toMatch(/^2 memories came along\nI loved Bawri, .* 0\.\d+\n$/)
  expect(await shownLines('mem0', 'examples/mem0/move.mts')).toEqual([])
})
