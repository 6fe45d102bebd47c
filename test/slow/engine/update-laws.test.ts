import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EpisodePatch } from '../../../src/api/episode.js'
import { AgidbError } from '../../../src/base/errors.js'
import { loadCodebook } from '../../../src/encoding/codebook/load.js'
import { readCodebook } from '../../../src/encoding/codebook/node.js'
import type { Engine } from '../../../src/engine/engine.js'
import { openEngine } from '../../../src/engine/whole.js'
import { Indexes } from '../../../src/indexes/indexes.js'
import { decodeEpisode } from '../../../src/records/kinds/episode.js'
import { memoryStorage } from '../../../src/storage/adapters/memory.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { OpenedStore } from '../../../src/storage/contract/opened-store.js'
import { runs } from '../../runs.js'
import { kernel } from '../../unit/encoding/kernel.js'
import { timeless } from '../../unit/memory/answers.js'
import { exported } from '../../unit/transfer/exported.js'
import { listed, NOW, withFolder } from '../../unit/engine/open.js'

const codebook = (await loadCodebook(await readCodebook()))!
const DAY = 86_400_000
const NAMES = ['harbour', 'lantern', 'violin', 'orchard']
const CUES = ['the harbour lantern', 'when was the violin played?', 'what does Ann like?', 'where is the orchard?']

const name = fc.constantFrom(...NAMES)
const triple = fc.record({
  subject: fc.constantFrom('Ann', 'Bob'),
  predicate: fc.constantFrom('likes', 'does not like', 'lives in'),
  object: name,
})
const fields = {
  text: fc.tuple(name, name).map(([a, b]) => `The ${a} and the ${b} were seen again.`),
  speaker: fc.constantFrom('Ann', 'Bob', null),
  session: fc.constantFrom('s1', 's2', null),
  source: fc.constantFrom('chat', null),
  at: fc.nat(20).map((days) => NOW - (30 - days) * DAY),
  validTo: fc.option(
    fc.nat(20).map((days) => NOW - (15 - days) * DAY),
    { nil: null, freq: 3 },
  ),
  triples: fc.array(triple, { maxLength: 2 }),
  tags: fc.constantFrom(['x'], ['x', 'y'], null),
}
const whole = fc.record(fields)
const patch = fc.record(fields, { requiredKeys: [] })
const pick = fc.nat(30)
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ op: fc.constant('observe' as const), content: whole }) },
  {
    weight: 6,
    arbitrary: fc.record({ op: fc.constant('update' as const), which: pick, patch, keep: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ op: fc.constant('supersede' as const), which: pick, by: pick, at: fc.nat(30) }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('change' as const), which: pick }) },
  { weight: 2, arbitrary: fc.constant({ op: 'reopen' as const }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** What was done, to be done again in a twin. */
type Deed = (db: Engine, contentOf: (id: string) => EpisodePatch) => Promise<unknown>

interface Done {
  readonly deed: Deed
  readonly at: number
}

/** Takes the nulls away, which say that there is none. */
function present({ text = '', ...content }: EpisodePatch) {
  const context = Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null))
  return { text, context: context as Parameters<Engine['observe']>[1] }
}

/**
 * Takes steps in a folder, which is opened again between them. Answers what had its effect, but for updates, and what
 * the episodes came to say.
 */
async function live(path: string, steps: readonly Step[], consolidates: boolean, keepAfter: number) {
  let now = NOW
  const open = () => openEngine({ kernel, codebook, storage: nodeStorage(path), clock: () => now, seed: 1, keepAfter })
  let db = await open()
  const contents = new Map<string, EpisodePatch>()
  const alive = new Set<string>()
  const deeds: Done[] = []
  let observed = 0
  const act = async (deed: Deed) => {
    try {
      await deed(db, (id) => contents.get(id)!)
      deeds.push({ deed, at: now })
      return true
    } catch (error) {
      if (error instanceof AgidbError && error.code === 'AGIDB_INVALID_ARGUMENT') return false
      throw error
    }
  }
  for (const step of steps) {
    now += 1_000
    const ids = [...alive]
    const id = 'which' in step ? ids[step.which % ids.length] : ''
    if (id === undefined && step.op !== 'observe') continue
    if (step.op === 'observe') {
      const id = `e${observed++}`
      contents.set(id, step.content)
      const isThere = await act((db, contentOf) => {
        const { text, context } = present(contentOf(id))
        return db.observe(text, { ...context, id })
      })
      if (isThere) alive.add(id)
    } else if (step.op === 'update') {
      const refused = await db.update(id, step.patch, { keep: step.keep }).catch((error: unknown) => error)
      if (!(refused instanceof Error)) contents.set(id, { ...contents.get(id), ...step.patch })
    } else if (step.op === 'supersede') {
      const by = ids[step.by % ids.length]
      await act((db) => db.supersede(id, by, NOW - (20 - step.at) * DAY))
    } else if (step.op === 'reopen') {
      await db.close()
      db = await open()
    } else if (consolidates) await act((db) => db.consolidate({ minSupport: 2 }))
    else {
      alive.delete(id)
      await act((db) => db.remove(id))
    }
  }
  return { db, contents, alive, deeds, now, open }
}

/** What a memory answers, but for when it was updated. */
async function answers(db: Engine): Promise<unknown> {
  const recalled = []
  for (const cue of CUES)
    for (const validAsOf of [undefined, NOW - 12 * DAY])
      recalled.push(timeless(await db.recall(cue, { traceAttention: true, validAsOf })))
  recalled.push(timeless(await db.recall(undefined, { structured: { subject: 'Ann', predicate: 'likes' } })))
  const { episodes, sessions, speakers, concepts, terms, atoms } = await db.stats()
  const learned = await db.whatDidILearn(0, {
    kinds: ['semanticAtomFormed', 'semanticAtomRevised', 'contradictionDetected', 'consolidationRun'],
  })
  return {
    recalled,
    counts: { episodes, sessions, speakers, concepts, terms, atoms },
    all: (await listed(db)).map((episode) => ({ ...episode, updatedAt: undefined, version: undefined })),
    atoms: await db.semanticAtoms(),
    conflicts: await db.conflicts(),
    self: await db.selfVector(),
    // Slots depend on how much was stored before.
    learned: learned.map((event) => JSON.stringify({ ...event, id: 0, upTo: 0, decays: 0, batches: 0 })).sort(),
  }
}

const histories = fc.tuple(fc.array(step, { minLength: 4, maxLength: 25 }), fc.boolean(), fc.constantFrom(1, Infinity))

test('after any updates a memory answers as one that observed its episodes as they are now', async () => {
  await fc.assert(
    fc.asyncProperty(histories, ([steps, consolidates, keepAfter]) =>
      withFolder(async (path) => {
        const { db, contents, deeds, now } = await live(path, steps, consolidates, keepAfter)
        let time = NOW
        const twin = await openEngine({ kernel, codebook, storage: memoryStorage(), clock: () => time, seed: 1 })
        for (const { deed, at } of deeds) {
          time = at
          await deed(twin, (id) => contents.get(id)!)
        }
        time = now
        const expected = await answers(twin)
        expect(await answers(db)).toEqual(expected)
        await db.close()
        await twin.close()
      }),
    ),
    { numRuns: runs(6), endOnFailure: true, ...(process.env.AGIDB_RUNS === undefined && { seed: 1 }) },
  )
})

test('a memory that was updated is a function of its rows: opened again and imported it answers the same', async () => {
  await fc.assert(
    fc.asyncProperty(histories, ([steps, consolidates, keepAfter]) =>
      withFolder(async (path) => {
        const { db, alive, open, now } = await live(path, steps, consolidates, keepAfter)
        const everything = async (of: Engine) => ({
          answers: await answers(of),
          histories: await Promise.all(Array.from(alive, (id) => of.history(id))),
          updates: await of.whatDidILearn(0, { kinds: ['episodeUpdated'] }),
        })
        const expected = await everything(db)
        const bytes = await exported(db)
        await db.close()
        const again = await open()
        expect(await everything(again)).toEqual(expected)
        expect((await again.verify()).problems).toEqual([])
        await again.close()
        const other = await openEngine({ kernel, codebook, storage: memoryStorage(), clock: () => now, seed: 1 })
        await other.import(bytes)
        expect(await everything(other)).toEqual(expected)
        await other.close()
        await expectStoredSignatures(path)
      }),
    ),
    { numRuns: runs(6), endOnFailure: true, ...(process.env.AGIDB_RUNS === undefined && { seed: 1 }) },
  )
})

/** The signatures that are stored are those of the episodes as they are stored. */
async function expectStoredSignatures(path: string): Promise<void> {
  const indexes = new Indexes(kernel, codebook)
  const storage = new OpenedStore(nodeStorage(path))
  await storage.open(({ row, signatures }) => {
    if (row[0] !== '{'.charCodeAt(0)) return
    const stored = Object.entries(signatures).filter(([, bytes]) => bytes!.length > 0)
    const copies = Object.fromEntries(stored.map(([kind, bytes]) => [kind, Buffer.from(bytes!).toString('hex')]))
    const made = Object.entries(indexes.encode(decodeEpisode(row)).signatures)
    expect(copies).toEqual(
      Object.fromEntries(made.flatMap(([kind, bytes]) => (bytes ? [[kind, Buffer.from(bytes).toString('hex')]] : []))),
    )
  })
  await storage.close()
  indexes.free()
}
