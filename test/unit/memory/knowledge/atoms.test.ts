import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { readCodebook } from '../../../../src/encoding/codebook/node.js'
import type { Codebook } from '../../../../src/encoding/codebook/codebook.js'
import { loadCodebook } from '../../../../src/encoding/codebook/load.js'
import type { SemanticAtom } from '../../../../src/api/atom.js'
import type { Observation } from '../../../../src/api/episode.js'
import { turn } from '../../../../src/base/event-loop-turn.js'
import { Agidb } from '../../../../src/runtimes/node/index.js'
import type { Engine } from '../../../../src/engine/engine.js'
import type { EngineOptions } from '../../../../src/engine/options.js'
import { nodeStorage } from '../../../../src/storage/adapters/node/node.js'
import { openMemory, NOW, withFolder } from '../../engine/open.js'
import { NaiveAtoms } from './naive-atoms.js'
import { runs } from '../../../runs.js'

const RUNS = runs()
const DAY = 86_400_000

const says = (subject: string, predicate: string, object: string, rest: Partial<Observation> = {}): Observation => ({
  text: `${subject} ${predicate} ${object}`,
  triples: [{ subject, predicate, object }],
  ...rest,
})
const times = (count: number, item: Observation): Observation[] => Array.from({ length: count }, () => item)
const shown = (atoms: readonly SemanticAtom[]) => atoms.map(({ statement, support }) => [statement, support])

/** What is remembered, consolidated. */
async function consolidated(items: readonly Observation[], options = {}): Promise<Engine> {
  const db = await openMemory()
  await db.observeMany(items)
  await db.consolidate(options)
  return db
}

describe('consolidate', () => {
  test('makes an atom of what three episodes say, in any spelling and inflection', async () => {
    const db = await openMemory()
    const ids = await db.observeMany([
      says('Sarah', 'lives in', 'Bandra', { at: NOW - 3 * DAY }),
      says('Tom', 'lives in', 'Delhi'),
      says('SARAH', 'lived in', 'bandra', { at: NOW - 5 * DAY }),
      says('Bandra', 'lives in', 'Sarah'),
      says(' sarah', 'is living in', 'Bandra'),
    ])
    const report = await db.consolidate()
    expect(report).toMatchObject({
      episodes: 5,
      atomsFormed: [expect.stringMatching(/^at_[0-9A-HJKMNP-TV-Z]{26}$/)],
      atomsRevised: [],
      contradictions: [],
    })
    expect(report.drift).toBeGreaterThan(0)
    const [atom, ...others] = await db.semanticAtoms()
    expect(others).toEqual([])
    expect(atom).toEqual({
      id: report.atomsFormed[0],
      statement: 'Sarah lives in Bandra',
      triple: { subject: 'Sarah', predicate: 'lives in', object: 'Bandra' },
      support: 3,
      confidence: 4 / 5,
      contradictedBy: [],
      validFrom: new Date(NOW - 5 * DAY).toISOString(),
      recordedAt: new Date(NOW).toISOString(),
      provenance: { writer: 'agidb', episodes: [ids[0], ids[2], ids[4]] },
    })
    await db.close()
  })

  test('has the source and the session that all of its episodes have, and the writer of the first', async () => {
    await withFolder(async (path) => {
      const options = { path, extract: 'none', clock: () => NOW, codebook: 'none' } as const
      const first = await Agidb.open({ ...options, writer: 'ann' })
      const tea = (rest: Partial<Observation>) => says('Ann', 'likes', 'tea', { source: 'chat', ...rest })
      await first.observeMany([tea({ id: 'a', session: 's1' }), tea({ id: 'b', session: 's2' })])
      await first.observeMany(times(3, says('Tom', 'owns', 'dogs')))
      await first.close()
      const second = await Agidb.open({ ...options, writer: 'bob' })
      await second.observeMany([tea({ id: 'c', session: 's2' }), tea({ id: 'd', session: 's2', source: 'mail' })])
      await second.consolidate()
      const provenance = async (db: Agidb) => (await db.semanticAtoms({ concept: 'tea' }))[0].provenance
      expect(await provenance(second)).toEqual({ writer: 'ann', episodes: ['a', 'b', 'c', 'd'] })
      expect((await second.recall('who likes tea?')).semanticAtoms[0].provenance).toEqual(await provenance(second))
      expect((await second.semanticAtoms({ concept: 'dogs' }))[0].provenance).toMatchObject({ writer: 'ann' })
      await second.close()
      // It is the same for whoever opens the memory, from a checkpoint or from the rows.
      const third = await Agidb.open({ ...options, writer: 'cleo' })
      expect(await provenance(third)).toEqual({ writer: 'ann', episodes: ['a', 'b', 'c', 'd'] })
      await third.remove('d')
      expect(await provenance(third)).toEqual({ source: 'chat', writer: 'ann', episodes: ['a', 'b', 'c'] })
      const { auditId } = await third.unlearn({ episode: 'a' }, 'a test')
      await third.observeMany([tea({ id: 'e', session: 's2' }), tea({ id: 'f', session: 's2' })])
      await third.consolidate()
      expect(await provenance(third)).toEqual({
        source: 'chat',
        session: 's2',
        writer: 'ann',
        episodes: ['b', 'c', 'e', 'f'],
      })
      await third.unlearn({ episode: 'b' }, 'a test')
      expect((await provenance(third)).writer).toBe('bob')
      await third.restoreWithinWindow(auditId!)
      expect(await provenance(third)).toEqual({ source: 'chat', writer: 'ann', episodes: ['a', 'c', 'e', 'f'] })
      await third.close()
    })
  })

  test('tells what is denied, and who did what to whom, from what is said', async () => {
    const db = await consolidated([
      ...times(2, says('Ann', 'lives in', 'Rome')),
      ...times(2, says('Ann', 'does not live in', 'Rome')),
      ...times(2, says('Rome', 'lives in', 'Ann')),
    ])
    expect(await db.semanticAtoms()).toEqual([])
    await db.close()
  })

  test('adds later evidence to an atom in one event per batch; the atom has the same id in every memory', async () => {
    const db = await consolidated(times(3, says('Ann', 'likes', 'tea')))
    const [formed] = await db.semanticAtoms()
    await db.observeMany(times(2, says('Ann', 'likes', 'Tea')))
    expect(await db.consolidate()).toMatchObject({ episodes: 2, atomsFormed: [], atomsRevised: [formed.id] })
    expect((await db.semanticAtoms())[0]).toMatchObject({ id: formed.id, support: 5, confidence: 6 / 7 })
    const events = await db.whatDidILearn(0, {
      kinds: ['semanticAtomFormed', 'semanticAtomRevised', 'selfVectorUpdated', 'consolidationRun'],
    })
    expect(events.map(({ kind }) => kind)).toEqual([
      'semanticAtomFormed',
      'selfVectorUpdated',
      'consolidationRun',
      'semanticAtomRevised',
      'selfVectorUpdated',
      'consolidationRun',
    ])
    const other = await consolidated(times(3, says('ann', 'liked', 'TEA')))
    expect((await other.semanticAtoms())[0].id).toBe(formed.id)
    await db.close()
    await other.close()
  })

  test('with nothing new writes nothing', async () => {
    const db = await consolidated(times(3, says('Ann', 'likes', 'tea')))
    const before = await db.stats()
    const vector = await db.selfVector()
    const { elapsedMs: _, ...report } = await db.consolidate()
    expect(report).toEqual({ episodes: 0, atomsFormed: [], atomsRevised: [], contradictions: [], drift: 0 })
    expect(await db.stats()).toEqual(before)
    expect(await db.selfVector()).toEqual(vector)
    await db.close()
  })

  test('takes minSupport from two on', async () => {
    const db = await consolidated([...times(2, says('Ann', 'likes', 'tea')), says('Ann', 'likes', 'milk')], {
      minSupport: 2,
    })
    expect(shown(await db.semanticAtoms())).toEqual([['Ann likes tea', 2]])
    await db.close()
  })

  test('makes an atom of near-duplicates unless figures or a denial differ or the text is small talk', async () => {
    const tank = 'The oxygen pressure of tank number 2 is dropping fast'
    const db = await consolidated([
      ...times(3, { text: 'Roger that' }),
      ...times(3, { text: 'Okay, go on' }),
      { text: tank },
      { text: tank.replace('2', '1') },
      { text: `${tank}.` },
      { text: tank.replace('is', 'is not') },
      { text: `Well, ${tank}!` },
    ])
    const [atom, ...others] = await db.semanticAtoms()
    expect(others).toEqual([])
    expect(atom).toMatchObject({ statement: tank, support: 3 })
    expect(atom.triple).toBeUndefined()
    await db.close()
  })

  test('makes no atom of texts that share half of their words', async () => {
    const db = await consolidated(
      ['dropping fast', 'checked by Houston', 'shown on the left', 'not what we feared'].map((end) => ({
        text: `The oxygen pressure of the main tank is ${end}`,
      })),
    )
    expect(await db.semanticAtoms()).toEqual([])
    await db.close()
  })

  test('takes only what is new into the next epoch of the self-vector', async () => {
    const db = await consolidated(times(3, says('Ann', 'likes', 'tea')))
    await db.observeMany(times(3, says('Tom', 'plays', 'the violin')))
    await db.consolidate()
    const epochs = await db.whatDidILearn(0, { kinds: ['selfVectorUpdated'] })
    expect(epochs.map((event) => 'atoms' in event && event.atoms.length)).toEqual([1, 1])
    await db.close()
  })

  test('finds what contradicts, once, and lowers the confidence of both', async () => {
    const db = await consolidated([
      ...times(3, says('Sarah', 'lives in', 'Bandra')),
      ...times(4, says('Sarah', 'lives in', 'Delhi')),
      ...times(3, says('Sarah', 'likes', 'tea')),
      ...times(3, says('Sarah', 'likes', 'milk')),
    ])
    const atoms = await db.semanticAtoms({ cue: 'Where does Sarah live?' })
    const [bandra, delhi] = ['Bandra', 'Delhi'].map((object) => atoms.find(({ triple }) => triple?.object === object)!)
    expect(bandra).toMatchObject({ contradictedBy: [delhi.id], confidence: 4 / 9 })
    expect(delhi).toMatchObject({ contradictedBy: [bandra.id], confidence: 5 / 9 })
    const found = await db.whatDidILearn(0, { kinds: ['contradictionDetected'] })
    expect(found).toMatchObject([{ atoms: [bandra.id, delhi.id].sort(), subject: 'Sarah', predicate: 'lives in' }])
    await db.observeMany(times(2, says('Sarah', 'lives in', 'Delhi')))
    expect((await db.consolidate()).contradictions).toEqual([])
    const more = await db.consolidate({ functionalPredicates: ['like'] })
    expect(more.contradictions.map(({ objects }) => [...objects].sort())).toEqual([['milk', 'tea']])
    await db.close()
  })

  test('finds no contradiction in what came after the other had ended', async () => {
    const db = await openMemory()
    const before = await db.observeMany(times(3, says('Sarah', 'lives in', 'Bandra', { at: NOW - 9 * DAY })))
    const after = await db.observeMany(times(3, says('Sarah', 'lives in', 'Delhi', { at: NOW - 2 * DAY })))
    for (const id of before) await db.supersede(id, after[0])
    expect((await db.consolidate()).contradictions).toEqual([])
    expect(shown(await db.semanticAtoms())).toEqual([['Sarah lives in Delhi', 3]])
    const [atom] = await db.semanticAtoms({ validAsOf: NOW - 5 * DAY })
    expect(atom).toMatchObject({ statement: 'Sarah lives in Bandra', validTo: new Date(NOW - 2 * DAY).toISOString() })
    await db.close()
  })

  test('an atom ends when all of its episodes are superseded, and stays true for earlier times', async () => {
    let now = NOW
    const db = await openMemory({ clock: () => now })
    const ids = await db.observeMany(times(3, says('Sarah', 'lives in', 'Bandra', { at: NOW - 9 * DAY })))
    await db.consolidate()
    now += DAY
    const moved = await db.observe('Sarah moved to Delhi', { at: NOW - DAY })
    for (const id of ids.slice(1)) await db.supersede(id, moved)
    expect(await db.semanticAtoms()).toHaveLength(1)
    await db.supersede(ids[0], moved)
    expect(await db.semanticAtoms()).toEqual([])
    expect((await db.recall('Where does Sarah live?')).semanticAtoms).toEqual([])
    expect(await db.semanticAtoms({ transactionAsOf: NOW })).toHaveLength(1)
    expect((await db.recall('Where does Sarah live?', { transactionAsOf: NOW })).semanticAtoms).toMatchObject([
      { support: 3, statement: 'Sarah lives in Bandra' },
    ])
    await db.close()
  })

  test('counts only episodes that are there; an atom without any is gone, and can be formed again', async () => {
    const db = await openMemory()
    const ids = await db.observeMany(times(3, says('Ann', 'likes', 'tea')))
    await db.consolidate()
    const { auditId } = await db.remove(ids[0])
    expect(await db.semanticAtoms()).toEqual([]) // two are too few
    await db.restoreWithinWindow(auditId!)
    expect(shown(await db.semanticAtoms())).toEqual([['Ann likes tea', 3]])
    await db.remove(ids)
    expect(await db.semanticAtoms()).toEqual([])
    expect((await db.stats()).atoms).toBe(0)
    await db.observe('Another one.', { id: ids[0] })
    expect(await db.semanticAtoms()).toEqual([])
    expect((await db.recall('Does Ann like tea?')).semanticAtoms).toEqual([])
    await db.observeMany(times(2, says('Ann', 'likes', 'tea')))
    expect((await db.consolidate()).atomsFormed).toEqual([])
    await db.observe('Ann: tea!', { triples: [{ subject: 'Ann', predicate: 'likes', object: 'tea' }] })
    expect((await db.consolidate()).atomsFormed).toHaveLength(1)
    expect(shown(await db.semanticAtoms())).toEqual([['Ann likes tea', 3]])
    await db.close()
  })

  test('stops at its signal; what was consolidated stays, and the next call goes on from there', async () => {
    const db = await openMemory()
    await db.observeMany(Array.from({ length: 300 }, (_, i) => says('Ann', 'likes', `drink ${i % 50}`)))
    const stop = new AbortController()
    const seen: number[] = []
    const onProgress = ({ done, total }: { done: number; total?: number }) => {
      seen.push(done)
      expect(total).toBe(300)
      if (done >= 150) stop.abort()
    }
    await expect(db.consolidate({ signal: stop.signal, onProgress })).rejects.toMatchObject({ code: 'AGIDB_ABORTED' })
    const done = seen[seen.length - 1]
    expect(done).toBeLessThan(300)
    const next: number[] = []
    const report = await db.consolidate({ onProgress: ({ done, total }) => next.push(done, total ?? 0) })
    expect(report.episodes).toBe(300 - done)
    expect(next[next.length - 1]).toBe(300 - done)
    const whole = await consolidated(Array.from({ length: 300 }, (_, i) => says('Ann', 'likes', `drink ${i % 50}`)))
    expect(shown(await db.semanticAtoms())).toEqual(shown(await whole.semanticAtoms()))
    await expect(db.consolidate({ signal: stop.signal })).rejects.toMatchObject({ code: 'AGIDB_ABORTED' })
    await db.close()
    await whole.close()
  })

  test('runs one at a time: a second call waits and finds nothing left', async () => {
    const db = await openMemory()
    await db.observeMany(times(200, says('Ann', 'likes', 'tea')))
    const [first, second] = await Promise.all([db.consolidate(), db.consolidate()])
    expect([first.episodes, second.episodes]).toEqual([200, 0])
    await db.close()
  })

  test('lets recall and observe through, and takes what comes meanwhile the next time', async () => {
    const db = await openMemory()
    await db.observeMany(Array.from({ length: 100 }, (_, i) => says('Ann', 'likes', `drink ${i % 20}`)))
    let over = false
    const run = db.consolidate().finally(() => (over = true))
    for (let recalls = 0; recalls < 5; recalls++) {
      expect((await db.recall('Which drink does Ann like?')).matches.length).toBeGreaterThan(0)
      await turn()
    }
    await db.observe('Ann likes none of it')
    expect(over).toBe(false)
    expect((await run).episodes).toBe(100)
    expect((await db.consolidate()).episodes).toBe(1)
    await db.close()
  })

  test('forgets what goes while it runs', async () => {
    const db = await openMemory()
    const ids = await db.observeMany(Array.from({ length: 400 }, (_, i) => says('Ann', 'likes', `drink ${i % 133}`)))
    const run = db.consolidate({ onProgress: async () => {} })
    for (const id of ids.slice(0, 133)) await db.remove(id)
    await run
    const live = new Set(ids.slice(133))
    for (const { provenance, support } of await db.semanticAtoms({ limit: 1000 })) {
      expect(provenance.episodes).toHaveLength(support)
      expect(provenance.episodes.every((id) => live.has(id))).toBe(true)
    }
    await db.close()
  })

  test('closed in the middle says so, and goes on when opened again', async () => {
    await withFolder(async (path) => {
      const db = await Agidb.open({ extract: 'none', path, clock: () => NOW, codebook: 'none' })
      await db.observeMany(Array.from({ length: 600 }, (_, i) => says('Ann', 'likes', `drink ${i % 100}`)))
      const run = db.consolidate().then(
        () => undefined,
        (error: unknown) => error,
      )
      await db.close()
      expect(await run).toMatchObject({ code: 'AGIDB_CLOSED' })
      const again = await Agidb.open({ extract: 'none', path, clock: () => NOW, codebook: 'none' })
      await again.consolidate()
      const atoms = await again.semanticAtoms({ limit: 1000 })
      expect(atoms.map(({ support }) => support)).toEqual(Array.from({ length: 100 }, () => 6))
      await again.close()
    })
  })
})

describe('with the codebook', () => {
  let codebook: Codebook
  beforeAll(async () => {
    codebook = (await loadCodebook(await readCodebook()))!
  })

  test('predicates that differ in wording alone join, the earlier ones too, and others do not', async () => {
    const db = await openMemory({ codebook })
    const ids = await db.observeMany([
      says('Ann', 'relocated to', 'Rome'),
      ...times(3, says('Ann', 'moved to', 'Rome')),
      says('Ann', 'moved from', 'Rome'),
      says('Ann', 'did not move to', 'Rome'),
      says('Ann', 'likes', 'Rome'),
      says('Ann', 'relocated to', 'Oslo'),
      says('Ann', 'relocated to', 'Rome'),
    ])
    await db.consolidate()
    const [atom, ...others] = await db.semanticAtoms()
    expect(others).toEqual([])
    expect(atom).toMatchObject({
      statement: 'Ann moved to Rome',
      provenance: { episodes: [ids[0], ids[1], ids[2], ids[3], ids[8]] },
    })
    await db.close()
  })

  test('texts that share most of their words become an atom only if they mean the same', async () => {
    const about = (...things: string[]) =>
      things.map((thing) => ({ text: `The waiter brought the ${thing} to our table in the garden` }))
    const atomsOf = async (options: Partial<EngineOptions>, items: readonly Observation[]) => {
      const db = await openMemory(options)
      await db.observeMany(items)
      await db.consolidate()
      const atoms = await db.semanticAtoms()
      await db.close()
      return atoms
    }
    const others = about('soup', 'letter', 'cat')
    expect(await atomsOf({ codebook }, others)).toEqual([])
    // By their words alone they are near-duplicates.
    expect(await atomsOf({}, others)).toMatchObject([{ support: 3 }])
    expect(await atomsOf({ codebook }, about('soup', 'soup', 'soup'))).toMatchObject([{ support: 3 }])
  })

  test('what is the opposite does not join', async () => {
    const db = await openMemory({ codebook })
    await db.observeMany([
      ...times(3, says('Ann', 'bought', 'a car')),
      ...times(2, says('Ann', 'sold', 'a car')),
      ...times(2, says('Ann', 'hates', 'a car')),
    ])
    await db.consolidate()
    expect(shown(await db.semanticAtoms())).toEqual([['Ann bought a car', 3]])
    await db.close()
  })

  test('consolidating after every few episodes is consolidating once', async () => {
    const predicate = fc.constantFrom('moved to', 'relocated to', 'works for', 'works at', 'starts', 'begins', 'likes')
    const items = fc.array(fc.tuple(fc.constantFrom('Ann', 'Bob'), predicate, fc.constantFrom('Rome', 'Oslo')), {
      maxLength: 40,
    })
    await fc.assert(
      fc.asyncProperty(items, fc.integer({ min: 1, max: 9 }), async (items, every) => {
        const all = items.map(([subject, predicate, object], i) => says(subject, predicate, object, { id: `e${i}` }))
        const [once, often] = [await openMemory({ codebook }), await openMemory({ codebook })]
        await once.observeMany(all)
        await once.consolidate()
        for (let i = 0; i < all.length; i += every) {
          await often.observeMany(all.slice(i, i + every))
          await often.consolidate()
        }
        expect(await often.semanticAtoms()).toEqual(await once.semanticAtoms())
        await Promise.all([once.close(), often.close()])
      }),
      { numRuns: RUNS },
    )
  })
})

describe('semanticAtoms', () => {
  const items = [
    ...times(5, says('Sarah', 'likes', 'Thai food')),
    ...times(4, says('Tom', 'plays', 'the violin')),
    ...times(3, says('Bandra', 'has', 'Thai food')),
  ]

  test('finds by cue, concept and support, and takes a limit', async () => {
    const db = await consolidated(items)
    expect(shown(await db.semanticAtoms())).toEqual([
      ['Sarah likes Thai food', 5],
      ['Tom plays the violin', 4],
      ['Bandra has Thai food', 3],
    ])
    expect(shown(await db.semanticAtoms({ limit: 1 }))).toEqual([['Sarah likes Thai food', 5]])
    expect(shown(await db.semanticAtoms({ concept: 'thai  FOOD' }))).toEqual([
      ['Sarah likes Thai food', 5],
      ['Bandra has Thai food', 3],
    ])
    expect(shown(await db.semanticAtoms({ minSupport: 4 }))).toHaveLength(2)
    expect((await db.semanticAtoms({ cue: 'Who plays the violin?' }))[0].statement).toBe('Tom plays the violin')
    expect(await db.semanticAtoms({ cue: 'Who plays the violin?', minSupport: 5 })).not.toContainEqual(
      expect.objectContaining({ statement: 'Tom plays the violin' }),
    )
    const [found] = (await db.recall('Who plays the violin?')).semanticAtoms
    expect(found).toMatchObject({ statement: 'Tom plays the violin', support: 4 })
    expect(found.relevance).toBeGreaterThan(0)
    await db.close()
  })

  test('gives support as it was known', async () => {
    let now = NOW
    const db = await openMemory({ clock: () => now })
    await db.observeMany(times(3, says('Ann', 'likes', 'tea')))
    await db.consolidate()
    now += DAY
    await db.observe('Ann likes tea', { triples: [{ subject: 'Ann', predicate: 'likes', object: 'tea' }] })
    await db.consolidate()
    expect(shown(await db.semanticAtoms())).toEqual([['Ann likes tea', 4]])
    expect(shown(await db.semanticAtoms({ transactionAsOf: NOW }))).toEqual([['Ann likes tea', 3]])
    expect(await db.semanticAtoms({ transactionAsOf: NOW - 1 })).toEqual([])
    expect(await db.semanticAtoms({ validAsOf: NOW - 1 })).toEqual([])
    await db.close()
  })

  test('answers are copies', async () => {
    const db = await consolidated(items)
    const [atom] = await db.semanticAtoms()
    const before = structuredClone(atom)
    Object.assign(atom.triple!, { object: 'nothing' })
    ;(atom.provenance.episodes as string[]).pop()
    expect((await db.semanticAtoms())[0]).toEqual(before)
    await db.close()
  })
})

test.each<[string, (db: Engine) => Promise<unknown>, string]>([
  ['an unknown option', (db) => db.consolidate({ depth: 1 } as never), 'AGIDB_UNKNOWN_OPTION'],
  ['no object', (db) => db.consolidate('all' as never), 'AGIDB_INVALID_ARGUMENT'],
  ['null', (db) => db.consolidate(null as never), 'AGIDB_INVALID_ARGUMENT'],
  ['too small a support', (db) => db.consolidate({ minSupport: 1 }), 'AGIDB_INVALID_ARGUMENT'],
  ['half a support', (db) => db.consolidate({ minSupport: 2.5 }), 'AGIDB_INVALID_ARGUMENT'],
  [
    'one predicate for a list',
    (db) => db.consolidate({ functionalPredicates: 'likes' as never }),
    'AGIDB_INVALID_ARGUMENT',
  ],
  [
    'a number for a predicate',
    (db) => db.consolidate({ functionalPredicates: [3 as never] }),
    'AGIDB_INVALID_ARGUMENT',
  ],
  ['an empty predicate', (db) => db.consolidate({ functionalPredicates: [' '] }), 'AGIDB_INVALID_ARGUMENT'],
  [
    'a predicate that is not there',
    (db) => db.consolidate({ functionalPredicates: [undefined as never] }),
    'AGIDB_INVALID_ARGUMENT',
  ],
  ['progress that is no function', (db) => db.consolidate({ onProgress: 1 as never }), 'AGIDB_INVALID_ARGUMENT'],
  ['a signal that is none', (db) => db.consolidate({ signal: {} as never }), 'AGIDB_INVALID_ARGUMENT'],
  ['an unknown part of a query', (db) => db.semanticAtoms({ k: 3 } as never), 'AGIDB_UNKNOWN_OPTION'],
  ['an empty cue', (db) => db.semanticAtoms({ cue: ' ' }), 'AGIDB_INVALID_TEXT'],
  ['a cue that is too long', (db) => db.semanticAtoms({ cue: 'x'.repeat(9000) }), 'AGIDB_TOO_LARGE'],
  ['a concept that is no string', (db) => db.semanticAtoms({ concept: 3 as never }), 'AGIDB_INVALID_ARGUMENT'],
  ['no support', (db) => db.semanticAtoms({ minSupport: 0 }), 'AGIDB_INVALID_ARGUMENT'],
  ['too great a limit', (db) => db.semanticAtoms({ limit: 10_001 }), 'AGIDB_INVALID_ARGUMENT'],
  ['a time that is none', (db) => db.semanticAtoms({ validAsOf: 'soon' }), 'AGIDB_INVALID_TIME'],
  ['a transaction time that is none', (db) => db.semanticAtoms({ transactionAsOf: NaN }), 'AGIDB_INVALID_TIME'],
])('refuses %s and changes nothing', async (_, call, code) => {
  const db = await openMemory()
  await db.observeMany(times(3, says('Ann', 'likes', 'tea')))
  const before = await db.stats()
  await expect(call(db)).rejects.toMatchObject({ code })
  expect(await db.stats()).toEqual(before)
  expect((await db.consolidate()).episodes).toBe(3)
  await db.close()
})

describe('laws', () => {
  const texts = [
    'the oxygen tank lost pressure again',
    'The oxygen tank lost its pressure again',
    'the oxygen tank did not lose pressure',
    'Roger',
    'our pizza oven burned every single pie',
    'Our pizza oven burned every pie',
  ]
  const triple = fc.tuple(
    fc.constantFrom('Ann', 'ann', 'Bob'),
    fc.constantFrom('lives in', 'lived in', 'likes', 'does not like'),
    fc.constantFrom('Rome', 'Oslo'),
  )
  const item: fc.Arbitrary<Observation> = fc.oneof(
    fc.array(triple, { minLength: 1, maxLength: 2 }).map((triples) => ({
      text: 'so it is',
      triples: triples.map(([subject, predicate, object]) => ({ subject, predicate, object })),
    })),
    fc.record({ text: fc.constantFrom(...texts), speaker: fc.constantFrom('Ann', 'Bob') }),
  )
  const items = fc
    .array(item, { maxLength: 40 })
    .map((items) => items.map((item, i) => ({ ...item, id: `e${i}`, at: NOW - ((i * 7) % 5) * DAY })))

  test('consolidating after every few episodes is consolidating once', async () => {
    await fc.assert(
      fc.asyncProperty(items, fc.integer({ min: 1, max: 9 }), async (items, every) => {
        const once = await consolidated(items)
        const often = await openMemory()
        for (let i = 0; i < items.length; i += every) {
          await often.observeMany(items.slice(i, i + every))
          await often.consolidate()
        }
        expect(await often.semanticAtoms()).toEqual(await once.semanticAtoms())
        await Promise.all([once.close(), often.close()])
      }),
      { numRuns: RUNS },
    )
  })

  test('atoms of triples and their contradictions equal those of a naive model', async () => {
    await fc.assert(
      fc.asyncProperty(items, fc.integer({ min: 2, max: 4 }), async (items, minSupport) => {
        const db = await consolidated(items, { minSupport })
        const expected = new Map<string, Set<string>>()
        for (const { id, triples = [] } of items) {
          for (const { subject, predicate, object } of triples) {
            const key = `${subject.toLowerCase()} ${predicate.replace('lived', 'lives')} ${object.toLowerCase()}`
            expected.set(key, (expected.get(key) ?? new Set()).add(id))
          }
        }
        const atoms = (await db.semanticAtoms()).filter(({ triple }) => triple !== undefined)
        const keys = atoms.map(({ statement, provenance }) => [
          statement.toLowerCase().replace('lived', 'lives'),
          provenance.episodes,
        ])
        expect(Object.fromEntries(keys)).toEqual(
          Object.fromEntries(
            [...expected].filter(([, ids]) => ids.size >= minSupport).map(([key, ids]) => [key, [...ids]]),
          ),
        )
        for (const atom of atoms) {
          const { subject, predicate, object } = atom.triple!
          const rivals = atoms.filter(({ triple }) => {
            if (triple!.subject.toLowerCase() !== subject.toLowerCase()) return false
            if (/live/.test(predicate)) return /live/.test(triple!.predicate) && triple!.object !== object
            return /like/.test(triple!.predicate) && triple!.predicate !== predicate && triple!.object === object
          })
          expect(atom.contradictedBy).toEqual(rivals.map(({ id }) => id).sort())
        }
        await db.close()
      }),
      { numRuns: RUNS },
    )
  })

  test('closing and opening again at any step changes no answer', async () => {
    await withFolder(async (folder) => {
      let count = 0
      await fc.assert(
        fc.asyncProperty(items, fc.integer({ min: 3, max: 15 }), async (items, every) => {
          const path = `${folder}-${count++}`
          const options = { path, clock: () => NOW, seed: 1, codebook: 'none', extract: 'none' } as const
          let db = await Agidb.open(options)
          const twin = await openMemory()
          for (let i = 0; i < items.length; i += every) {
            await db.observeMany(items.slice(i, i + every))
            await twin.observeMany(items.slice(i, i + every))
            await db.consolidate()
            await twin.consolidate()
            await db.close()
            db = await Agidb.open(options)
            expect(await db.semanticAtoms()).toEqual(await twin.semanticAtoms())
            expect(await db.semanticAtoms({ cue: 'oxygen for Ann in Rome' })).toEqual(
              await twin.semanticAtoms({ cue: 'oxygen for Ann in Rome' }),
            )
            expect(await db.selfVector()).toEqual(await twin.selfVector())
            expect((await db.consolidate()).episodes).toBe(0)
          }
          await Promise.all([db.close(), twin.close()])
        }),
        { numRuns: RUNS },
      )
    })
  })

  test('atoms equal those of a naive model after any supersessions, removals and reopenings', async () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ kind: fc.constant('observe' as const), what: fc.nat(1), at: fc.nat(9) }) },
      {
        weight: 3,
        arbitrary: fc.record({ kind: fc.constant('consolidate' as const), what: fc.constant(0), at: fc.constant(0) }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constantFrom('supersede' as const, 'remove' as const, 'reopen' as const),
          what: fc.nat(30),
          at: fc.nat(9),
        }),
      },
    )
    await withFolder(async (folder) => {
      let count = 0
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { maxLength: 40, size: 'max' }),
          fc.array(fc.tuple(fc.option(fc.nat(9)), fc.nat(40)), { minLength: 12, maxLength: 12, size: 'max' }),
          async (steps, asked) => {
            const storage = nodeStorage(`${folder}-${count++}`)
            let now = NOW
            const open = () => openMemory({ storage, clock: () => now, seed: 1 })
            let db = await open()
            const model = new NaiveAtoms(3)
            for (const [i, { kind, what, at }] of steps.entries()) {
              now = NOW + i
              const id = model.nth(what)
              if (kind === 'observe') {
                const object = ['Rome', 'Oslo'][what]
                await db.observe('so it is', {
                  id: `e${i}`,
                  at: new Date(at),
                  triples: [{ subject: 'Ann', predicate: 'likes', object }],
                })
                model.observe(`e${i}`, `Ann likes ${object}`, at)
              } else if (kind === 'consolidate') {
                await db.consolidate()
                model.consolidate(now)
              } else if (kind === 'reopen') {
                await db.close()
                db = await open()
              } else if (kind === 'remove' && id !== undefined && !model.supersedes(id)) {
                await db.remove(id)
                model.remove(id)
              } else if (kind === 'supersede' && id !== undefined) {
                for (const other of model.sayingAs(id)) {
                  const by = model.nth(at)!
                  const until = model.start(other) + 5
                  const done = await db.supersede(other, by, new Date(until)).then(
                    () => true,
                    () => false,
                  )
                  if (done) model.supersede(other, by, until, now)
                }
              }
            }
            for (const [valid, known] of asked) {
              const query = {
                ...(valid !== null && { validAsOf: new Date(valid) }),
                transactionAsOf: NOW + known,
                limit: 100,
              }
              const atoms = await db.semanticAtoms(query)
              const seen = atoms.map(({ statement, provenance, validFrom, validTo }) => ({
                statement,
                episodes: provenance.episodes,
                validFrom: Date.parse(validFrom),
                validTo: validTo === undefined ? Infinity : Date.parse(validTo),
              }))
              expect(seen.sort((a, b) => (a.statement < b.statement ? -1 : 1))).toEqual(
                model.query(valid ?? undefined, NOW + known, now),
              )
            }
            await db.close()
          },
        ),
        { numRuns: RUNS },
      )
    })
  })
})
