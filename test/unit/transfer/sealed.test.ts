import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import type { Agidb } from '../../../src/api/agidb.js'
import type { Encryption } from '../../../src/api/encryption.js'
import type { ExportOptions } from '../../../src/api/portable.js'
import type { StoredEpisode } from '../../../src/api/storage.js'
import { ByteReader, pieces } from '../../../src/transfer/bytes.js'
import { fromChunks, toChunks } from '../../../src/transfer/chunks.js'
import { type About, decodeContents, encodeContents } from '../../../src/transfer/contents.js'
import type { ExportKeys } from '../../../src/transfer/export-keys.js'
import { encodeExportHeader, EXPORT_HEADER_BYTES } from '../../../src/transfer/header.js'
import { Agidb as NodeAgidb } from '../../../src/runtimes/node/index.js'
import { holds } from '../../bytes/forms.js'
import { runs } from '../../runs.js'
import { listed, NOW, openMemory, withFolder } from '../engine/open.js'
import { exported } from './exported.js'
import { everyFloor } from './floors.js'

const opened: Agidb[] = []
afterEach(async () => {
  for (const db of opened.splice(0)) await db.close()
})

interface Options {
  readonly encryption?: Encryption
  readonly readOnly?: boolean
}

/** A memory in a folder in which what is unlearned is erased at once. */
async function open(path: string, { encryption = 'keys-beside', readOnly }: Options = {}): Promise<Agidb> {
  const db = await NodeAgidb.open({
    path,
    encryption,
    readOnly,
    tombstoneDays: 0,
    clock: () => NOW,
    seed: 1,
    codebook: 'none',
    extract: 'none',
    autoConsolidate: false,
  })
  opened.push(db)
  return db
}

const SEALED: ExportOptions = { sealed: true }

/** What tells two memories apart. */
async function answers(db: Agidb): Promise<unknown> {
  return {
    recalled: (await db.recall('what thai place did Sarah recommend?', { k: 20 })).matches,
    episodes: await listed(db),
    goals: await db.activeGoals(),
    believed: await db.whatDoIBelieve('Sarah'),
    held: await db.whatDoIBelieve('Bawri'),
    procedures: await db.proceduresFor('book a table'),
    atoms: await db.semanticAtoms(),
    frames: await db.workingState(),
    self: await db.selfVector(),
    conflicts: await db.conflicts(),
  }
}

/** A new memory beside whose files lie the keys of another. */
async function besideKeysOf(path: string, other: string): Promise<Agidb> {
  mkdirSync(other)
  copyFileSync(join(path, 'keys.agidb'), join(other, 'keys.agidb'))
  return open(other)
}

test('A sealed export is read by the memory that it was made of, and by one with the same keys.', () =>
  withFolder((path) =>
    withFolder(async (other) => {
      const db = await open(path)
      await everyFloor(db)
      const before = await answers(db)
      const [bytes, plain] = [await exported(db, SEALED), await exported(db)]
      expect(holds(Buffer.from(plain), 'Bandra'), 'the search finds what is there').toBe(true)
      for (const marker of ['Bandra', 'Sarah', 'train to Pune', 'dinner'])
        expect(holds(Buffer.from(bytes), marker), marker).toBe(false)
      await db.observe('Something else.')
      const report = await db.import(bytes, { replace: true })
      expect(report).toMatchObject({ format: 'agidb', episodes: 12, forgotten: 0, encoded: 0 })
      expect(await answers(db)).toEqual(before)
      await db.flush()
      const restored = await besideKeysOf(path, other)
      expect(await restored.import(bytes)).toEqual(report)
      expect(await answers(restored)).toEqual(before)
      await restored.close()
      const again = await open(other)
      expect(await answers(again)).toEqual(before)
      expect((await again.stats()).opening).toEqual([])
    }),
  ))

test('What was erased since cannot be read in a sealed export, and the import says how much that is.', () =>
  withFolder((path) =>
    withFolder(async (other) => {
      const db = await open(path)
      const [ann] = await db.observeMany([
        { id: 'a1', session: 'a', text: 'Ann moved to Harbour Street.' },
        { id: 'a2', session: 'a', text: 'Ann has a parrot.' },
        { id: 'b1', session: 'b', text: 'Bob moved to Mill Lane.' },
        { id: 'c1', session: 'c', text: 'Ann lives on Harbour Street, says Carla.' },
        { id: 'd1', session: 'd', text: 'Dora has a canary.' },
      ])
      await db.supersede('c1', 'a1')
      await db.update('b1', { text: 'Bob moved to Mill Lane, number four.' })
      await db.assertBelief({ claim: 'Ann lives on Harbour Street', confidence: 0.8, evidence: [ann] })
      const goal = await db.setGoal({ description: 'visit Ann', session: 'a' })
      await db.reviseGoal(goal, { description: 'visit Ann and her parrot' })
      await db.setGoal({ description: 'buy a present', parent: goal, session: 'd' })
      const bytes = await exported(db, SEALED)
      const kept = await exported(db)
      await db.unlearn({ session: 'a' }, 'asked for')
      await db.flush()
      const report = await db.import(bytes, { replace: true })
      expect(report.episodes).toBe(2)
      // Two episodes, the belief, the goal and its revision; the goal below it, and what shares a session with that.
      expect(report.forgotten).toBe(7)
      expect(await listed(db)).toMatchObject([
        { id: 'b1', text: 'Bob moved to Mill Lane, number four.' },
        { id: 'c1', text: 'Ann lives on Harbour Street, says Carla.' },
      ])
      expect(await db.getEpisode('c1'), 'what superseded it is gone').not.toHaveProperty('superseded')
      expect(await db.history('b1')).toHaveLength(2)
      expect(await db.whatDoIBelieve('Ann')).toEqual([])
      expect(await db.activeGoals()).toEqual([])
      expect(JSON.stringify(await db.whatDidILearn(0))).not.toMatch(/parrot|Ann lives on Harbour Street/)
      await db.flush()
      // With all keys that are left the export has no more of it elsewhere.
      const restored = await besideKeysOf(path, other)
      expect(await restored.import(bytes)).toEqual(report)
      // An export in plain does not forget.
      expect(await restored.import(kept, { replace: true })).toMatchObject({ episodes: 5 })
    }),
  ))

test('A restored backup leaves the keys of later ones, and an import of another kind drops them.', () =>
  withFolder(async (path) => {
    const db = await open(path)
    await db.observe('The first of May.', { session: 'a' })
    const first = await exported(db, SEALED)
    await db.observe('The second of May.', { session: 'b' })
    const second = await exported(db, SEALED)
    expect(await db.import(first, { replace: true })).toMatchObject({ episodes: 1, forgotten: 0 })
    expect(await db.import(second, { replace: true })).toMatchObject({ episodes: 2, forgotten: 0 })
    await db.import(new TextEncoder().encode('{"text":"Another memory.","session":"c"}\n'), { replace: true })
    expect(await db.import(second, { replace: true })).toMatchObject({ episodes: 0, forgotten: 2 })
  }))

test('A sealed export ends when something is erased while it is read.', () =>
  withFolder(async (path) => {
    const db = await open(path)
    await db.observeMany(Array.from({ length: 600 }, (_, i) => ({ text: `Item ${i}.`, session: `s${i % 3}` })))
    const stream = await db.export(SEALED)
    const reader = stream.getReader()
    await reader.read()
    await db.unlearn({ session: 's1' }, 'asked for')
    await expect(
      (async () => {
        while (!(await reader.read()).done);
      })(),
    ).rejects.toMatchObject({ code: 'AGIDB_CLOSED', message: expect.stringContaining('erased') })
    expect(await db.import(await exported(db, SEALED), { replace: true })).toMatchObject({ episodes: 400 })
  }))

test('What is updated or forgotten while a sealed export is read is in it as it was.', () =>
  withFolder(async (path) => {
    const db = await open(path)
    await db.observeMany(Array.from({ length: 600 }, (_, i) => ({ id: `i${i}`, text: `Item ${i}.`, session: 's' })))
    const stream = await db.export(SEALED)
    await db.update('i599', { text: 'Changed.' }, { keep: true })
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer())
    await db.import(bytes, { replace: true })
    expect(await db.getEpisode('i599')).toMatchObject({ text: 'Item 599.' })
  }))

test('A sealed export with a passphrase needs both, and one with a filter has what passes.', () =>
  withFolder(async (path) => {
    const db = await open(path)
    await db.observeMany([
      { id: 'ann', speaker: 'Ann', text: 'Bawri is a thai place.' },
      { id: 'bob', speaker: 'Bob', text: 'Bob hides a periscope.' },
    ])
    await db.supersede('ann', 'bob')
    const bytes = await exported(db, { sealed: true, passphrase: 'open sesame', filter: { speaker: 'Ann' } })
    await expect(db.import(bytes, { replace: true })).rejects.toMatchObject({ code: 'AGIDB_PASSPHRASE' })
    const report = await db.import(bytes, { replace: true, passphrase: 'open sesame' })
    expect(report).toMatchObject({ episodes: 1, forgotten: 0 })
    expect(await db.getEpisode('ann')).not.toHaveProperty('superseded')
  }))

test('Rows from before a memory was encrypted are encrypted in its sealed exports.', () =>
  withFolder(async (path) => {
    const plain = await open(path, { encryption: 'none' })
    await plain.observe('The dentist is on Hill Road.', { id: 'd' })
    await plain.close()
    const reading = await open(path, { readOnly: true })
    expect((await reading.stats()).encryption).toMatchObject({ kind: 'keys-beside' })
    await expect(exported(reading, SEALED)).rejects.toMatchObject({ code: 'AGIDB_READ_ONLY' })
    await reading.close()
    const db = await open(path)
    const bytes = await exported(db, SEALED)
    expect(holds(Buffer.from(bytes), 'dentist')).toBe(false)
    expect(await db.import(bytes, { replace: true })).toMatchObject({ episodes: 1, forgotten: 0 })
    expect(await db.getEpisode('d')).toMatchObject({ text: 'The dentist is on Hill Road.' })
  }))

test('A memory without encryption makes no sealed export, and one with other keys takes none.', () =>
  withFolder((path) =>
    withFolder(async (other) => {
      const db = await open(path)
      await db.observe('Anything.')
      const bytes = await exported(db, SEALED)
      const memory = await openMemory()
      opened.push(memory)
      await expect(memory.export(SEALED)).rejects.toMatchObject({ code: 'AGIDB_UNSUPPORTED' })
      await expect(memory.import(bytes)).rejects.toMatchObject({ code: 'AGIDB_FOREIGN_FILE' })
      const foreign = await open(other)
      await foreign.observe('Its own.')
      await expect(foreign.import(bytes, { replace: true })).rejects.toMatchObject({ code: 'AGIDB_FOREIGN_FILE' })
      expect(await foreign.count()).toBe(1)
      await expect(db.export({ sealed: true, format: 'jsonl' })).rejects.toMatchObject({
        code: 'AGIDB_INVALID_ARGUMENT',
      })
      await expect(db.export({ sealed: 1 as never })).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
    }),
  ))

test('A row that was put into a sealed export, or changed in it, is refused.', () =>
  withFolder(async (path) => {
    const db = await open(path)
    await db.observe('The dentist is on Hill Road.', { id: 'd' })
    const { keys, about, rows } = await decodeContents(
      new ByteReader(fromChunks(await afterHeader(await exported(db, SEALED)))),
      true,
    )
    const [row] = await allOf(rows)
    const changed = row.row.slice()
    changed[changed.length - 1] ^= 1
    const stranger = (await allOf((await plainContents()).rows))[0]
    for (const forged of [stranger, { ...row, row: stranger.row }, { ...row, row: changed }]) {
      const source = await sealedFile(about, keys!, [row, { ...forged, slot: 1 }])
      await expect(db.import(source, { replace: true })).rejects.toMatchObject({ code: 'AGIDB_CORRUPT' })
    }
    // Keys that are not said to be gone are there.
    const lying = await sealedFile({ ...about, rows: 1 }, { ...keys!, numbers: [] }, [row])
    await db.unlearn({ episode: 'd' }, 'asked for')
    await expect(db.import(lying, { replace: true })).rejects.toMatchObject({ code: 'AGIDB_CORRUPT' })
    expect(await db.count()).toBe(0)
  }))

/** The contents of an export of a memory without encryption. */
async function plainContents() {
  const memory = await openMemory()
  opened.push(memory)
  await memory.observe('Whatever a stranger wants.')
  return decodeContents(new ByteReader(fromChunks(await afterHeader(await exported(memory)))), false)
}

async function afterHeader(bytes: Uint8Array): Promise<ByteReader> {
  const file = new ByteReader(pieces(bytes))
  await file.take(EXPORT_HEADER_BYTES)
  return file
}

async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

/** A sealed export of these rows, with every checksum right. */
async function sealedFile(about: About, keys: ExportKeys, rows: readonly StoredEpisode[]): Promise<Uint8Array[]> {
  const batches = (async function* () {
    yield rows
  })()
  const contents = encodeContents({ ...about, rows: rows.length }, batches, keys)
  return [encodeExportHeader({ isSealed: true }), ...(await allOf(toChunks(contents)))]
}

/** What happens in the sessions of a random history. */
const step = fc.oneof(
  fc.record({ op: fc.constant('observe' as const), session: fc.nat(3), word: fc.nat(5) }),
  fc.record({ op: fc.constant('supersede' as const), old: fc.nat(20), by: fc.nat(20) }),
  fc.record({ op: fc.constant('update' as const), which: fc.nat(20), word: fc.nat(5) }),
  fc.record({ op: fc.constant('believe' as const), which: fc.nat(20) }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const WORDS = ['Harbour', 'Mill', 'Hill', 'Castle', 'Station', 'Church']

/** Lives through a history; without a session nothing happens that has to do with it. */
async function live(db: Agidb, steps: readonly Step[], without?: number): Promise<void> {
  const sessions: number[] = []
  const ended = new Set<number>()
  const isOut = (i: number) => sessions[i] === without
  for (const [i, step] of steps.entries()) {
    const at = (n: number) => n % Math.max(1, sessions.length)
    if (step.op === 'observe') {
      sessions.push(step.session)
      if (step.session === without) continue
      const text = `Sarah moved to ${WORDS[step.word]} Street.`
      await db.observe(text, { id: `e${sessions.length - 1}`, session: `s${step.session}` })
    } else if (sessions.length === 0) continue
    else if (step.op === 'supersede') {
      const [old, by] = [at(step.old), at(step.by)]
      if (old === by || ended.has(old) || ended.has(by)) continue
      ended.add(old)
      if (!isOut(old) && !isOut(by)) await db.supersede(`e${old}`, `e${by}`)
    } else if (step.op === 'update') {
      const which = at(step.which)
      if (!isOut(which)) await db.update(`e${which}`, { text: `Sarah moved to ${WORDS[step.word]} Road, ${i}.` })
    } else {
      const which = at(step.which)
      if (!isOut(which))
        await db.assertBelief({ claim: `Sarah told of ${i}`, confidence: 0.8, evidence: [`e${which}`] })
    }
  }
}

/** What a memory answers, without the ids that it drew itself. */
async function told(db: Agidb): Promise<unknown> {
  const { matches } = await db.recall('where did Sarah move to?', { k: 30 })
  const believed = await db.whatDoIBelieve('Sarah')
  const versions: unknown[] = []
  const episodes = await listed(db)
  for (const { id } of episodes) versions.push((await db.history(id)).map(({ episode }) => episode.text))
  return {
    matches,
    episodes,
    versions,
    believed: believed.map(({ claim, confidence, provenance: { episodes } }) => ({ claim, confidence, episodes })),
  }
}

test('A sealed export that lost a session is that of a memory that never had it.', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), fc.nat(3), async (steps, gone) =>
      withFolder((path) =>
        withFolder(async (other) => {
          const [db, twin] = [await open(path), await open(other)]
          await live(db, steps)
          await live(twin, steps, gone)
          const whole = await told(db)
          const bytes = await exported(db, SEALED)
          expect(await db.import(bytes, { replace: true })).toMatchObject({ forgotten: 0 })
          expect(await told(db)).toEqual(whole)
          await db.unlearn({ session: `s${gone}` }, 'asked for')
          const { episodes } = await db.import(bytes, { replace: true })
          expect(episodes).toBe(await twin.count())
          expect(await told(db)).toEqual(await told(twin))
          for (const each of [db, twin]) await each.close()
        }),
      ),
    ),
    { numRuns: runs(8), ...(process.env.AGIDB_RUNS === undefined && { seed: 1 }) },
  )
})
