import { describe, expect, it } from 'vitest'
import type { Triple } from '../../../src/api/episode.js'
import { openMemory } from '../engine/open.js'

const said = (subject: string, predicate: string, object: string): Triple => ({ subject, predicate, object })
const FILLERS = Array.from({ length: 40 }, (_, i) => ({ id: `f${i}`, text: `The weather of day ${i} was fine.` }))

describe('recall through other names and relations', () => {
  it('finds by an alias in the cue what is said of the concept', async () => {
    const db = await openMemory()
    await db.observeMany([
      { id: 'tea', text: 'She drinks it every morning.', triples: [said('Melanie', 'drinks', 'tea')] },
      ...FILLERS,
    ])
    const before = await db.recall('Queenie?', { k: 1 })
    expect(before.matches[0]?.signals.concepts ?? 0).toBe(0)
    await db.alias('Queenie', 'Melanie')
    const after = await db.recall('Queenie?', { k: 1 })
    expect(after.matches[0]).toMatchObject({ id: 'tea', tier: 'exact' })
    await db.split('Melanie', ['Queenie'])
    expect((await db.recall('Queenie?', { k: 1 })).matches).toEqual(before.matches)
    await db.close()
  })

  it('takes the nickname of a speaker for the speaker', async () => {
    const db = await openMemory({ ranker: 'fusion' })
    await db.observeMany([
      { id: 'mel', text: 'I drink it every morning.', speaker: 'Melanie', session: 's' },
      { id: 'bob', text: 'I drink it every morning.', speaker: 'Robert', session: 's' },
      { id: 'named', text: 'Good to see you.', speaker: 'Robert', session: 's', triples: [said('Mel', 'is', 'here')] },
    ])
    expect((await db.concept('Mel'))!.aliases).toEqual(['Mel'])
    await db.close()
  })

  it.each([
    [said('Ann', 'is the parent of', 'Bob'), { subject: 'Bob', predicate: 'child of' }],
    [said('Acme', 'employs', 'Tom'), { subject: 'Tom', predicate: 'works for' }],
    [said('Zoe', 'is married to', 'Carl'), { subject: 'Carl', predicate: 'married to', object: 'Zoe' }],
    [said('Zoe', 'resides in', 'Porto'), { subject: 'Zoe', predicate: 'lives in' }],
    [said('the ship', 'supplies', 'Mars'), { subject: 'Mars', predicate: 'is fed by' }],
  ])('finds %o by the pattern %o', async (triple, structured) => {
    const db = await openMemory({ ontology: { inverse: [['supplies', 'is fed by']] } })
    await db.observeMany([
      { id: 'it', text: 'So it is.', triples: [triple] },
      { id: 'not', text: 'No.', triples: [{ ...triple, predicate: `does not ${triple.predicate}` }] },
      ...FILLERS,
    ])
    const { matches } = await db.recall('', { structured, k: 2 })
    expect(matches[0]).toMatchObject({ id: 'it', tier: 'exact' })
    expect(matches[1]?.tier).not.toBe('exact')
    const asked = await db.neurosymbolicQuery({ structured })
    expect(asked.matches.map(({ id }) => id)).toEqual(['it'])
    await db.close()
  })

  it('does not take a statement for its inverse', async () => {
    const db = await openMemory()
    await db.observe('So it is.', { triples: [said('Ann', 'is the parent of', 'Bob')] })
    const { matches } = await db.recall('', { structured: { subject: 'Ann', predicate: 'child of' } })
    expect(matches[0]?.tier).not.toBe('exact')
    await db.close()
  })

  it('finds by an alias in a pattern', async () => {
    const db = await openMemory()
    await db.observeMany([
      { id: 'it', text: 'So it is.', triples: [said('Bombay', 'is', 'hot')] },
      { id: 'names', text: 'Bombay, also known as Mumbai.' },
      ...FILLERS,
    ])
    const { matches } = await db.recall('', { structured: { subject: 'Mumbai' }, k: 1 })
    expect(matches[0]).toMatchObject({ id: 'it', tier: 'exact' })
    await db.close()
  })

  it.each([
    [{ inverse: ['a'] }],
    [{ inverse: [['a', 'b', 'c']] }],
    [{ symmetric: [['a']] }],
    [{ synonyms: [['a']] }],
    [{ oneAtATime: [7] }],
    [{ other: [] }],
  ])('refuses the ontology %o', async (ontology) => {
    await expect(openMemory({ ontology: ontology as never })).rejects.toMatchObject({
      code: expect.stringMatching(/^AGIDB_(INVALID_|UNKNOWN_OPTION)/),
    })
  })
})
