import { beforeAll, expect, test } from 'vitest'
import { shownLines } from './guide.js'
import { runProgram } from './program.js'

/** What the program saw, by name. */
let seen: Record<string, any>
beforeAll(async () => {
  seen = JSON.parse(await runProgram('programs/ai-sdk.ts'))
})

test('a message of the user comes alone where nothing is remembered', () => {
  const content = [{ type: 'text', text: 'Sarah recommended Bawri, a thai place in Bandra.' }]
  expect(seen['first prompt']).toEqual([{ role: 'user', content }])
})

test('what is remembered comes before the message, marked as stored data', () => {
  const [recalled, asked] = seen['recalled'].content
  expect(recalled.text).toMatch(/^What is remembered\. .*\n<agidb-data>\n\[1\] .* user: Sarah recommended Bawri/)
  expect(recalled.text).toMatch(/<\/agidb-data>$/)
  expect(asked).toEqual({ type: 'text', text: 'Which thai place was it?' })
})

test('a turn is stored once, by its words alone, however many steps it had', () => {
  expect(seen['after two turns']).toEqual([
    'user: Sarah recommended Bawri, a thai place in Bandra.',
    'assistant: Noted.',
    'user: Which thai place was it?',
    'assistant: It was Bawri.',
  ])
})

test('a stream is stored when it is complete, and not when it fails', () => {
  expect(seen['after streams']).toEqual(['user: Book it.', 'assistant: A table for four.'])
})

test('an answer is not stored where only what the user says is to be remembered, and nothing where nothing is', () => {
  expect(seen['without answers']).toEqual(['user: What did Sarah say? (user)'])
})

test('a model calls the tools', () => {
  expect(seen['tools']).toEqual(['remember', 'recall', 'forget'])
  expect(seen['schema']).toEqual(['object', 'object', 'object'])
  expect(seen['tool result']).toMatch(/^Cite a line as \[n\]\.\n<agidb-data>\n\[1\] .*Bawri/)
})

test('wrong arguments of a tool are refused with a code', () => {
  expect(seen['refused'].error).toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT', details: { what: 'recall.query' } })
})

test('tools of a memory that is only read do not write', () => {
  expect(seen['read-only']).toEqual(['recall'])
})

test('ai 6 takes it, too', async () => {
  const { episodes, prompt } = JSON.parse(await runProgram('programs/ai-sdk-6.ts'))
  expect(episodes).toBe(4)
  expect(prompt[0].content[0].text).toContain('Bawri')
})

test('the example prints what the model was given, with ai 7 and ai 6, and the guide shows lines of it', async () => {
  for (const example of ['ai-sdk/chat.mts', 'ai-sdk-6/chat.mts'])
    expect(await runProgram(example)).toMatch(/<agidb-data>[^]*Bawri[^]*Which thai place was it\?/)
  expect(await shownLines('AI SDK', 'examples/ai-sdk/chat.mts')).toEqual([])
})
