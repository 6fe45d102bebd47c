import { describe, expect, it } from 'vitest'
import type { Observation, Triple } from '../../../../src/api/episode.js'
import { AgidbError } from '../../../../src/base/errors.js'
import { ConceptNames } from '../../../../src/indexes/concepts/concept-names.js'
import { Concepts } from '../../../../src/memory/concepts/concepts.js'
import { openMemory, withFolder } from '../../engine/open.js'
import { nodeStorage } from '../../../../src/storage/adapters/node/node.js'

const said = (subject: string, predicate: string, object: string): Triple => ({ subject, predicate, object })
const at = (day: number) => `2026-05-0${day}T08:00:00.000Z`
const told = (id: string, day: number, ...triples: Triple[]): Observation & { text: string } => ({
  id,
  text: triples.map(({ subject, predicate, object }) => `${subject} ${predicate} ${object}.`).join(' '),
  at: at(day),
  triples,
})
const names = (found: readonly { readonly name: string; readonly aliases: readonly string[] }[]) =>
  found.map(({ name, aliases }) => [name, ...aliases].join(' = '))

/** What `run` throws. */
async function refusal(run: Promise<unknown>): Promise<string> {
  const error = await run.then(
    () => undefined,
    (error: unknown) => error,
  )
  return error instanceof AgidbError ? error.code : `no error of agidb: ${String(error)}`
}

describe('concepts', () => {
  it('lists what episodes name, those that most name first', async () => {
    const db = await openMemory()
    await db.observeMany([
      told('1', 1, said('Sarah', 'recommends', 'Bawri')),
      told('2', 2, said('Sarah', 'likes', 'the dogs')),
      told('3', 3, said('Tom', 'has', 'a dog')),
      { id: '4', text: 'Bawri, also known as the Thai Bawri, is open.', at: at(4) },
    ])
    const all = await db.concepts()
    expect(names(all)).toEqual(['Bawri = Thai Bawri', 'a dog = the dogs', 'Sarah', 'Tom'])
    expect(all[0]).toMatchObject({ episodes: 2, lastSeen: at(4) })
    expect(all[0].id).toMatch(/^co_[0-9A-Z]{26}$/)
    expect(names(await db.concepts({ cue: 'What did Sarah say about dogs?' }))).toEqual(['a dog = the dogs', 'Sarah'])
    expect(names(await db.concepts({ cue: 'thai' }))).toEqual(['Bawri = Thai Bawri'])
    expect(await db.concepts({ limit: 1 })).toEqual(all.slice(0, 1))
    expect(await db.concepts({ type: 'person' })).toEqual([])
    expect(await refusal(db.concepts({ limit: 0 }))).toBe('AGIDB_INVALID_ARGUMENT')
    await db.close()
  })

  it('tells what entities are, and takes speakers for persons', async () => {
    const db = await openMemory()
    await db.observe('I like Bawri.', { speaker: 'Mel', triples: [said('Mel', 'likes', 'Bawri')] })
    expect(names(await db.concepts({ type: 'person' }))).toEqual(['Mel'])
    await db.close()
  })
})

describe('the decisions of callers', () => {
  it('are worked out once they are asked for, not once for each that is read at opening', () => {
    const conceptNames = new ConceptNames()
    const concepts = new Concepts({ indexes: { conceptNames } } as never, {} as never, {} as never)
    for (let slot = 0; slot < 30_000; slot++) {
      const merged = { kind: 'conceptsMerged', names: [`Long ${slot}`, `Short ${slot}`], reason: 'caller' } as const
      concepts.apply(merged as never, slot)
    }
    expect([...conceptNames.keysOf('Short 7')]).toEqual(['long 7', 'short 7'])
    expect(conceptNames.mentioned('Is that Long 29999?')).toEqual([new Set(['long 29999', 'short 29999'])])
  })

  it('count in the order of their slots, also when an older one comes back later', () => {
    const conceptNames = new ConceptNames()
    const concepts = new Concepts({ indexes: { conceptNames } } as never, {} as never, {} as never)
    concepts.apply({ kind: 'conceptsSplit', names: ['Ann'], from: ['anna'] } as never, 7)
    concepts.apply({ kind: 'conceptsMerged', names: ['Ann', 'Anna'], reason: 'caller' } as never, 3)
    expect([...conceptNames.keysOf('Ann')]).toEqual(['ann'])
    concepts.apply({ kind: 'conceptsMerged', names: ['Ann', 'Anna'], reason: 'caller' } as never, 9)
    expect([...conceptNames.keysOf('Ann')]).toEqual(['ann', 'anna'])
  })
})

describe('concept', () => {
  it('has everything about a concept under any of its names', async () => {
    const db = await openMemory()
    await db.observeMany([
      told('1', 1, said('Sarah Connor', 'lives in', 'Porto')),
      told('2', 2, said('Tom', 'is a friend of', 'Sarah Connor')),
      told('3', 3, said('Sarah Connor', 'is friends with', 'Tom')),
      told('4', 4, said('Sarah Connor', 'moved to', 'Lisbon'), said('Sarah Connor', 'lives in', 'Lisbon')),
      told('5', 5, said('Sarah Connor', 'likes', 'tea')),
      told('6', 6, said('Sarah Connor', 'does not like', 'tea')),
      told('7', 6, said('Bob', 'likes', 'tea')),
      { id: '8', text: 'Sarah Connor, called Connie by everyone, called.', at: at(7) },
    ])
    const belief = await db.assertBelief({ claim: 'Sarah Connor is kind', confidence: 0.9 })
    const goal = await db.setGoal({ description: 'visit Connie in Lisbon' })
    await db.setGoal({ description: 'sleep' })
    const concept = (await db.concept('connie'))!
    expect(await db.concept(concept.id)).toEqual(concept)
    expect(concept).toMatchObject({ name: 'Sarah Connor', aliases: ['Connie'], episodeCount: 7, lastSeen: at(7) })
    expect(concept.episodes).toEqual(['8', '6', '5', '4', '3', '2', '1'])
    const shown = (list: typeof concept.statements) =>
      list.map(({ subject, predicate, object, end }) =>
        [subject, predicate, object, end?.why, end?.by].join(' ').trim(),
      )
    expect(shown(concept.statements)).toEqual([
      'Sarah Connor does not like tea',
      'Sarah Connor lives in Lisbon',
      'Sarah Connor moved to Lisbon',
      'Sarah Connor is friends with Tom',
    ])
    expect(shown(concept.past)).toEqual(['Sarah Connor likes tea denied 6', 'Sarah Connor lives in Porto replaced 4'])
    expect(concept.statements[3]).toMatchObject({ episodes: ['2', '3'], from: at(2) })
    expect(concept.beliefs.map(({ id }) => id)).toEqual([belief])
    expect(concept.goals.map(({ id }) => id)).toEqual([goal])
    expect(concept.neighbours.map(({ name, statements, predicates }) => [name, statements, predicates.join()])).toEqual(
      [
        ['Lisbon', 2, 'lives in,moved to'],
        ['tea', 1, 'does not like'],
        ['Tom', 1, 'is friends with'],
      ],
    )
    expect(concept.merges).toEqual([{ names: ['Sarah Connor', 'Connie'], reason: 'stated', evidence: ['8'] }])
    expect(await db.concept('nobody')).toBeUndefined()
    await db.close()
  })

  it('tells what was superseded and what has ended', async () => {
    const db = await openMemory()
    await db.observeMany([
      told('1', 1, said('Ann', 'owns', 'a boat')),
      told('2', 2, said('Ann', 'owns', 'a car')),
      { ...told('3', 3, said('Ann', 'visits', 'Rome')), validTo: at(4) },
    ])
    await db.supersede('1', '2', at(2))
    const { past, statements } = (await db.concept('Ann'))!
    expect(past.map(({ object, end }) => [object, end!.why, end!.by])).toEqual([
      ['Rome', 'ended', undefined],
      ['a boat', 'superseded', '2'],
    ])
    expect(statements.map(({ object }) => object)).toEqual(['a car'])
    await db.close()
  })
})

describe('alias and split', () => {
  it('makes names one concept and two again, in the order of the calls, also after a restart', async () => {
    await withFolder(async (path) => {
      const open = () => openMemory({ storage: nodeStorage(path) })
      let db = await open()
      await db.observeMany([
        told('1', 1, said('Robert', 'likes', 'tea')),
        told('2', 2, said('The Boss', 'likes', 'jazz')),
        { ...told('3', 3, said('Bob', 'likes', 'rain')), session: 's' },
      ])
      const id = await db.alias('the boss', 'Robert')
      expect((await db.concept(id))!.name).toBe('The Boss')
      const before = await db.whatDidILearn(0, { kinds: ['conceptsMerged'] })
      expect(before.map((event) => event.kind === 'conceptsMerged' && [event.reason, event.evidence])).toEqual([
        ['caller', []],
        ['nickname', ['1', '3']],
      ])
      expect(await db.alias('Robert', 'THE BOSS')).toBe(id)
      expect(await db.whatDidILearn(0, { kinds: ['conceptsMerged'] })).toEqual(before)
      expect(names(await db.concepts())[0]).toBe('The Boss = Bob = Robert')
      const own = await db.split('Robert', ['Bob'])
      expect((await db.concept('Bob'))!.id).toBe(own)
      await db.observe('Robert, also known as Bob, came.')
      await db.close()
      db = await open()
      expect((await db.concept('Bob'))!.aliases).toEqual([])
      expect(names(await db.concepts({ cue: 'Robert' }))).toEqual(['Robert = The Boss'])
      await db.alias('Bob', 'Robert')
      expect((await db.concept('Bob'))!.aliases).toHaveLength(2)
      await db.close()
    })
  })

  it('refuses what is no name of the concept, and all of its names', async () => {
    const db = await openMemory()
    await db.observe('x', { triples: [said('Ann', 'likes', 'tea')] })
    expect(await refusal(db.split('Nobody', ['x']))).toBe('AGIDB_NOT_FOUND')
    expect(await refusal(db.split('Ann', ['tea']))).toBe('AGIDB_INVALID_ARGUMENT')
    expect(await refusal(db.split('Ann', ['Ann']))).toBe('AGIDB_INVALID_ARGUMENT')
    expect(await refusal(db.split('Ann', []))).toBe('AGIDB_INVALID_ARGUMENT')
    expect(await refusal(db.alias('Ann', ''))).toBe('AGIDB_INVALID_TEXT')
    expect(await db.whatDidILearn(0, { kinds: ['conceptsSplit', 'conceptsMerged'] })).toEqual([])
    await db.close()
  })

  it('forgets with a concept what was decided of its names, and takes it back with it', async () => {
    const db = await openMemory()
    await db.observeMany([told('1', 1, said('Ann', 'likes', 'tea')), told('2', 2, said('Nan', 'likes', 'jazz'))])
    await db.alias('Ann', 'Nan')
    const was = await db.concepts()
    const { auditId } = await db.unlearn({ concept: 'Nan' }, 'asked')
    expect(await db.whatDidILearn(0, { kinds: ['conceptsMerged'] })).toEqual([])
    expect(await db.concepts()).toEqual([])
    await db.restoreWithinWindow(auditId!)
    expect(await db.concepts()).toEqual(was)
    await db.close()
  })
})

describe('beliefCandidates', () => {
  it('proposes what several voices say and nobody believes, as assertBelief takes it', async () => {
    const db = await openMemory()
    const by = (speaker: string, one: Observation & { text: string }) => ({ ...one, speaker })
    await db.observeMany([
      by('Tom', told('1', 1, said('Sarah', 'works for', 'Acme'))),
      by('Ann', told('2', 2, said('Acme', 'employs', 'Sarah'))),
      by('Tom', told('3', 3, said('Sarah', 'likes', 'tea'))),
      by('Tom', told('4', 4, said('Sarah', 'likes', 'tea'))),
      by('Tom', told('5', 5, said('Sarah', 'lives in', 'Porto'))),
      by('Ann', told('6', 6, said('Sarah', 'lives in', 'Porto'))),
      by('Ann', told('7', 7, said('Sarah', 'lives in', 'Lisbon'))),
    ])
    const [candidate, ...others] = await db.beliefCandidates()
    expect(others).toEqual([])
    expect(candidate).toEqual({
      claim: 'Acme employs Sarah',
      ...said('Acme', 'employs', 'Sarah'),
      confidence: expect.closeTo(0.9),
      evidence: ['1', '2'],
    })
    expect((await db.beliefCandidates({ minConfidence: 0.7 })).map(({ claim }) => claim)).toEqual([
      'Acme employs Sarah',
      'Sarah likes tea',
    ])
    expect(await db.beliefCandidates({ about: 'nobody' })).toEqual([])
    await db.assertBelief(candidate)
    expect(await db.beliefCandidates()).toEqual([])
    await db.close()
  })
})

describe('conflicts of statements', () => {
  it('proposes to supersede what a newer statement of a one-at-a-time relation replaces', async () => {
    const db = await openMemory()
    await db.observeMany([
      told('1', 1, said('Sarah', 'lives in', 'Porto')),
      told('2', 2, said('Sarah', 'likes', 'tea')),
      told('3', 3, said('Sarah', 'likes', 'jazz')),
      told('4', 4, said('Sarah', 'resides in', 'Lisbon')),
    ])
    const conflicts = await db.conflicts()
    expect(conflicts).toMatchObject([
      {
        kind: 'statement',
        claims: [
          { id: '1', statement: 'Sarah lives in Porto' },
          { id: '4', statement: 'Sarah resides in Lisbon' },
        ],
        from: at(4),
        why: 'exclusion',
        proposal: { supersede: ['1'], by: '4' },
      },
    ])
    expect(await db.conflicts({ about: 'Porto' })).toEqual(conflicts)
    expect(await db.conflicts({ about: 'tea' })).toEqual([])
    await db.supersede('1', '4')
    expect(await db.conflicts()).toEqual([])
    await db.close()
  })
})
