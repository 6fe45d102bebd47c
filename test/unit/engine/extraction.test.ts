import { expect, test } from 'vitest'
import type { Episode } from '../../../src/api/episode.js'
import type { Extraction, Extractor } from '../../../src/api/extractor.js'
import type { Engine } from '../../../src/engine/engine.js'
import { openEngine } from '../../../src/engine/whole.js'
import { rulesExtractor } from '../../../src/extraction/rules/extractor.js'
import { memoryStorage } from '../../../src/storage/adapters/memory.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { kernel } from '../encoding/kernel.js'
import { timeless } from '../memory/answers.js'
import { exported } from '../transfer/exported.js'
import { likes } from './likes.js'
import { NOW, openMemory, withFolder } from './open.js'

const BAWRI = { subject: 'Sarah', predicate: 'recommends', object: 'Bawri' }

/** Has everything read that was observed. */
async function read(db: Engine): Promise<void> {
  await db.recall('anything', { whole: true })
}

async function triplesOf(db: Engine, id: string) {
  return (await db.getEpisode(id))!.triples.map(({ subject, predicate, object }) => `${subject} ${predicate} ${object}`)
}

test('The statements of a text are found in the background, with who found them.', async () => {
  const progress: unknown[] = []
  const db = await openMemory({ extract: likes(), onExtracted: (done) => void progress.push(done) })
  const id = await db.observe('Ann likes tea, and I do not like milk.', { speaker: 'Tom' })
  expect((await db.getEpisode(id))!.extraction).toBeUndefined()
  await read(db)
  const { triples, extraction } = (await db.getEpisode(id))!
  expect(triples).toEqual([
    { subject: 'Ann', predicate: 'likes', object: 'tea' },
    { subject: 'Tom', predicate: 'does not like', object: 'milk' },
  ])
  expect(extraction).toMatchObject({ extractor: 'likes', version: '1', given: 0 })
  expect(extraction!.triples[1]).toMatchObject({ polarity: 'negative', modality: 'asserted', confidence: 0.9 })
  expect(extraction!.entities.map(({ text, type }) => `${text} ${type}`)).toEqual(['Ann person'])
  expect(progress).toEqual([{ done: 1, total: 1 }])
  expect((await db.stats()).extraction).toEqual({ extractor: 'likes', version: '1', extracted: 1, pending: 0 })
})

test('A pattern finds what was extracted as it finds what was given.', async () => {
  const db = await openMemory({ extract: likes() })
  const id = await db.observe('I like tea.', { speaker: 'Ann' })
  await db.observe('I like milk.', { speaker: 'Tom' })
  await read(db)
  const { matches } = await db.recall(undefined, { structured: { subject: 'Ann', predicate: 'likes' } })
  expect(matches[0]).toMatchObject({ id, tier: 'exact' })
})

test('What the caller gave stands first, and nothing is added about the same subject and relation.', async () => {
  const db = await openMemory({ extract: likes() })
  const given = [BAWRI, { subject: 'Ann', predicate: 'likes', object: 'green tea' }]
  const id = await db.observe('Ann likes tea. Tom likes milk.', { triples: given })
  await read(db)
  expect(await triplesOf(db, id)).toEqual(['Sarah recommends Bawri', 'Ann likes green tea', 'Tom likes milk'])
})

test('Questions and plans are kept with the episode and are no statements of it.', async () => {
  const db = await openMemory({ extract: likes() })
  const id = await db.observe('Ann likes tea?')
  await read(db)
  const { triples, extraction } = (await db.getEpisode(id))!
  expect(triples).toEqual([])
  expect(extraction!.triples).toMatchObject([{ subject: 'Ann', modality: 'asked' }])
})

test('A memory that is opened again is read again only by another version.', () =>
  withFolder(async (path) => {
    const open = (extract: Extractor) => openEngine({ kernel, storage: nodeStorage(path), extract, keepAfter: 1 })
    const calls: string[][] = []
    const first = await open(likes('1', calls))
    await first.observeMany([{ text: 'Ann likes tea.' }, { text: 'Nothing to see.' }])
    await read(first)
    await first.close()
    const again = await open(likes('1', calls))
    await read(again)
    expect(calls.flat()).toEqual(['Ann likes tea.', 'Nothing to see.'])
    await again.close()
    const other = await open(likes('2', calls))
    await read(other)
    expect(calls.flat()).toHaveLength(4)
    expect((await other.stats()).extraction).toMatchObject({ version: '2', extracted: 2, pending: 0 })
    await other.close()
  }))

test('The rules are loaded once there is a text that they have not read.', () =>
  withFolder(async (path) => {
    let loads = 0
    const rules = async () => {
      loads++
      return { rulesExtractor }
    }
    const open = () =>
      openEngine({ kernel, storage: nodeStorage(path), extract: 'rules', parts: { rules }, keepAfter: 1 })
    const first = await open()
    await read(first)
    expect(loads).toBe(0)
    await first.observe('Ann likes tea.')
    await read(first)
    const { extraction } = await first.stats()
    expect(extraction).toMatchObject({ extractor: 'rules', extracted: 1, pending: 0 })
    await first.close()
    expect(loads).toBe(1)
    const again = await open()
    await read(again)
    expect((await again.stats()).extraction).toEqual(extraction)
    expect(loads).toBe(1)
    await again.observe('Tom likes milk.')
    await read(again)
    expect(loads).toBe(2)
    await again.close()
  }))

test('The order of texts and of their reading makes no difference to what is stored.', async () => {
  const texts = Array.from({ length: 150 }, (_, i) => ({
    text: i % 3 === 0 ? `Ann${'abc'[i % 2]} likes tea.` : 'He likes milk.',
    session: `s${i % 5}`,
  }))
  const together = await openMemory({ extract: likes() })
  await together.observeMany(texts)
  await read(together)
  const apart = await openMemory({ extract: likes() })
  for (const item of texts) {
    await apart.observeMany([item])
    await read(apart)
  }
  const all = async (db: Engine) => {
    const episodes: Episode[] = []
    for await (const page of db.episodes()) episodes.push(...page)
    return episodes.map(({ triples, extraction }) => ({ triples, extraction }))
  }
  expect(await all(together)).toEqual(await all(apart))
})

test('An extractor that fails is left alone, observing goes on, and stats say why.', async () => {
  const db = await openMemory({
    extract: { id: 'broken', version: '1', extract: () => Promise.reject(new Error('no model today')) },
  })
  const id = await db.observe('Ann likes tea.')
  await read(db)
  expect((await db.stats()).extraction).toMatchObject({ extracted: 0, pending: 1, error: 'no model today' })
  expect((await db.getEpisode(id))!.triples).toEqual([])
  await db.observe('Tom likes milk.')
})

const ANSWERS: readonly (readonly [string, unknown, string])[] = [
  ['no list of triples', [{ entities: [], times: [] }], 'wrong triples; it must be an array'],
  [
    'an entity that is not in the text',
    [{ entities: [{ text: 'Bob', type: 'person', from: 0, to: 3, score: 1 }], triples: [], times: [] }],
    'wrong entities[0].text; it must be the text from `from` to `to`',
  ],
  [
    'an unknown polarity',
    [
      {
        entities: [],
        times: [],
        triples: [
          {
            ...BAWRI,
            polarity: 'maybe',
            modality: 'asserted',
            confidence: 1,
            span: { from: 0, to: 1 },
          },
        ],
      },
    ],
    'wrong triples[0].polarity; it must be one of positive, negative',
  ],
  ['one result too few', [], 'something else than as many results'],
]
test.each(
  ANSWERS,
)('An extractor that answers with %s is refused with the field that is wrong.', async (_, found, why) => {
  const extract: Extractor = { id: 'odd', version: '1', extract: async () => found as Extraction[] }
  const db = await openMemory({ extract })
  await db.observe('Ann likes tea.')
  await read(db)
  expect((await db.stats()).extraction!.error).toContain(why)
})

test('What an extractor finds that cuts a character in two is left out.', async () => {
  const text = 'Ann drinks 🍵'
  const at = text.indexOf('🍵')
  const part = (from: number, to: number) => ({ text: text.slice(from, to), from, to })
  const found: Extraction = {
    entities: [part(0, 3), part(at, at + 1), part(at, at + 2)].map((one) => ({ ...one, type: 'thing', score: 1 })),
    triples: [],
    times: [part(at + 1, at + 2)].map((one) => ({ ...one, start: '2026-01-01', end: '2026-01-02' })),
  }
  const db = await openMemory({ extract: { id: 'odd', version: '1', extract: async () => [found] } })
  const id = await db.observe(text)
  await read(db)
  const { entities, times } = (await db.getEpisode(id))!.extraction!
  expect(entities.map((entity) => entity.text)).toEqual(['Ann', '🍵'])
  expect(times).toEqual([])
})

test.each([
  ['nonsense'],
  [{ id: 'x' }],
  [{ id: '', version: '1', extract: () => {} }],
])('The option extract refuses %j.', async (extract) => {
  const opening = openMemory({ extract: extract as Extractor })
  await expect(opening).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
  await expect(opening).rejects.toThrow("extract must be 'rules', 'none' or an extractor")
})

test('An export has what was extracted, and JSON lines have what the caller gave.', async () => {
  const db = await openMemory({ extract: likes() })
  const id = await db.observe('Ann likes tea.', { id: 'a', triples: [BAWRI] })
  await read(db)
  const copy = await openMemory()
  await copy.import(await db.export())
  expect(await copy.getEpisode(id)).toEqual(await db.getEpisode(id))
  const line = JSON.parse(new TextDecoder().decode(await exported(db, { format: 'jsonl' })))
  expect(line.triples).toEqual([BAWRI])
  expect(line.extraction).toBeUndefined()
})

test('An update of the text is read again, one of the tags is not.', async () => {
  const calls: string[][] = []
  const db = await openMemory({ extract: likes('1', calls) })
  const id = await db.observe('Ann likes tea.')
  await read(db)
  await db.update(id, { tags: ['drinks'] })
  await read(db)
  expect(await triplesOf(db, id)).toEqual(['Ann likes tea'])
  expect(calls).toHaveLength(1)
  await db.update(id, { text: 'Ann likes milk.' })
  await read(db)
  expect(await triplesOf(db, id)).toEqual(['Ann likes milk'])
  const { matches } = await db.recall(undefined, { structured: { object: 'tea' } })
  expect(matches.filter(({ tier }) => tier === 'exact')).toEqual([])
})

const TALK = [
  { id: 'a', text: 'Karl came home.', session: 's', speaker: 'Ann' },
  { id: 'b', text: 'Bob was there.', session: 's', speaker: 'Ann' },
  { id: 'c', text: 'He likes tea.', session: 's', speaker: 'Tom' },
  { id: 'd', text: 'I do not like milk.', session: 's', speaker: 'Tom' },
]

/** What a memory with these episodes knows once all is read. */
async function known(db: Engine) {
  await read(db)
  await db.consolidate()
  const episodes: Episode[] = []
  for await (const page of db.episodes()) episodes.push(...page)
  return {
    episodes: episodes.map((episode) => ({ ...episode, version: undefined, updatedAt: undefined })),
    answers: [
      timeless(await db.recall('who likes tea?', { traceAttention: true })),
      timeless(await db.recall(undefined, { structured: { predicate: 'likes' } })),
    ],
    concepts: (await db.stats()).concepts,
    atoms: (await db.semanticAtoms()).map(({ statement }) => statement),
  }
}

async function talk(left: readonly string[] = ['a', 'b', 'c', 'd']): Promise<Engine> {
  const db = await openEngine({ kernel, storage: memoryStorage(), clock: () => NOW, seed: 1, extract: likes() })
  await db.observeMany(TALK.filter(({ id }) => left.includes(id)))
  await read(db)
  return db
}

test.each([
  ['a'],
  ['b'],
  ['c'],
  ['d'],
])('A memory that unlearned turn %s reads the others as if it never was.', async (id) => {
  const db = await talk()
  await db.unlearn({ episode: id }, 'asked for')
  expect(await known(db)).toEqual(await known(await talk(TALK.map((turn) => turn.id).filter((other) => other !== id))))
})

test('A turn that comes back is what pronouns mean again.', async () => {
  const db = await talk()
  expect(await triplesOf(db, 'c')).toEqual(['Bob likes tea'])
  const { auditId } = await db.unlearn({ episode: 'b' }, 'asked for')
  await read(db)
  expect(await triplesOf(db, 'c')).toEqual(['Karl likes tea'])
  await db.restoreWithinWindow(auditId!)
  expect(await known(db)).toEqual(await known(await talk()))
})

test('A turn whose text or session is updated changes whom pronouns mean after it.', async () => {
  const db = await talk()
  await db.update('b', { text: 'Eve was there.' })
  await read(db)
  expect(await triplesOf(db, 'c')).toEqual(['Eve likes tea'])
  await db.update('b', { session: 'other' })
  await read(db)
  expect(await triplesOf(db, 'c')).toEqual(['Karl likes tea'])
})

test('A name that statements read out of a text have adds a third of what it adds where they were given.', async () => {
  const cue = 'What does Ann like?'
  const text = 'Ann likes tea.'
  const others = ['The bus was late.', 'Rain again all day.', 'They painted the door.'].map((text) => ({ text }))
  const signalsOf = async (options: { extract?: Extractor; triples?: Episode['triples'] }) => {
    const { triples, ...opened } = options
    const db = await openMemory(opened)
    await db.observeMany([{ text, ...(triples && { triples }) }, ...others])
    await read(db)
    return (await db.recall(cue)).matches.find((match) => match.text === text)!.signals
  }
  const triples = [{ subject: 'Ann', predicate: 'likes', object: 'tea' }]
  const given = await signalsOf({ triples })
  const alone = await signalsOf({ extract: likes() })
  expect(given.concepts).toBeCloseTo(0.3)
  expect(given.structured).toBeGreaterThan(0)
  expect(alone.concepts).toBeCloseTo(0.1)
  expect(alone.structured).toBeUndefined()
  expect(await signalsOf({ extract: likes(), triples })).toEqual(given)
})

test('A question that nothing answers is marked low however often its name was read out of texts.', async () => {
  const talk = Array.from({ length: 60 }, (_, i) => ({ text: `The tram number ${i} was late in the rain.` }))
  const turns = [{ text: 'Ann likes tea.' }, ...talk]
  const best = async (extract: Extractor | 'none') => {
    const db = await openMemory({ extract })
    await db.observeMany(turns)
    await read(db)
    return (await db.recall('Which university did Ann go to before the war?')).matches[0]
  }
  expect((await best('none')).lowConfidence).toBe(true)
  expect((await best(likes())).lowConfidence).toBe(true)
})
