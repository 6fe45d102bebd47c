import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { EpisodePatch } from '../../../src/api/episode.js'
import type { SentenceEncoder } from '../../../src/api/encoder.js'
import { loadCodebook } from '../../../src/encoding/codebook/load.js'
import { readCodebook } from '../../../src/encoding/codebook/node.js'
import type { Engine } from '../../../src/engine/engine.js'
import { openEngine } from '../../../src/engine/whole.js'
import type { EngineOptions } from '../../../src/engine/options.js'
import { Agidb } from '../../../src/runtimes/node/index.js'
import { memoryStorage } from '../../../src/storage/adapters/memory.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { kernel } from '../encoding/kernel.js'
import { timeless } from '../memory/answers.js'
import { exported } from '../transfer/exported.js'
import { listed, NOW, openMemory, withFolder } from './open.js'

const codebook = (await loadCodebook(await readCodebook()))!
const iso = (time: number) => new Date(time).toISOString()
const BAWRI = { subject: 'Sarah', predicate: 'recommends', object: 'Bawri' }
const NOTES = [
  {
    id: 'a',
    text: 'Sarah recommended Bawri, a thai place in Bandra.',
    speaker: 'Sarah',
    session: 's1',
    triples: [BAWRI],
  },
  { id: 'b', text: 'The train to Pune leaves at seven.', speaker: 'Tom', session: 's1' },
  { id: 'c', text: 'Nobody expected the oxygen to go down.', session: 's2', source: 'chat' },
]
const CUES = ['which thai place?', 'what did Tom say?', 'when does the train leave?', 'where is the harbour?', 'oxygen']

/** A memory whose clock stands at `now`. */
async function timed(options: Partial<EngineOptions> = {}): Promise<{ db: Engine; at: (now: number) => void }> {
  let now = NOW
  const db = await openEngine({ kernel, storage: memoryStorage(), clock: () => now, seed: 1, ...options })
  return { db, at: (time) => (now = time) }
}

/** What a memory answers, but for when it was updated. */
async function answers(db: Engine): Promise<unknown> {
  const recalled = []
  for (const cue of CUES) recalled.push(timeless(await db.recall(cue, { traceAttention: true })))
  recalled.push(timeless(await db.recall(undefined, { structured: { subject: 'Sarah' } })))
  const { episodes, sessions, speakers, concepts, terms } = await db.stats()
  const all = (await listed(db)).map((episode) => ({ ...episode, updatedAt: undefined, version: undefined }))
  return { recalled, counts: { episodes, sessions, speakers, concepts, terms }, all }
}

/** What the notes are once `a` was patched, as observations. */
function notesWith(patch: EpisodePatch) {
  const [a, ...others] = NOTES
  const given = Object.entries({ ...a, ...patch }).filter(([, value]) => value !== null)
  return [{ ...Object.fromEntries(given), id: 'a' } as (typeof NOTES)[number], ...others]
}

const PATCHES: readonly (readonly [string, EpisodePatch])[] = [
  ['another text', { text: 'A boat lies in the harbour of Oslo.' }],
  ['another speaker', { speaker: 'Tom' }],
  ['no speaker, session and triples', { speaker: null, session: null, triples: null }],
  ['other triples', { triples: [{ subject: 'Tom', predicate: 'sails to', object: 'Oslo' }, BAWRI] }],
  ['another session, source and time', { session: 's2', source: 'mail', at: NOW - 86_400_000 }],
  ['an end', { at: NOW - 86_400_000, validTo: NOW - 1 }],
  ['tags, metadata and a time of expiry', { tags: ['trip'], metadata: { day: 3 }, expiresAt: NOW + 1 }],
  ['a text without words', { text: '…', speaker: null }],
]

for (const [what, patch] of PATCHES) {
  test(`an episode that is given ${what} is answered as if it had been observed so`, async () => {
    for (const options of [{}, { codebook }]) {
      const { db } = await timed(options)
      const { db: twin } = await timed(options)
      await db.observeMany(NOTES)
      await db.update('a', patch)
      await twin.observeMany(notesWith(patch))
      expect(await answers(db)).toEqual(await answers(twin))
      await db.close()
      await twin.close()
    }
  })

  test(`an episode that was given ${what} stays so when the memory is opened again or imported`, () =>
    withFolder(async (path) => {
      const { db: twin } = await timed({ codebook })
      await twin.observeMany(notesWith(patch))
      const expected = await answers(twin)
      for (const [name, keepAfter] of [
        ['journal', Infinity],
        ['checkpoint', 1],
      ] as const) {
        const open = () => timed({ codebook, keepAfter, storage: nodeStorage(`${path}-${name}`) })
        const { db } = await open()
        await db.observeMany(NOTES)
        await db.close()
        const { db: updating } = await open()
        await updating.update('a', patch)
        const history = await updating.history('a')
        expect(await answers(updating)).toEqual(expected)
        const bytes = await exported(updating)
        await updating.close()
        const { db: again } = await open()
        expect(await answers(again)).toEqual(expected)
        expect((await again.stats()).opening.filter(({ kind }) => kind === 're-encoded')).toEqual([])
        expect((await again.verify()).problems).toEqual([])
        expect(await again.history('a')).toEqual(history)
        await again.compact()
        expect(await answers(again)).toEqual(expected)
        await again.close()
        const { db: other } = await timed({ codebook })
        await other.import(bytes)
        expect(await answers(other)).toEqual(expected)
        expect(await other.history('a')).toEqual(history)
        await other.close()
      }
      await twin.close()
    }))
}

test('signatures that were made without a codebook are made with it when the memory is opened with one', () =>
  withFolder(async (path) => {
    const patch = { text: 'A boat lies in the harbour of Oslo.' }
    const { db } = await timed({ codebook, storage: nodeStorage(path) })
    await db.observeMany(NOTES)
    await db.close()
    const { db: without } = await timed({ storage: nodeStorage(path) })
    await without.update('a', patch)
    await without.close()
    const { db: again } = await timed({ codebook, storage: nodeStorage(path) })
    const { db: twin } = await timed({ codebook })
    await twin.observeMany(notesWith(patch))
    expect(await answers(again)).toEqual(await answers(twin))
    await again.close()
    await twin.close()
  }))

test('the history of an episode has what it said, from when to when', async () => {
  const { db, at } = await timed()
  await db.observeMany(NOTES)
  expect(await db.history('a')).toEqual([{ version: 1, from: iso(NOW), episode: await db.getEpisode('a') }])
  const first = await db.getEpisode('a')
  at(NOW + 1_000)
  const second = await db.update('a', { text: 'Sarah recommended Bastian.' })
  expect(second).toMatchObject({ recordedAt: iso(NOW), updatedAt: iso(NOW + 1_000), version: 2, speaker: 'Sarah' })
  at(NOW + 2_000)
  const third = await db.update('a', { speaker: null, validTo: '2030-01-01' })
  expect(third).not.toHaveProperty('speaker')
  expect(third).toMatchObject({ updatedAt: iso(NOW + 2_000), version: 3, validTo: '2030-01-01T00:00:00.000Z' })
  expect(await db.getEpisode('a')).toEqual(third)
  expect(await db.history('a')).toEqual([
    { version: 1, from: iso(NOW), to: iso(NOW + 1_000), episode: first },
    { version: 2, from: iso(NOW + 1_000), to: iso(NOW + 2_000), episode: second },
    { version: 3, from: iso(NOW + 2_000), episode: third },
  ])
  expect(await db.stats()).toMatchObject({ episodes: 3, versions: 2 })
  await expect(db.history('nobody')).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
})

test('tags, metadata and a time of expiry are replaced as a whole and taken away by null', async () => {
  const db = await openMemory()
  await db.observe('It rains.', { id: 'a', tags: ['x'], metadata: { a: 1, b: 2 }, expiresAt: NOW + 1_000 })
  expect(await db.update('a', { metadata: { c: 3 } })).toMatchObject({ metadata: { c: 3 }, tags: ['x'] })
  const bare = await db.update('a', { tags: null, metadata: null, expiresAt: null })
  for (const key of ['tags', 'metadata', 'expiresAt']) expect(bare).not.toHaveProperty(key)
  expect((await db.history('a'))[0].episode).toMatchObject({ metadata: { a: 1, b: 2 }, tags: ['x'] })
  await expect(db.update('a', { metadata: { bad: NaN } })).rejects.toMatchObject({
    message: expect.stringContaining('patch.metadata') as string,
  })
})

test('a patch that changes nothing is no update', async () => {
  const { db, at } = await timed()
  await db.observeMany(NOTES)
  at(NOW + 1_000)
  const before = await db.getEpisode('a')
  for (const patch of [{}, { text: NOTES[0].text, speaker: 'Sarah' }, { source: null }, { speaker: undefined }])
    expect(await db.update('a', patch)).toEqual(before)
  expect(await db.history('a')).toHaveLength(1)
  expect(await db.whatDidILearn(0, { kinds: ['episodeUpdated'] })).toEqual([])
})

test('with keep: false neither what it said before nor what it said before that is kept', () =>
  withFolder(async (path) => {
    const { db, at } = await timed({ storage: nodeStorage(path) })
    await db.observeMany(NOTES)
    await db.update('a', { text: 'My number is 4711.' })
    at(NOW + 1_000)
    const last = await db.update('a', { text: 'My number is a secret.' }, { keep: false })
    expect(last).not.toHaveProperty('version')
    expect(await db.history('a')).toEqual([{ version: 1, from: iso(NOW + 1_000), episode: last }])
    expect((await db.stats()).versions).toBe(0)
    await db.close()
    const { db: again } = await timed({ storage: nodeStorage(path) })
    expect(await again.history('a')).toHaveLength(1)
    expect(Buffer.from(await exported(again)).includes('4711')).toBe(false)
    const kept = await again.update('a', { text: 'My number is not known.' })
    expect(kept.version).toBe(2)
    await again.update('a', {}, { keep: false })
    expect(await again.history('a')).toHaveLength(1)
    await again.close()
  }))

test('an earlier version is not found, and the episode is not found as of a time before it said so', async () => {
  const { db, at } = await timed()
  await db.observe('The harbour is closed.', { id: 'a', at: NOW - 9_000 })
  at(NOW + 1_000)
  await db.update('a', { text: 'The orchard is open.' })
  at(NOW + 2_000)
  const found = async (cue: string, transactionAsOf?: number) =>
    (await db.recall(cue, { transactionAsOf })).matches.map(({ text }) => text)
  expect(await found('harbour')).toEqual(['The orchard is open.'])
  expect(await found('orchard', NOW + 1_000)).toEqual(['The orchard is open.'])
  expect(await found('orchard', NOW + 999)).toEqual([])
  expect((await db.history('a'))[0].episode.text).toBe('The harbour is closed.')
})

test('each update is a learning event and is told to listeners', async () => {
  const { db, at } = await timed()
  const told: (readonly [string, readonly string[], number])[] = []
  db.subscribe(({ kind, ids, slot }) => told.push([kind, ids, slot]))
  await db.observeMany(NOTES)
  at(NOW + 1_000)
  await db.update('a', { text: 'one' })
  await db.setGoal({ description: 'visit Sarah' })
  at(NOW + 2_000)
  await db.update('a', { text: 'two' })
  at(NOW + 3_000)
  await db.update('c', { text: 'three' }, { keep: false })
  const events = await db.whatDidILearn(0)
  expect(events.map(({ kind, at }) => [kind, Date.parse(at) - NOW])).toEqual([
    ...NOTES.map(() => ['episodeStored', 0]),
    ['goalSet', 1_000],
    ['episodeUpdated', 1_000],
    ['episodeUpdated', 2_000],
    ['episodeUpdated', 3_000],
  ])
  expect(events.slice(-3).map(({ id }) => id)).toEqual(['eu_1_a', 'eu_2_a', 'eu_1_c'])
  expect(await db.whatDidILearn(0, { subject: 'a', kinds: ['episodeUpdated'] })).toHaveLength(2)
  expect((await db.introspect({ question: 'what did I learn' })).summary).toContain('updated 3 episodes')
  expect(told.filter(([kind]) => kind === 'episodeUpdated')).toEqual([
    ['episodeUpdated', ['a'], 0],
    ['episodeUpdated', ['a'], 0],
    ['episodeUpdated', ['c'], 2],
  ])
})

test('a wrong patch is refused with what is wrong, and nothing has changed', async () => {
  const db = await openMemory()
  await db.observeMany(NOTES)
  await db.observe('It is over.', { id: 'd', at: NOW - 10_000, validTo: NOW - 5_000 })
  await db.supersede('b', 'c', NOW + 5_000)
  const before = await listed(db)
  const refused: readonly (readonly [unknown, unknown, unknown, string, string])[] = [
    ['nobody', { text: 'x' }, undefined, 'AGIDB_NOT_FOUND', 'nobody'],
    ['', { text: 'x' }, undefined, 'AGIDB_INVALID_ARGUMENT', 'id'],
    ['a', undefined, undefined, 'AGIDB_INVALID_ARGUMENT', 'patch'],
    ['a', null, undefined, 'AGIDB_INVALID_ARGUMENT', 'patch'],
    ['a', { text: '  ' }, undefined, 'AGIDB_INVALID_TEXT', 'patch.text'],
    ['a', { text: null }, undefined, 'AGIDB_INVALID_ARGUMENT', 'patch.text'],
    ['a', { at: null }, undefined, 'AGIDB_INVALID_ARGUMENT', 'patch.at'],
    ['a', { at: 'yesterday' }, undefined, 'AGIDB_INVALID_TIME', 'patch.at'],
    ['a', { speaker: 5 }, undefined, 'AGIDB_INVALID_ARGUMENT', 'patch.speaker'],
    ['a', { triples: [{ subject: 'x' }] }, undefined, 'AGIDB_INVALID_ARGUMENT', 'patch.triples[0].predicate'],
    ['a', { id: 'z' }, undefined, 'AGIDB_UNKNOWN_OPTION', 'id'],
    ['a', { recordedAt: NOW }, undefined, 'AGIDB_UNKNOWN_OPTION', 'recordedAt'],
    ['a', { text: 'x' }, { keep: 1 }, 'AGIDB_INVALID_ARGUMENT', 'keep'],
    ['a', { text: 'x' }, { kept: true }, 'AGIDB_UNKNOWN_OPTION', 'kept'],
    ['a', { text: 'x'.repeat(100_000) }, undefined, 'AGIDB_TOO_LARGE', 'patch.text'],
    ['d', { at: NOW }, undefined, 'AGIDB_INVALID_ARGUMENT', 'validTo'],
    ['b', { at: NOW + 5_001 }, undefined, 'AGIDB_INVALID_ARGUMENT', 'superseded'],
  ]
  for (const [id, patch, options, code, names] of refused) {
    const error = await db.update(id as string, patch as EpisodePatch, options as object).catch((error) => error)
    expect([patch, error.code]).toEqual([patch, code])
    expect(error.message).toContain(names)
  }
  expect(await listed(db)).toEqual(before)
  expect((await db.stats()).versions).toBe(0)
})

test('a removed episode takes its versions with it', () =>
  withFolder(async (path) => {
    const { db } = await timed({ storage: nodeStorage(path) })
    await db.observeMany(NOTES)
    await db.update('a', { text: 'one' })
    await db.update('a', { text: 'two' })
    await db.remove('a')
    expect((await db.stats()).versions).toBe(0)
    await db.observe('It is another one.', { id: 'a' })
    expect(await db.history('a')).toHaveLength(1)
    await db.close()
    const { db: again } = await timed({ storage: nodeStorage(path) })
    expect((await again.stats()).versions).toBe(0)
    expect((await again.verify()).ok).toBe(true)
    await again.close()
  }))

test('when an update cannot be written, everything is as it was', async () => {
  const storage = memoryStorage()
  let fails = false
  const { db } = await timed({
    codebook,
    storage: {
      async open(...args) {
        const opened = await storage.open(...args)
        const commit: typeof opened.rows.commit = async (changes) => {
          if (fails) throw new Error('the disk is gone')
          await opened.rows.commit(changes)
        }
        return { ...opened, databaseId: opened.databaseId, rows: { ...opened.rows, commit } }
      },
    },
  })
  await db.observeMany(NOTES)
  const before = await answers(db)
  fails = true
  for (const [, patch] of PATCHES) await expect(db.update('a', patch)).rejects.toThrow('the disk is gone')
  fails = false
  expect(await answers(db)).toEqual(before)
  expect(await db.history('a')).toHaveLength(1)
})

test('an encoder makes the latent of an updated episode again', () =>
  withFolder(async (path) => {
    const asked: string[] = []
    const encoder: SentenceEncoder = {
      id: 'ab'.repeat(32),
      dimension: 4,
      encode: async (texts: readonly string[]) => {
        asked.push(...texts)
        return texts.map((text) => Float32Array.from([text.length, 1, text.charCodeAt(0), -3]))
      },
      close: async () => {},
    }
    const { db } = await timed({ encoder, storage: nodeStorage(path) })
    const encoded = (of: Engine) => expect.poll(async () => (await of.stats()).encoder).toMatchObject({ pending: 0 })
    await db.observeMany(NOTES)
    await encoded(db)
    await db.update('b', { session: 's9' })
    expect((await db.stats()).encoder).toMatchObject({ pending: 0 })
    await db.update('a', { text: 'another text' })
    await encoded(db)
    expect(asked.at(-1)).toBe('Sarah: another text')
    expect(asked).toHaveLength(4)
    await db.close()
    const { db: without } = await timed({ storage: nodeStorage(path) })
    await without.update('a', { text: 'a third text' })
    await without.close()
    const { db: again } = await timed({ encoder, storage: nodeStorage(path) })
    await encoded(again)
    expect(asked.slice(4)).toEqual(['Sarah: a third text'])
    await again.close()
  }))

test('an update of an encrypted memory stays when it is opened again, in another session and without triples', () =>
  withFolder(async (path) => {
    const open = () => Agidb.open({ path, codebook: 'none', encryption: 'keys-beside', extract: 'none' })
    const db = await open()
    await db.observeMany(NOTES)
    await db.update('a', { text: 'A boat lies in the harbour of Oslo.', session: 's9', triples: null })
    await db.update('b', { session: 's9' }, { keep: false })
    const history = await db.history('a')
    await db.close()
    const again = await open()
    expect(await again.history('a')).toEqual(history)
    expect((await again.recall('harbour')).matches[0]).toMatchObject({ id: 'a', session: 's9' })
    expect((await again.recall(undefined, { structured: { subject: 'Sarah' } })).matches[0]?.tier).not.toBe('exact')
    expect((await again.verify()).problems).toEqual([])
    await again.compact()
    expect(await again.history('a')).toEqual(history)
    await again.close()
    for (const file of readdirSync(path)) {
      if (file === 'lock') continue
      expect([file, readFileSync(join(path, file)).includes('Bawri')]).toEqual([file, false])
    }
  }))
