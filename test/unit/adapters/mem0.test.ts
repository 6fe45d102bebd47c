import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { importFromLetta, importFromMem0, importFromZep, Memory } from '../../../src/adapters/mem0/index.js'
import { Agidb } from '../../../src/runtimes/node/index.js'

let db: Awaited<ReturnType<typeof Agidb.open>>
let memory: Memory
/** The day that it is for the memory under test. */
let today: string
beforeEach(async () => {
  db = await Agidb.open({ storage: 'memory', codebook: 'none' })
  today = '2026-06-15'
  memory = new Memory(db, { now: () => Date.parse(`${today}T12:00:00Z`) })
})
afterEach(() => db.close())

const textsOf = ({ results }: { readonly results: readonly { readonly memory: string }[] }) =>
  results.map(({ memory: text }) => text)
const ann = { user_id: 'ann' }

describe('add', () => {
  test('messages are stored word by word with their owner, their speaker and their run as session', async () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'I love thai food.' },
      { role: 'assistant', content: 'Noted.' },
      { role: 'user', content: ' ' },
    ]
    const { results } = await memory.add(messages, {
      userId: 'ann',
      runId: 'r1',
      metadata: { topic: 'food', run_id: 'x' },
    })
    expect(textsOf({ results })).toEqual(['I love thai food.', 'Noted.'])
    expect(results[0]).toMatchObject({ user_id: 'ann', run_id: 'r1', metadata: { topic: 'food' } })
    expect(await db.getEpisode(results[0]!.id)).toMatchObject({ speaker: 'ann', session: 'r1' })
    expect(await db.getEpisode(results[1]!.id)).toMatchObject({ speaker: 'assistant' })
  })

  test('a message that is longer than an episode is remembered in several', async () => {
    const text = Array.from({ length: 12_000 }, (_, i) => `word${i}`).join(' ')
    const { results } = await memory.add(text, { userId: 'ann' })
    expect(results.length).toBeGreaterThan(1)
    expect(textsOf({ results }).join(' ')).toBe(text)
    expect(textsOf(await memory.add('a \ud83d', { userId: 'bob' }))).toEqual(['a \ufffd'])
  })

  test.each([
    ['no owner', 'a text', {}, 'AGIDB_INVALID_ARGUMENT'],
    ['a blank owner', 'a text', { userId: ' ' }, 'AGIDB_INVALID_ARGUMENT'],
    ['a blank text', ' ', { userId: 'ann' }, 'AGIDB_INVALID_TEXT'],
    ['no messages', [], { userId: 'ann' }, 'AGIDB_INVALID_TEXT'],
    ['a picture', [{ role: 'user', content: { type: 'image_url' } }], { userId: 'ann' }, 'AGIDB_INVALID_ARGUMENT'],
    ['null for a message', [null], { userId: 'ann' }, 'AGIDB_INVALID_ARGUMENT'],
    ['null for filters', 'a text', { userId: 'ann', filters: null as never }, 'AGIDB_INVALID_ARGUMENT'],
    ['a day that is none', 'a text', { userId: 'ann', expirationDate: '2026-02-30' }, 'AGIDB_INVALID_ARGUMENT'],
    ['an unknown option', 'a text', { userId: 'ann', inferr: true }, 'AGIDB_UNKNOWN_OPTION'],
  ])('%s is refused with a code, and nothing is stored', async (_, messages, options, code) => {
    await expect(memory.add(messages as string, options)).rejects.toMatchObject({ code })
    expect(await db.count()).toBe(0)
  })
})

describe('search and getAll', () => {
  beforeEach(async () => {
    await memory.add('I love thai food.', { userId: 'ann', agentId: 'helper', metadata: { topic: 'food', rank: 3 } })
    await memory.add('I fly kites on Sundays.', { userId: 'ann', metadata: { topic: 'sport', rank: 1 } })
    await memory.add('I love thai food, too.', { userId: 'ben', metadata: { topic: 'food', rank: 2 } })
    await db.observe('Nobody owns this thai food.')
  })

  test('a search finds what the owner said, best first, with a score', async () => {
    const found = await memory.search('Who loves thai food?', { filters: ann })
    expect(textsOf(found)).toEqual(['I love thai food.', 'I fly kites on Sundays.'])
    const [best, other] = found.results
    expect(best!.score).toBeGreaterThan(other!.score!)
    expect(textsOf(await memory.search('thai food', { filters: ann, topK: 1 }))).toEqual(['I love thai food.'])
    expect(textsOf(await memory.search('thai food', { filters: ann, topK: 0 }))).toEqual([])
  })

  test('a search takes a threshold, and says which signals made a score', async () => {
    const { results } = await memory.search('thai food', { filters: ann, explain: true })
    expect((results[0] as unknown as { score_details: object }).score_details).toHaveProperty('words')
    const threshold = results[0]!.score!
    expect(textsOf(await memory.search('thai food', { filters: ann, threshold }))).toEqual(['I love thai food.'])
  })

  test.each([
    ['a value', { ...ann, topic: 'food' }, ['I love thai food.']],
    ['a list', { topic: ['food', 'sport'], ...ann }, ['I love thai food.', 'I fly kites on Sundays.']],
    ['eq', { ...ann, topic: { eq: 'sport' } }, ['I fly kites on Sundays.']],
    ['ne', { ...ann, topic: { ne: 'sport' } }, ['I love thai food.']],
    ['sizes', { user_id: '*', rank: { gte: 2, lt: 3 } }, ['I love thai food, too.']],
    ['in', { user_id: '*', rank: { in: [1, 2] } }, ['I fly kites on Sundays.', 'I love thai food, too.']],
    ['nin', { user_id: '*', rank: { nin: [1, 2] } }, ['I love thai food.']],
    ['AND', { AND: [{ user_id: 'ann' }, { agent_id: 'helper' }] }, ['I love thai food.']],
    ['OR', { OR: [{ user_id: 'ben' }, { agent_id: 'helper' }] }, ['I love thai food.', 'I love thai food, too.']],
    ['NOT', { ...ann, NOT: [{ topic: 'food' }, { rank: 7 }] }, ['I fly kites on Sundays.']],
  ])('filters take %s', async (_, filters, expected) => {
    expect(textsOf(await memory.getAll({ filters }))).toEqual(expected)
    expect(textsOf(await memory.search('thai food', { filters })).toSorted()).toEqual(expected.toSorted())
  })

  test.each([
    ['a value', { user_id: ' ann ' }, 2],
    ['a list', { user_id: [' ann ', 'ben '] }, 3],
    ['eq', { user_id: { eq: 'ann\n' } }, 2],
    ['ne', { agent_id: 'helper ', user_id: { ne: ' ben ' } }, 1],
    ['in', { OR: [{ user_id: { in: [' ann'] } }, { agent_id: ' helper' }] }, 2],
    ['nin', { user_id: '*', NOT: [{ user_id: ' ann ' }], agent_id: { nin: [' helper '] } }, 1],
  ])('filters take %s of owners without the blanks around a name, as add does', async (_, filters, count) => {
    expect(textsOf(await memory.getAll({ filters }))).toHaveLength(count)
  })

  test('blanks around other members of the metadata count', async () => {
    expect(textsOf(await memory.getAll({ filters: { ...ann, topic: ' food ' } }))).toEqual([])
  })

  test.each([
    ['no owner', { topic: 'food' }],
    ['an owner that is excluded alone', { NOT: [{ user_id: 'ann' }] }],
    ['an unknown operator', { ...ann, topic: { contains: 'f' } }],
    ['null in a list', { ...ann, OR: [null] }],
    ['an operator that takes a list', { ...ann, OR: { topic: 'food' } }],
  ])('filters with %s are refused', async (_, filters) => {
    await expect(memory.search('thai food', { filters })).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
    await expect(memory.getAll({ filters })).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
  })

  test('getAll gives the oldest first, as many as are asked for', async () => {
    expect(textsOf(await memory.getAll({ filters: ann, topK: 1 }))).toEqual(['I love thai food.'])
    await expect(memory.getAll({ filters: ann, topK: 1.5 })).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
  })
})

describe('a memory', () => {
  test('that expires is found until its last day has passed, and afterwards where that is asked for', async () => {
    await memory.add('The sale ends.', { userId: 'ann', expirationDate: '2026-06-15' })
    await memory.add('Kites fly.', { userId: 'ann' })
    expect(textsOf(await memory.getAll({ filters: ann }))).toEqual(['The sale ends.', 'Kites fly.'])
    today = '2026-06-16'
    expect(textsOf(await memory.getAll({ filters: ann }))).toEqual(['Kites fly.'])
    expect(textsOf(await memory.search('When does the sale end?', { filters: ann }))).toEqual(['Kites fly.'])
    expect(textsOf(await memory.getAll({ filters: ann, showExpired: true }))).toHaveLength(2)
  })

  test('is updated, and its history shows what it said, newest first', async () => {
    const { results } = await memory.add('I live in Leeds.', { userId: 'ann', metadata: { kind: 'place' } })
    const { id } = results[0]!
    await memory.update(id, 'I live in Porto.')
    await memory.update(id, { metadata: { sure: true, user_id: 'ben' }, expirationDate: '2026-12-31' })
    expect(await memory.get(id)).toMatchObject({
      memory: 'I live in Porto.',
      user_id: 'ann',
      metadata: { kind: 'place', sure: true, expiration_date: '2026-12-31' },
    })
    await memory.update(id, { expirationDate: null })
    expect((await memory.get(id))!.metadata).toEqual({ kind: 'place', sure: true })
    const history = await memory.history(id)
    expect(history.map(({ action, previous_value, new_value }) => [action, previous_value, new_value])).toEqual([
      ['UPDATE', 'I live in Porto.', 'I live in Porto.'],
      ['UPDATE', 'I live in Porto.', 'I live in Porto.'],
      ['UPDATE', 'I live in Leeds.', 'I live in Porto.'],
      ['ADD', null, 'I live in Leeds.'],
    ])
    await expect(memory.update(id, {})).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
    for (const patch of ['x', { metadata: {} }])
      await expect(memory.update('nobody', patch)).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
  })

  test('that is deleted is forgotten with its history', async () => {
    const { results } = await memory.add('I live in Leeds.', { userId: 'ann' })
    const { id } = results[0]!
    await memory.delete(id)
    expect(await memory.get(id)).toBe(null)
    expect(await memory.history(id)).toEqual([])
    expect((await db.recall('Who lives in Leeds?')).matches).toEqual([])
    await expect(memory.delete(id)).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
  })
})

test('deleteAll forgets an owner, and reset all owners, but nothing else', async () => {
  await memory.add('One.', { userId: 'ann', agentId: 'a' })
  await memory.add('Two.', { userId: 'ann', agentId: 'b' })
  await memory.add('Three.', { runId: 'r' })
  await db.observe('Nobody owns this.')
  await memory.deleteAll({ userId: 'ann', agentId: 'b' })
  expect(await db.count()).toBe(3)
  await expect(memory.deleteAll({})).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
  await memory.reset()
  expect(await db.count()).toBe(1)
})

test('deleteAll takes an asterisk for the name of an owner, as add does, and not for all owners', async () => {
  for (const userId of ['ann', '*', 'ben']) await memory.add(`Said by ${userId}.`, { userId })
  await memory.deleteAll({ userId: '*' })
  expect(textsOf(await memory.getAll({ filters: { user_id: '*' } }))).toEqual(['Said by ann.', 'Said by ben.'])
  await expect(memory.deleteAll({ userId: ' ' })).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
})

describe('an import', () => {
  const fixture = (name: string) =>
    readFileSync(new URL(`../transfer/transcript/fixtures/${name}`, import.meta.url), 'utf8')

  test('from mem0 gives memories that Memory shows, and is done once', async () => {
    today = '2026-05-10'
    const first = await importFromMem0(db, fixture('mem0.json'))
    expect(first).toMatchObject({ remembered: 2, known: 0, report: { empty: 1 } })
    expect(await importFromMem0(db, fixture('mem0.json'))).toMatchObject({ remembered: 0, known: 2 })
    const { results } = await memory.search('Which food?', { filters: ann })
    expect(results[0]).toMatchObject({
      id: '4f0b4d1e-0d0a-4c2b-9b0f-1f3c5a7e9d10',
      createdAt: '2026-05-01T19:00:00.123Z',
      metadata: { topic: 'food' },
      run_id: 'trip-1',
    })
    today = '2026-07-02'
    expect(textsOf(await memory.getAll({ filters: { user_id: 'ben' } }))).toEqual([])
  })

  test('takes what getAll of this library answers', async () => {
    await memory.add('I love thai food.', { userId: 'ann', metadata: { topic: 'food' }, expirationDate: '2026-12-31' })
    const exported = await memory.getAll({ filters: ann })
    const other = await Agidb.open({ storage: 'memory', codebook: 'none' })
    await importFromMem0(other, JSON.stringify(exported))
    expect(await new Memory(other).getAll({ filters: ann, showExpired: true })).toEqual(exported)
    await other.close()
  })

  test('takes the parsed export, too', async () => {
    const parsed = JSON.parse(fixture('mem0.json')) as object
    expect(await importFromMem0(db, parsed)).toMatchObject({ remembered: 2, known: 0 })
    expect(await importFromMem0(db, fixture('mem0.json'))).toMatchObject({ remembered: 0, known: 2 })
    expect(await importFromMem0(db, [{ memory: 'Ann likes tea.' }])).toMatchObject({ remembered: 1 })
    expect(await importFromMem0(db, [...'{"results": [{"memory": "Ann has a cat."}]}'])).toMatchObject({
      remembered: 1,
    })
  })

  test.each([
    'mem0.json',
    './exports/my mem0.JSON',
    '/tmp/a.af',
    String.raw`C:\exports\a.json`,
    'file:///tmp/export',
  ])('says that it takes the text of an export where it gets the name %s', async (name) => {
    const error = await importFromMem0(db, name).catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      code: 'AGIDB_INVALID_ARGUMENT',
      message:
        `input is the name of a file, ${JSON.stringify(name)}; importFromMem0 takes its text: ` +
        "import { readFile } from 'node:fs/promises', then importFromMem0(db, await readFile(name, 'utf8'))",
    })
    await expect(importFromLetta(db, name)).rejects.toThrow('importFromLetta takes its text')
  })

  test.each([
    [new URL('file:///tmp/a.json'), 'an object'],
    [undefined, 'undefined'],
    [7, '7'],
    [{ results: [1n] }, 'an object'],
    [[{ memory: 'a' }, 'b'], 'an array'],
  ])('says what it takes where it gets %s', async (input, told) => {
    await expect(importFromZep(db, input as never)).rejects.toMatchObject({
      code: 'AGIDB_INVALID_ARGUMENT',
      message: `input is ${told}; importFromZep takes the export: its text, bytes, a stream of either, or parsed JSON`,
    })
    expect(await db.count()).toBe(0)
  })

  test('from mem0 leaves out the blanks around the names of owners, as add does', async () => {
    await importFromMem0(db, { results: [{ id: 'm1', memory: 'Tom sails.', user_id: ' tom ' }] })
    expect(textsOf(await memory.getAll({ filters: { user_id: 'tom' } }))).toEqual(['Tom sails.'])
    await memory.deleteAll({ userId: 'tom' })
    expect(await db.count()).toBe(0)
  })

  test('from Zep keeps from when to when a fact was true', async () => {
    await importFromZep(db, fixture('zep.json'), { source: 'zep' })
    const now = await db.recall('Where does Ann live?')
    expect(now.matches.map(({ text }) => text)).not.toContain('Ann lives in Andheri.')
    const then = await db.recall('Where does Ann live?', { validAsOf: '2025-01-01T00:00:00Z' })
    expect(then.matches[0]!.text).toBe('Ann lives in Andheri.')
  })

  test('from Letta gives memory blocks and what was said', async () => {
    const { remembered, report } = await importFromLetta(db, fixture('letta.af'))
    expect([remembered, report.system]).toEqual([5, 3])
    expect((await db.recall('Bawri', { filter: { speaker: 'Sam' } })).matches[0]!.text).toBe('It was Bawri.')
  })

  test.each([
    importFromMem0,
    importFromZep,
    importFromLetta,
  ])('%o writes nothing where a part is wrong', async (from) => {
    const parts = {
      importFromMem0: ['{"memory": "fine"}', '{"memory": 7}'],
      importFromZep: ['{"fact": "fine"}', '{"fact": "a", "valid_at": "soon"}'],
      importFromLetta: ['{"text": "fine"}', '{"text": "a", "created_at": "soon"}'],
    }[from.name]!
    const wrong = [
      `[${parts.join(', ')}]`,
      `[${parts[0]}, {"`,
      `[${parts[0]}, ${'['.repeat(100_000)}`,
      'PK\u0003\u0004',
    ]
    for (const input of wrong) await expect(from(db, input)).rejects.toMatchObject({ code: 'AGIDB_TRANSCRIPT' })
    await expect(from(db, new Uint8Array([0x50, 0x4b, 3, 4, 0]))).rejects.toMatchObject({ code: 'AGIDB_TRANSCRIPT' })
    expect(await db.count()).toBe(0)
    expect(await from(db, wrong[0]!, { skipBad: true })).toMatchObject({ remembered: 1, report: { bad: 1 } })
  })
})
