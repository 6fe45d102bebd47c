import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Agidb } from '../../../src/runtimes/node/index.js'
import { called, codeOf, connected, openMemory, textOf } from './connected.js'

let db: Agidb
let client: Client

beforeEach(async () => {
  db = await openMemory()
  client = await connected(db)
})
afterEach(async () => {
  await client.close()
  await db.close()
})

const BAWRI = 'Sarah recommended Bawri, a thai place in Bandra.'

test('every tool has schemas, annotations and a description', async () => {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    ...['remember', 'recall', 'update', 'forget', 'restore', 'list', 'beliefs', 'goals', 'search_documents'],
    ...['browse', 'perspectives', 'think', 'identity', 'introspect'],
  ])
  for (const { name, description, inputSchema, outputSchema, annotations } of tools) {
    expect(description!.length, name).toBeGreaterThan(40)
    expect(inputSchema, name).toMatchObject({ type: 'object', additionalProperties: false })
    expect(outputSchema, name).toMatchObject({ type: 'object' })
    expect(typeof annotations!.readOnlyHint, name).toBe('boolean')
  }
  const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations!]))
  expect(hints['recall']).toMatchObject({ readOnlyHint: true, destructiveHint: false })
  expect(hints['forget']).toMatchObject({ readOnlyHint: false, destructiveHint: true })
})

test('recall answers text with numbered citations, marked as data, and structured content', async () => {
  const { data: made } = await called(client, 'remember', { text: BAWRI, speaker: 'Sarah', at: '2026-05-01T19:00:00Z' })
  const { data, text } = await called(client, 'recall', { query: 'which thai place was recommended?' })
  expect(text).toContain('<agidb-data>\n[1] 2026-05-01 Sarah: Sarah recommended Bawri')
  expect(data['citations'][0]).toEqual({ number: 1, id: made['ids'][0], kind: 'memory' })
  expect(data['matches'][0]).toMatchObject({
    text: BAWRI,
    speaker: 'Sarah',
    uri: `memory://episodes/${made['ids'][0]}`,
  })
})

test('several memories are remembered at once, with progress', async () => {
  const items = Array.from({ length: 600 }, (_, i) => ({ text: `Room ${i} is on floor ${i % 9}.` }))
  const seen: number[] = []
  const params = { name: 'remember', arguments: { items } }
  const result = await client.callTool(params, undefined, { onprogress: ({ progress }) => seen.push(progress) })
  expect((result.structuredContent as { ids: string[] }).ids).toHaveLength(600)
  expect(seen.at(-1)).toBe(600)
  const first = (await called(client, 'list', { limit: 100 })).data
  const second = (await called(client, 'list', { limit: 100, after: first['next'] })).data
  expect([first['memories'][0].text, second['memories'][0].text]).toEqual([items[0]!.text, items[100]!.text])
})

test('what is remembered for a goal and with beliefs says so', async () => {
  const set = (await called(client, 'goals', { action: 'set', description: 'eat thai food' })).data
  const told = { action: 'assert', claim: 'Bawri is good', confidence: 0.9 }
  const asserted = (await called(client, 'beliefs', told)).data
  const [goal, beliefs] = [set['goals'][0].id as string, [asserted['beliefs'][0].id as string]]
  const { data } = await called(client, 'remember', { text: BAWRI, goal, beliefs })
  const { contents } = await client.readResource({ uri: `memory://episodes/${data['ids'][0]}` })
  expect(JSON.parse((contents[0] as { text: string }).text).data).toMatchObject({ goal, beliefs })
  const wrong = { items: [{ text: 'One.' }, { text: 'Two.', goal: 'go_x' }] }
  expect(await codeOf(client, 'remember', wrong)).toBe('AGIDB_NOT_FOUND')
})

test('update changes what a memory says and keeps what it said', async () => {
  const { data } = await called(client, 'remember', { text: 'The rent is due on Monday.' })
  const id = data['ids'][0] as string
  await called(client, 'update', { id, text: 'The rent is due on Friday.', tags: ['rent'] })
  const { contents } = await client.readResource({ uri: `memory://episodes/${id}` })
  const told = JSON.parse((contents[0] as { text: string }).text).data
  expect(told).toMatchObject({ text: 'The rent is due on Friday.', tags: ['rent'] })
  expect(told.history.map(({ episode }: { episode: { text: string } }) => episode.text)).toContain(
    'The rent is due on Monday.',
  )
})

test('forget changes nothing before it is confirmed with the code of its dry run', async () => {
  const { data } = await called(client, 'remember', { text: BAWRI, speaker: 'Sarah' })
  const id = data['ids'][0] as string
  await called(client, 'beliefs', { action: 'assert', claim: 'Bawri is a thai place', evidence: [id] })
  const { data: plan, text: told } = await called(client, 'forget', { speaker: 'Sarah' })
  expect(told).toContain('Nothing was changed. 2 things would go or change; confirm with ')
  expect(plan).toMatchObject({ dryRun: true, counts: { episodesRemoved: 1, beliefsRemoved: 1 } })
  expect(plan['affected'].map(({ kind }: { kind: string }) => kind).sort()).toEqual(['belief', 'episode'])
  expect((await db.stats()).episodes).toBe(1)
  expect(await codeOf(client, 'forget', { speaker: 'Sarah', confirm: 'yes', reason: 'x' })).toBe(
    'AGIDB_INVALID_ARGUMENT',
  )
  expect(await codeOf(client, 'forget', { speaker: 'Sarah', confirm: plan['confirm'] })).toBe('AGIDB_INVALID_ARGUMENT')
  // What came since would go, too: the code is not that of this target any more.
  const { data: more } = await called(client, 'remember', { text: 'Bawri moved.', speaker: 'Sarah' })
  const stale = { speaker: 'Sarah', confirm: plan['confirm'], reason: 'she asked' }
  expect(await codeOf(client, 'forget', stale)).toBe('AGIDB_INVALID_ARGUMENT')
  expect((await db.stats()).episodes).toBe(2)
  const { data: again } = await called(client, 'forget', { speaker: 'Sarah' })
  const { data: done, text } = await called(client, 'forget', { ...stale, confirm: again['confirm'] })
  expect(text).toContain(
    `Until ${done['restorableUntil']} restore with ${done['auditId']} brings it back, and its text stays stored; ` +
      'afterwards it is erased. To erase it now, the user runs "agidb expire --all".',
  )
  expect((await db.stats()).episodes).toBe(0)
  await called(client, 'restore', { auditId: done['auditId'] })
  expect(await db.getEpisode(more['ids'][0])).toMatchObject({ text: 'Bawri moved.' })
  const one = await called(client, 'forget', { ids: more['ids'] })
  expect(one.text).toContain('Nothing was changed. 1 thing would go or change; confirm with ')
})

test('beliefs are asserted, found, weighed and withdrawn', async () => {
  const { data } = await called(client, 'remember', { text: 'Bawri is a thai restaurant.' })
  const asserted = (await called(client, 'beliefs', { action: 'assert', claim: 'Bawri is thai', confidence: 0.9 })).data
  const { id } = asserted['beliefs'][0]
  const found = (await called(client, 'beliefs', { about: 'Bawri' })).data
  expect(found['beliefs'][0]).toMatchObject({ id, claim: 'Bawri is thai', confidence: 0.9 })
  const history = async () => (await called(client, 'beliefs', { action: 'history', id })).data['revisions'].length
  expect(await history()).toBe(1)
  await called(client, 'beliefs', { action: 'revise', id, memory: data['ids'][0] })
  await called(client, 'beliefs', { action: 'withdraw', id, reason: 'it closed' })
  expect(await history()).toBe(3)
  expect((await called(client, 'beliefs', { about: 'Bawri' })).data['beliefs']).toEqual([])
})

test('goals are set, listed and completed', async () => {
  const { data } = await called(client, 'goals', { action: 'set', description: 'find a thai place' })
  const { id } = data['goals'][0]
  expect((await called(client, 'goals')).data).toMatchObject({ total: 1, goals: [{ id, state: { kind: 'active' } }] })
  await called(client, 'goals', { action: 'complete', id })
  expect((await called(client, 'goals')).data['total']).toBe(0)
  expect((await called(client, 'goals', { state: 'completed' })).data['goals'][0].id).toBe(id)
  expect(await codeOf(client, 'goals', { action: 'resume', id })).toBe('AGIDB_GOAL_TRANSITION')
})

test('documents are stored, searched, browsed, outlined and seen from perspectives', async () => {
  const text = '# Kitchen\n\nThe oven needs repair.\n\n# Garden\n\nThe roses bloom in June.\n'
  const { data } = await called(client, 'remember', { text, document: 'house.md', perspectives: ['knowledge'] })
  expect(data['document']).toMatchObject({ source: 'house.md', superseded: 0 })
  const found = await called(client, 'search_documents', { query: 'when do roses bloom?', perspective: 'knowledge' })
  expect(found.text).toContain('[1] house.md')
  expect(found.data['results'].some((one: { text: string }) => one.text.includes('roses bloom in June'))).toBe(true)
  const { data: outline } = await called(client, 'browse', { action: 'outline', document: 'house.md' })
  expect(outline['outline'].map(({ heading }: { heading: string }) => heading)).toEqual(['Kitchen', 'Garden'])
  expect((await called(client, 'browse', { action: 'documents' })).data['documents']).toHaveLength(1)
  const { data: sides } = await called(client, 'perspectives', { action: 'define', name: 'plants', hint: 'what grows' })
  expect(sides['perspectives'].map(({ id }: { id: string }) => id)).toEqual([
    ...['intentions', 'people', 'temporal', 'knowledge', 'decisions', 'learnings', 'session', 'plants'],
  ])
  const entry = found.data['results'][0].id
  await called(client, 'perspectives', { action: 'assign', entry, perspectives: ['plants'] })
  expect((await called(client, 'browse', { perspective: 'plants' })).data['entries'][0].id).toBe(entry)
  await called(client, 'think', { action: 'promote', id: entry })
  expect((await called(client, 'think')).data['result'].visibility.always).toBe(1)
  expect((await called(client, 'identity')).data['core'].length).toBeGreaterThan(0)
})

test('a reflection that the client writes is stored', async () => {
  const { data } = await called(client, 'remember', { text: 'The team moved to Pune.', document: 'notes.txt' })
  expect(data['ids'].length).toBeGreaterThan(0)
  const { ids, schema } = (await called(client, 'think', { action: 'reflection' })).data['result']
  expect(Object.keys(schema.properties)).toContain('narrative')
  const answer = JSON.stringify({ narrative: 'I know where the team is.', consolidations: [], learnings: [] })
  const { data: told } = await called(client, 'think', { action: 'reflect', answer, ids })
  expect(told['result'].entries[0]).toMatchObject({ type: 'meta', text: 'I know where the team is.' })
  expect(await codeOf(client, 'think', { action: 'reflect', answer: 'no', ids })).toBe('AGIDB_LLM')
})

test('introspection says what was learned', async () => {
  await called(client, 'goals', { action: 'set', description: 'rest' })
  const { data } = await called(client, 'introspect', { question: 'which goals moved' })
  expect(data).toMatchObject({ question: 'which goals moved' })
  expect(data['summary'].length).toBeGreaterThan(0)
})

test('wrong arguments are refused with a code, and nothing is written', async () => {
  expect(await codeOf(client, 'remember', {})).toBe('AGIDB_INVALID_ARGUMENT')
  expect(await codeOf(client, 'remember', { text: 7 })).toBe('AGIDB_INVALID_ARGUMENT')
  expect(await codeOf(client, 'remember', { text: ' ' })).toBe('AGIDB_INVALID_TEXT')
  expect(await codeOf(client, 'remember', { text: 'a', colour: 'red' })).toBe('AGIDB_UNKNOWN_OPTION')
  expect(await codeOf(client, 'remember', { text: 'a', at: 'soon' })).toBe('AGIDB_INVALID_TIME')
  expect(await codeOf(client, 'remember', { text: 'a'.repeat(100_000) })).toBe('AGIDB_TOO_LARGE')
  expect(await codeOf(client, 'remember', { text: 'a', document: 'b', speaker: 'c' })).toBe('AGIDB_INVALID_ARGUMENT')
  expect(await codeOf(client, 'update', { id: 'ep_none', text: 'a' })).toBe('AGIDB_NOT_FOUND')
  expect(await codeOf(client, 'forget', { speaker: 'a', session: 'b' })).toBe('AGIDB_INVALID_ARGUMENT')
  expect(await codeOf(client, 'beliefs', { action: 'withdraw' })).toBe('AGIDB_INVALID_ARGUMENT')
  expect((await db.stats()).episodes).toBe(0)
  await expect(client.callTool({ name: 'erase' })).rejects.toMatchObject({ data: { code: 'AGIDB_NOT_FOUND' } })
})

test('an unknown argument is refused with the arguments that there are', async () => {
  const told = async (name: string, args: Record<string, unknown>) =>
    textOf((await client.callTool({ name, arguments: args })) as CallToolResult)
  expect(await told('restore', { audit: 'au_1' })).toContain(
    'restore has no argument "audit"; known are auditId (AGIDB_UNKNOWN_OPTION)',
  )
  expect(await told('restore', { auditId: 'au_1', a: 1, b: 2 })).toContain(
    'restore has no arguments "a", "b"; known are',
  )
  expect(await told('forget', { pattern: { verb: 'likes' } })).toContain(
    'forget.pattern has no argument "verb"; known are subject, predicate, object',
  )
  const items = [{ text: 'a' }, { text: 'b', colour: 'red' }]
  expect(await told('remember', { items })).toContain('remember.items.1 has no argument "colour"; known are text, ')
  expect(await told('remember', { text: 'a', ['x'.repeat(5_000)]: 1 })).toMatch(/x{100}…"; known are text, .{1,300}$/)
})
