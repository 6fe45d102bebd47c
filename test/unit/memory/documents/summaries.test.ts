import { expect, test } from 'vitest'
import type { Summarizer } from '../../../../src/api/summarizer.js'
import type { Engine } from '../../../../src/engine/engine.js'
import { openMemory } from '../../engine/open.js'

const paragraph = (about: string, secret = '') =>
  `The ${about} is checked before every trip, and whoever checks the ${about} signs the book of the ${about}. ` +
  `A ${about} that fails the check is replaced at once, and the old ${about} goes to the workshop.${secret} ` +
  `Nobody drives with a ${about} that was not checked.`

const MANUAL = (secret = '') =>
  `# Bus\n\n## Brakes\n\n### Front\n\n${paragraph('front brake')}\n\n${paragraph('brake hose', secret)}\n\n` +
  `### Rear\n\n${paragraph('rear brake')}\n\n${paragraph('hand brake')}\n\n## Lights\n\n### Inside\n\n` +
  `${paragraph('reading light')}\n\n${paragraph('exit light')}\n\n### Outside\n\n${paragraph('head light')}\n\n` +
  `${paragraph('fog light')}\n`

const SECRET = ' The brake hose of bus 47 was checked by Ann, who signs the book of the brake hose as A. K.'

async function memory() {
  return openMemory({ extract: 'none', clock: () => Date.parse('2026-05-01T10:00:00Z') })
}

/** What can be asked of a memory's documents, without ids of what is not in them. */
async function answers(db: Engine) {
  const questions = ['who checks the brake hose?', 'what happens to an old light?', 'bus 47', 'hand brake']
  const matches = await Promise.all(questions.map((question) => db.entries.search(question, { k: 8, deep: true })))
  return {
    sources: await db.entries.sources(),
    trees: await Promise.all((await db.entries.sources()).map(({ source }) => db.entries.tree(source))),
    matches: matches.map((found) => found.map(({ entry, score, path }) => [entry.id, score, path.map(({ id }) => id)])),
    recalls: await Promise.all(
      questions.map(async (question) =>
        (await db.recall(question)).matches.map(({ id, confidence }) => [id, confidence]),
      ),
    ),
  }
}

test('a long section has a summary, which is made of what is in it and stands first among its children', async () => {
  const db = await memory()
  const { summaries } = await db.entries.ingest(MANUAL(), { source: 'bus.md' })
  expect(summaries).toBeGreaterThan(0)
  const [bus] = await db.entries.tree('bus.md')
  const [summary] = bus.children
  expect(summary.entry).toMatchObject({ type: 'summary', madeBy: 'extractive/1', path: 'Bus' })
  expect(summary.entry.summarizes).toContain(bus.entry.id)
  expect((await db.entries.get(bus.children[1].entry.id))!.relations.map(({ kind }) => kind)).toContain('summarized_by')
  expect(await db.entries.ingest(MANUAL(), { source: 'bus.md' })).toMatchObject({
    added: 0,
    superseded: 0,
    summaries: 0,
  })
  await db.close()
})

test('a changed document has the summaries of what is in it now', async () => {
  const db = await memory()
  await db.entries.ingest(MANUAL(SECRET), { source: 'bus.md' })
  await db.entries.ingest(MANUAL(), { source: 'bus.md' })
  const fresh = await memory()
  await fresh.entries.ingest(MANUAL(), { source: 'bus.md' })
  const contents = async (of: Engine) =>
    (await of.entries.browse({ limit: 1_000 })).map(({ type, content }) => `${type} ${content}`).sort()
  expect(await contents(db)).toEqual(await contents(fresh))
  await Promise.all([db.close(), fresh.close()])
})

test('whoever forgets a document answers as one that never saw it', async () => {
  const db = await memory()
  await db.entries.ingest(MANUAL(), { source: 'bus.md' })
  await db.entries.ingest(`# Train\n\n${paragraph('horn')}\n\n${paragraph('door')}\n`, { source: 'train.md' })
  await db.entries.remove({ source: 'bus.md' })
  const twin = await memory()
  await twin.entries.ingest(`# Train\n\n${paragraph('horn')}\n\n${paragraph('door')}\n`, { source: 'train.md' })
  expect(await answers(db)).toEqual(await answers(twin))
  await Promise.all([db.close(), twin.close()])
})

test('a summary that rests on what is forgotten goes with it, however it is forgotten', async () => {
  const db = await memory()
  await db.entries.ingest(MANUAL(SECRET), { source: 'bus.md' })
  const [secret] = (await db.entries.browse({ limit: 1_000 })).filter(
    ({ type, content }) => type === 'raw' && content.includes('bus 47'),
  )
  await db.unlearn({ episode: secret.id }, 'asked for')
  const left = await db.entries.browse({ limit: 1_000, deep: true })
  expect(left.filter(({ content }) => content.includes('bus 47'))).toEqual([])
  await db.close()
})

test('entries.remove makes the summaries anew without what is forgotten', async () => {
  const db = await memory()
  await db.entries.ingest(MANUAL(SECRET), { source: 'bus.md' })
  const before = (await db.entries.browse({ limit: 1_000 })).filter(({ type }) => type === 'summary').length
  const [secret] = (await db.entries.browse({ limit: 1_000 })).filter(
    ({ type, content }) => type === 'raw' && content.includes('bus 47'),
  )
  await db.entries.remove(secret.id)
  const summaries = (await db.entries.browse({ limit: 1_000 })).filter(({ type }) => type === 'summary')
  expect(summaries.length).toBe(before)
  expect(summaries.filter(({ content }) => content.includes('bus 47'))).toEqual([])
  await db.close()
})

/** A summarizer that quotes all it is given. Something is done while it answers, the first time. */
function quoting(meanwhile: () => Promise<unknown>): Summarizer {
  let isFirst = true
  return {
    id: 'quoting',
    async summarize({ texts }) {
      if (isFirst && texts.some((text) => text.includes('bus 47'))) {
        isFirst = false
        await meanwhile()
      }
      return texts.flatMap((text) => text.match(/[^.]*bus 47[^.]*/) ?? 'All is well.').join(' ')
    },
  }
}

test('what is unlearned while a summarizer reads it is in no summary of the document', async () => {
  const unlearn = async () => {
    const [secret] = (await db.entries.search('bus 47', { k: 1 })).map(({ entry }) => entry)
    await db.unlearn({ episode: secret.id }, 'asked for')
  }
  const db = await openMemory({ extract: 'none', summarizer: quoting(unlearn) })
  const { summaries } = await db.entries.ingest(MANUAL(SECRET), { source: 'bus.md' })
  const left = await db.entries.browse({ limit: 1_000, deep: true })
  expect(left.filter(({ content }) => content.includes('bus 47'))).toEqual([])
  expect(left.filter(({ type }) => type === 'summary')).toHaveLength(summaries)
  expect((await db.verify()).problems).toEqual([])
  await db.close()
})

test('a document of which all is unlearned while a summarizer reads it leaves nothing', async () => {
  const db = await openMemory({
    ...{ extract: 'none' },
    summarizer: quoting(() => db.unlearn({ source: 'bus.md' }, 'asked for')),
  })
  expect(await db.entries.ingest(MANUAL(SECRET), { source: 'bus.md' })).toMatchObject({ summaries: 0 })
  expect(await db.entries.browse({ limit: 1_000, deep: true })).toEqual([])
  expect(await db.whatDidILearn(0, { kinds: ['documentIngested'] })).toEqual([])
  await db.close()
})

test('what is unlearned while a group of notes is summarized is in no summary of them', async () => {
  const db = await openMemory({ extract: 'none', summarizer: quoting(() => db.unlearn({ episode: id }, 'asked for')) })
  const note = 'The brake hose of bus 47 must be checked by Ann every single month'
  const { id } = await db.entries.add(`${note}.`)
  await db.entries.add(`${note}, says Tom.`)
  await db.entries.add(`${note}, without fail.`)
  expect(await db.entries.think('consolidate')).toMatchObject({ entries: [] })
  expect(await db.entries.think('history')).toEqual([])
  const left = await db.entries.browse({ limit: 1_000, deep: true })
  expect(left.map(({ type }) => type)).toEqual(['raw', 'raw'])
  await db.close()
})

test('an export keeps every facet', async () => {
  const db = await memory()
  await db.entries.ingest(MANUAL(), { source: 'bus.md', perspectives: ['knowledge'] })
  const [first] = await db.entries.browse({ limit: 1 })
  await db.entries.setVisibility(first.id, 'always')
  await db.entries.definePerspective('safety', 'Brakes and lights')
  const other = await memory()
  await other.import(await db.export())
  expect(await other.entries.browse({ limit: 1_000 })).toEqual(await db.entries.browse({ limit: 1_000 }))
  expect(await other.entries.perspectives()).toEqual(await db.entries.perspectives())
  expect(await answers(other)).toEqual(await answers(db))
  await Promise.all([db.close(), other.close()])
})
