import { describe, expect, it } from 'vitest'
import { AgidbError } from '../../../../src/base/errors.js'
import type { TranscriptFormat } from '../../../../src/transfer/transcript/index.js'
import { fixture, outcomeOf, read, said } from './reading.js'

describe('memories of mem0', () => {
  it('reads what each memory says, whose it is, and until when', async () => {
    const { observations, report } = await read(fixture('mem0.json'), { name: 'mem0.json' })
    expect(report).toMatchObject({ format: 'mem0', observations: 2, empty: 1, bad: 0 })
    expect(observations).toEqual([
      {
        id: '4f0b4d1e-0d0a-4c2b-9b0f-1f3c5a7e9d10',
        text: 'Likes thai food, above all at Bawri',
        at: '2026-05-01T19:00:00.123Z',
        speaker: 'ann',
        session: 'trip-1',
        source: 'mem0.json',
        tags: ['food', 'taste'],
        metadata: { topic: 'food', user_id: 'ann', run_id: 'trip-1' },
      },
      expect.objectContaining({
        text: 'Flies to Porto in June',
        at: '2026-05-03T09:00:00.000Z',
        speaker: 'ben',
        metadata: { user_id: 'ben', expiration_date: '2026-07-01' },
      }),
    ])
  })

  it('reads a list without anything around it, too', async () => {
    const { results } = JSON.parse(fixture('mem0.json')) as { results: unknown[] }
    const { observations, report } = await read(JSON.stringify(results))
    expect(report.format).toBe('mem0')
    expect(observations).toHaveLength(2)
  })
})

describe('messages and facts of Zep', () => {
  it('reads threads and sessions, without what nobody said', async () => {
    const { observations, report } = await read(fixture('zep.json'))
    expect(report).toMatchObject({ format: 'zep', observations: 6, system: 2, bad: 0 })
    expect(said(observations).slice(0, 4)).toEqual([
      ['2026-04-01T10:00:00.000Z', 'Ann', 'I moved to Bandra in March.'],
      ['2026-04-01T10:00:05.000Z', 'assistant', 'Noted.'],
      ['2025-01-01T00:00:00.000Z', 'john', 'Hi.'],
      [undefined, undefined, 'John lives in Leeds.'],
    ])
    expect(observations.map(({ session }) => session)).toEqual([
      ...['thread-1', 'thread-1', 'session-1', 'session-1'],
      ...[undefined, undefined],
    ])
  })

  it('reads from when to when a fact was true, also where only its end is known', async () => {
    const { observations } = await read(fixture('zep.json'))
    expect(observations.slice(4)).toEqual([
      {
        id: 'e-1',
        text: 'Ann lives in Andheri.',
        at: '2024-01-01T00:00:00.000Z',
        validTo: '2026-03-01T00:00:00.000Z',
        metadata: { relation: 'LIVES_IN' },
      },
      {
        id: 'e-2',
        text: 'Ann owned a scooter.',
        at: '2019-12-31T23:59:59.999Z',
        validTo: '2020-01-01T00:00:00.000Z',
        metadata: { relation: 'OWNED' },
      },
    ])
  })

  it('reads a list of facts, and the messages of one thread', async () => {
    const { edges, threads } = JSON.parse(fixture('zep.json')) as { edges: unknown; threads: unknown[] }
    expect((await read(JSON.stringify(edges))).report).toMatchObject({ format: 'zep', observations: 2 })
    expect((await read(JSON.stringify(threads[0]))).report).toMatchObject({ format: 'zep', observations: 2 })
  })
})

describe('an agent file of Letta', () => {
  it('reads memory blocks and what was said, without instructions, events, thoughts and tools', async () => {
    const { observations, report } = await read(fixture('letta.af'))
    expect(report).toMatchObject({ format: 'letta', observations: 5, system: 3, bad: 0 })
    expect(said(observations)).toEqual([
      [undefined, 'Sam', 'First name: Ann'],
      ['2026-05-01T19:00:00.000Z', 'Ann', 'Which thai place was it?'],
      ['2026-05-01T19:00:02.000Z', 'user', 'In Bandra.'],
      ['2026-05-01T19:00:05.000Z', 'Sam', 'It was Bawri.'],
      ['2026-05-01T19:00:06.000Z', 'Sam', 'Shall I book a table?'],
    ])
    expect(observations[0]).toMatchObject({ session: 'Sam', metadata: { block: 'human' } })
  })

  it('reads the first version of the file, and passages of an archival memory', async () => {
    const first = {
      name: 'Sam',
      agent_type: 'memgpt_agent',
      core_memory: [{ label: 'human', value: 'Ann' }],
      messages: [{ role: 'user', text: 'Hi.', created_at: '2025-01-01T00:00:00' }],
    }
    expect(said((await read(JSON.stringify(first))).observations)).toEqual([
      [undefined, 'Sam', 'Ann'],
      ['2025-01-01T00:00:00.000Z', 'user', 'Hi.'],
    ])
    const passages = [{ id: 'passage-1', text: 'Bawri is in Bandra.', created_at: '2025-01-02T00:00:00Z', tags: ['x'] }]
    const { observations } = await read(JSON.stringify(passages), { format: 'letta' })
    expect(observations).toEqual([
      { id: 'passage-1', text: 'Bawri is in Bandra.', at: '2025-01-02T00:00:00.000Z', tags: ['x'] },
    ])
  })
})

describe('what is in none of these formats', () => {
  it.each<[TranscriptFormat, string, string]>([
    ['mem0', '{"results": [{"id": "1"}]}', 'has something without a "memory" in words'],
    ['mem0', '{"results": [7]}', 'has a memory that is no object'],
    ['mem0', '{"results": [{"memory": "a", "created_at": "yesterday"}]}', '"created_at" that is no date'],
    ['mem0', '{"full_name": "Ann"}', 'has something without a "memory" in words'],
    ['mem0', '{"memory": "a", "metadata": {"constructor": 1}}', 'is refused'],
    ['mem0', '[{"memory": "a"', 'is cut off'],
    ['mem0', '{"memory": "a", "id": "1"}, {"memory": "b", "id": "1"}', 'repeats the id "1"'],
    ['zep', '{"messages": [7]}', 'has something in "messages" that is no object'],
    ['zep', '{"nodes": []}', 'has something without "messages", "fact" or "content"'],
    ['zep', '[{"fact": "a", "valid_at": "soon"}]', '"valid_at" or "invalid_at" that is no date'],
    ['zep', '{"messages": [{"content": "a", "created_at": "soon"}]}', '"created_at" that is no date'],
    ['letta', '{"agents": [7]}', 'has an agent that is no object'],
    ['letta', '{"agents": [{"messages": [7]}]}', 'has a message that is no object'],
    ['letta', '{"messages": [], "core_memory": [{"label": "human"}]}', 'memory block without a "value"'],
    ['letta', '{"messages": [{"role": "user", "text": "a", "created_at": "soon"}]}', '"created_at" that is no date'],
    ['letta', '{"tools": []}', 'has something without "agents", "messages" or "text"'],
  ])('%s: %s is refused with a code', async (format, input, fault) => {
    const { error } = await outcomeOf(input, { format })
    expect(error).toBeInstanceOf(AgidbError)
    expect(error).toMatchObject({ code: 'AGIDB_TRANSCRIPT', details: { line: 1, format } })
    expect((error as Error).message).toContain(fault)
    expect((await outcomeOf(input, { format, skipBad: true })).report.bad).toBe(1)
  })
})
