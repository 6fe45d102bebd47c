import { expect, test } from 'vitest'
import type { Engine } from '../../../../src/engine/engine.js'
import { memoryStorage } from '../../../../src/storage/adapters/memory.js'
import { openMemory } from '../../engine/open.js'
import { altered } from '../../storage/altered-adapter.js'

/** A memory with two sessions, statements and tags. */
async function talk() {
  const db = await openMemory({ extract: 'none' })
  const fact = (subject: string, predicate: string, object: string) => [{ subject, predicate, object }]
  await db.observe('The deploy started.', { id: 'start', session: 'a', tags: ['deploy'] })
  await db.observe('Tests passed.', { id: 'tests', session: 'a' })
  await db.observe('Ann leads Apollo.', { id: 'lead', session: 'a', triples: fact('Ann', 'leads', 'Apollo') })
  await db.observe('Apollo needs Redis.', { id: 'needs', session: 'b', triples: fact('Apollo', 'depends on', 'Redis') })
  await db.observe('Redis was down.', { id: 'down', session: 'b', triples: fact('Redis', 'is', 'down') })
  return db
}

test('episodes of a session are neighbours of those before and after, and of those that name the same', async () => {
  const db = await talk()
  const found = await db.graph.neighbours('lead')
  expect(found.map(({ id }) => id).sort()).toEqual(['needs', 'tests'])
  expect(found.find(({ id }) => id === 'needs')?.why).toEqual([
    { from: 'lead', edge: 'entity', weight: expect.any(Number), to: 'Apollo' },
    { from: 'Apollo', edge: 'entity', weight: 0.25, to: 'needs' },
  ])
  expect((await db.graph.neighbours('lead', { kinds: ['backward'] })).map(({ id, weight }) => [id, weight])).toEqual([
    ['tests', 0.7],
  ])
  expect((await db.graph.neighbours('lead', { depth: 2 })).map(({ id, hops }) => [id, hops])).toContainEqual([
    'down',
    2,
  ])
  expect(await db.graph.neighbours('nobody')).toEqual([])
  await db.close()
})

test('the timeline has what was said before and after in the session, in order', async () => {
  const db = await talk()
  expect(await db.graph.timeline('tests')).toEqual({ session: 'a', before: ['start'], after: ['lead'] })
  expect(await db.graph.timeline('lead', { before: 1, after: 0 })).toEqual({
    session: 'a',
    before: ['tests'],
    after: [],
  })
  await expect(db.graph.timeline('nobody')).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
  await db.close()
})

test('entities have the episodes that name them and their relations, by type', async () => {
  const db = await talk()
  expect(await db.graph.entity('apollo')).toEqual({
    name: 'Apollo',
    type: 'OTHER',
    mentions: 2,
    degree: 2,
    episodes: ['needs', 'lead'],
    relations: [
      { from: 'Apollo', type: 'DEPENDS_ON', predicate: 'depends on', to: 'Redis', weight: 1, episodes: ['needs'] },
      { from: 'Ann', type: 'MANAGES', predicate: 'leads', to: 'Apollo', weight: 1, episodes: ['lead'] },
    ],
  })
  expect((await db.graph.entities()).map(({ name }) => name)).toEqual(['Apollo', 'Redis', 'Ann', 'down'])
  expect((await db.graph.relations('Ann')).map(({ to }) => to)).toEqual(['Apollo'])
  expect((await db.graph.relations(undefined, undefined, 'DEPENDS_ON')).map(({ from }) => from)).toEqual(['Apollo'])
  expect((await db.graph.relations('Redis', 'down', 'is')).map(({ type }) => type)).toEqual(['OTHER'])
  expect(await db.graph.relations('Redis', 'down', 'likes')).toEqual([])
  await db.close()
})

test('the path between two episodes leads over what both name', async () => {
  const db = await talk()
  const [path] = await db.graph.paths('lead', 'needs')
  expect(path.steps.map(({ to }) => to)).toEqual(['Apollo', 'needs'])
  const [between] = await db.graph.paths('Ann', 'Redis')
  expect(between.steps.map(({ from, edge, to }) => `${from} ${edge} ${to}`)).toEqual([
    'Ann MANAGES Apollo',
    'Apollo DEPENDS_ON Redis',
  ])
  expect(await db.graph.paths('start', 'down', { maxHops: 1 })).toEqual([])
  await db.close()
})

test('a caller strengthens associations, relates entities, and forgets both', async () => {
  const db = await talk()
  await db.graph.strengthen('start', 'down', 3)
  expect((await db.graph.activate(['start'], { k: 2 })).map(({ id }) => id)).toEqual(['down', 'tests'])
  await db.graph.forgetEdge({ a: 'start', b: 'down' })
  expect((await db.graph.activate(['start'], { depth: 1 })).map(({ id }) => id)).toEqual(['tests'])
  await expect(db.graph.forgetEdge({ a: 'start', b: 'down' })).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })

  await db.graph.relate('Ann', 'sponsors', 'The Choir', { weight: 2 })
  expect(await db.graph.relations('Ann', 'the choir')).toEqual([
    { from: 'Ann', type: 'OTHER', predicate: 'sponsors', to: 'The Choir', weight: 2, episodes: [] },
  ])
  await db.graph.forgetEdge({ from: 'Ann', to: 'The Choir' })
  expect(await db.graph.relations('Ann', 'The Choir')).toEqual([])
  expect(await db.graph.entity('The Choir')).toBeUndefined()
  await db.graph.forgetEdge({ from: 'Ann', type: 'MANAGES', to: 'Apollo' })
  expect(await db.graph.relations('Ann')).toEqual([])
  await db.observe('Ann still leads Apollo.', { triples: [{ subject: 'Ann', predicate: 'leads', object: 'Apollo' }] })
  expect((await db.graph.relations('Ann')).map(({ weight }) => weight)).toEqual([1])
  await db.close()
})

test('wrong arguments are refused, and nothing is written', async () => {
  const db = await talk()
  const { events } = await db.stats()
  const wrong: Promise<unknown>[] = [
    db.graph.strengthen('start', 'start'),
    db.graph.strengthen('start', 'tests', 0),
    // What no string can be made of.
    db.graph.strengthen('start', 'tests', Object.create(null)),
    db.graph.relate('Ann', 'knows', 'Tom', { weight: [Object.create(null)] as never }),
    db.graph.relate('Ann', 'knows', 'ann'),
    db.graph.relate('Ann', 'knows', '\u0301'),
    db.graph.relate('Ann', 'knows', 'Tom', { weight: -1 }),
    db.graph.neighbours('start', { depth: 9 }),
    db.graph.neighbours('start', { kinds: ['pageRank' as never] }),
    db.graph.activate([]),
    db.graph.export('xml' as never),
    db.graph.forgetEdge({ a: 'start', b: 'tests', from: 'Ann' } as never),
  ]
  for (const call of wrong) await expect(call).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
  await expect(db.graph.strengthen('start', 'nobody')).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
  await expect(db.graph.relate('A', 'b', 'C', { evidence: ['nobody'] })).rejects.toMatchObject({
    code: 'AGIDB_NOT_FOUND',
  })
  expect((await db.stats()).events).toBe(events)
  await db.close()
})

test('an export has every node and edge once, and is well-formed', async () => {
  const db = await talk()
  await db.graph.relate('Ann', 'sponsors', 'R&D <labs>')
  const json = JSON.parse(await new Response(await db.graph.export('json')).text()) as {
    nodes: { id: string; kind: string }[]
    edges: { from: string; to: string; kind: string }[]
  }
  const count = (kind: string) => [...json.nodes, ...json.edges].filter((one) => one.kind === kind).length
  expect([count('episode'), count('association'), count('forward'), count('relation')]).toEqual([5, 3, 3, 4])
  const ids = new Set(json.nodes.map(({ id }) => id))
  expect(ids.size).toBe(json.nodes.length)
  for (const { from, to } of json.edges) expect([ids.has(from), ids.has(to)]).toEqual([true, true])
  expect(JSON.parse(await new Response(await db.graph.export()).text())).toEqual(json)
  const xml = await new Response(await db.graph.export('graphml')).text()
  expect(xml.match(/<edge /g)).toHaveLength(json.edges.length)
  expect(xml).toContain('R&amp;D &lt;labs&gt;')
  await db.close()
})

test.each([
  'json',
  'graphml',
] as const)('of what comes while a %s export is read no edge leads anywhere', async (as) => {
  const db = await talk()
  // More than one piece of the stream.
  await db.observeMany(Array.from({ length: 1_500 }, (_, i) => ({ text: `Line ${i}.`, id: `line-${i}`, session: 'c' })))
  const reader = (await db.graph.export(as)).getReader()
  let text = ''
  while (!/"from"|<edge /.test(text)) text += new TextDecoder().decode((await reader.read()).value)
  const triples = [{ subject: 'Ann', predicate: 'leads', object: 'Zeus' }]
  await db.observe('The deploy went on.', { id: 'late', session: 'c', tags: ['deploy'], triples })
  await db.remove('start')
  for (let next = await reader.read(); !next.done; next = await reader.read())
    text += new TextDecoder().decode(next.value)
  const found = (pattern: RegExp) => [...text.matchAll(pattern)].flatMap(([, ...ids]) => ids)
  const nodes = new Set(found(as === 'json' ? /"id":"([^"]*)"/g : /<node id="([^"]*)"/g))
  const ends = found(as === 'json' ? /"from":"([^"]*)","to":"([^"]*)"/g : /source="([^"]*)" target="([^"]*)"/g)
  expect(nodes.size).toBeGreaterThan(1_500)
  expect(ends.length).toBeGreaterThan(2_900)
  expect(ends.filter((id) => !nodes.has(id))).toEqual([])
  await db.close()
})

test('names may consist of any characters', async () => {
  const db = await talk()
  const triples = [
    { subject: '\0a', predicate: 'manages', object: 'b\0"' },
    { subject: '\u0301', predicate: 'manages', object: 'Ann' },
  ]
  await db.observe('odd', { id: 'odd', triples })
  expect(await db.graph.relations('\0a')).toMatchObject([{ from: '\0a', type: 'MANAGES', to: 'b\0"' }])
  expect(await db.graph.neighbours('odd', { kinds: ['entity'] })).not.toEqual([])
  await db.close()
})

test('of ways that are as strong the one over the earlier episode comes first', async () => {
  const db = await openMemory({ extract: 'none' })
  const ids: string[] = []
  for (let i = 0; i < 12; i++) ids.push(await db.observe(`text${i}`, { session: `s${i}` }))
  for (const over of [10, 8]) {
    await db.graph.strengthen(ids[0], ids[over])
    await db.graph.strengthen(ids[over], ids[11])
  }
  const ways = await db.graph.paths(ids[0], ids[11])
  expect(ways.map(({ steps }) => steps[0].to)).toEqual([ids[8], ids[10]])
  await db.close()
})

test('what is unlearned while an answer is read has no place in it', async () => {
  let meanwhile: (() => Promise<unknown>) | undefined
  /** Does something before rows are read, once. */
  const before = async () => {
    const work = meanwhile
    meanwhile = undefined
    await work?.()
  }
  const storage = altered(memoryStorage(), ({ rows }) => ({
    rows: {
      ...rows,
      get: async (slots) => (await before(), rows.get(slots)),
      read: async (slots) => (await before(), rows.read(slots)),
    },
  }))
  const asked = {
    entity: (db: Engine) => db.graph.entity('Apollo'),
    relations: (db: Engine) => db.graph.relations('Apollo'),
    concept: (db: Engine) => db.concept('Apollo'),
    identity: (db: Engine) => db.entries.identity(),
  }
  const db = await openMemory({ extract: 'none', storage })
  for (const [name, ask] of Object.entries(asked)) {
    const triples = [{ subject: 'Apollo', predicate: 'depends on', object: 'Redis' }]
    await db.observe('Apollo needs Redis.', { id: 'first', triples })
    const { id } = await db.entries.add('Apollo is a project.')
    await db.observe('Apollo really needs Redis.', { id: 'last', triples })
    meanwhile = () => db.unlearn({ episode: name === 'identity' ? id : 'first' }, 'asked for')
    const answer = await ask(db)
    expect(meanwhile, name).toBeUndefined()
    const told: unknown[] = []
    // What is undefined is in a list or a member of it.
    JSON.stringify(answer, (_, value: unknown) => (told.push(value), value))
    expect(told, name).not.toContain(undefined)
    await db.unlearn({ all: true }, 'the next')
  }
  await db.close()
})
