import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Episode, Triple } from '../../../../src/api/episode.js'
import { ConceptNames } from '../../../../src/indexes/concepts/concept-names.js'
import { Interner } from '../../../../src/base/interner.js'

/** A memory of names alone, with the sessions of its slots. */
function memory() {
  const names = new ConceptNames()
  const sessions = new Interner()
  const bySlot = new Map<number, number>()
  const catalog = { sessions, session: (slot: number) => bySlot.get(slot) ?? -1 }
  names.useSessions(catalog)
  return {
    names,
    catalog,
    put(slot: number, given: Said) {
      if (given.session === undefined) bySlot.delete(slot)
      else bySlot.set(slot, sessions.add(given.session))
      names.set(slot, episode(given))
    },
  }
}

interface Said {
  readonly text?: string
  readonly speaker?: string
  readonly session?: string
  readonly triples?: readonly Triple[]
}

function episode({ text = '', triples = [], ...rest }: Said): Episode {
  const at = '2027-01-15T08:00:00.000Z'
  return { id: 'one', text, at, recordedAt: at, triples, provenance: { writer: 'test', episodes: [] }, ...rest }
}

const said = (subject: string, predicate: string, object: string): Triple => ({ subject, predicate, object })
const likes = (subject: string) => [said(subject, 'likes', 'tea')]
const all = (names: ConceptNames) => [...names.all()].map((keys) => names.spellings(keys).join(' = ')).sort()

describe('ConceptNames', () => {
  it('makes one concept of the spellings of a name, and of a plural and its singular', () => {
    const { names, put } = memory()
    put(0, { triples: [said('SARAH', 'has', 'two dogs'), said('Zoë', 'has', 'the dogs')] })
    put(1, { triples: [said('Sarah', 'likes', 'dog'), said('Zoe', 'likes', 'the dog.')] })
    put(2, { triples: [said('Williams', 'likes', 'William')] })
    expect(all(names)).toEqual([
      'SARAH = Sarah',
      'William',
      'Williams',
      'Zoe = Zoë',
      'dog = the dog. = the dogs',
      'two dogs',
    ])
    expect(names.slots(names.keysOf('sarah'))).toEqual([0, 1])
  })

  it('makes one concept of the names that a text or a statement gives', () => {
    const { names, put } = memory()
    put(0, { text: 'Bombay, also known as Mumbai, is hot.' })
    put(1, { triples: [said('Mumbai', 'is also called', 'Bambai')] })
    put(2, { text: 'Everyone calls me Mel.', speaker: 'Caroline' })
    expect(all(names)).toEqual(['Bambai = Bombay = Mumbai', 'Caroline = Mel'])
    expect(names.evidence().map(({ names, reason, slots }) => [names.join(' = '), reason, slots])).toEqual([
      ['Bombay = Mumbai', 'stated', [0]],
      ['Mumbai = Bambai', 'stated', [1]],
      ['Caroline = Mel', 'stated', [2]],
    ])
    names.remove(0)
    expect(all(names)).toEqual(['Bambai = Mumbai', 'Caroline = Mel'])
  })

  it('takes a nickname for the one full name that fits it in its session, or else in the memory', () => {
    const { names, put } = memory()
    put(0, { session: 'a', triples: likes('Mel') })
    put(1, { session: 'a', speaker: 'Melanie' })
    expect([...names.keysOf('Mel')]).toContain('melanie')
    put(2, { session: 'b', triples: likes('Melissa') })
    expect([...names.keysOf('Mel')].sort()).toEqual(['mel', 'melanie'])
    put(3, { session: 'a', triples: likes('Melissa') })
    expect([...names.keysOf('Mel')]).toEqual(['mel'])
    names.remove(3)
    expect([...names.keysOf('Mel')].sort()).toEqual(['mel', 'melanie'])
    put(1, { session: 'c', speaker: 'Melanie' })
    expect([...names.keysOf('Mel')]).toEqual(['mel'])
    names.remove(2)
    expect([...names.keysOf('Mel')].sort()).toEqual(['mel', 'melanie'])
  })

  it('takes a nickname for a full name that stands in very many episodes', () => {
    const { names, put } = memory()
    const many = 150_000
    for (let slot = 0; slot < many; slot++) put(slot, { triples: [said('Robert Smith', 'likes', 'tea')] })
    put(many, { triples: likes('Rob') })
    expect(all(names)).toContain('Rob = Robert Smith')
  })

  it('takes the beginning of the name of a person for a nickname, and not that of a place', () => {
    const { names, put } = memory()
    put(0, { session: 'a', speaker: 'Caroline', triples: likes('Caro') })
    put(1, { session: 'a', triples: [said('Caroline', 'lives in', 'Maryland'), said('Mary', 'is', 'here')] })
    expect([...names.keysOf('Caro')].sort()).toEqual(['caro', 'caroline'])
    expect([...names.keysOf('Mary')]).toEqual(['mary'])
  })

  it('takes two speakers of one session for two persons', () => {
    const { names, put } = memory()
    put(0, { session: 'a', speaker: 'Tom' })
    put(1, { session: 'a', speaker: 'Thomas' })
    put(2, { triples: likes('Tom') })
    expect([...names.keysOf('Tom')]).toEqual(['tom'])
  })

  it('follows what callers decide: the last word counts, and a split holds against what is found later', () => {
    const { names, put } = memory()
    const merge = (a: string, b: string) => ({ kind: 'merge', keys: [a, b] }) as const
    put(0, { text: 'Bombay, also known as Mumbai.' })
    const split = { kind: 'split', keys: ['bombay'], from: ['mumbai'] } as const
    names.decide(() => [split])
    expect(all(names)).toEqual(['Bombay', 'Mumbai'])
    put(1, { text: 'Bombay, also known as Bambai. Bambai, also known as Mumbai.' })
    expect([...names.keysOf('Bombay')]).not.toContain('mumbai')
    names.decide(() => [split, merge('mumbai', 'bombay')])
    expect(all(names)).toEqual(['Bambai = Bombay = Mumbai'])
    names.decide(() => [merge('mumbai', 'pune'), { kind: 'split', keys: ['mumbai'], from: ['pune'] }])
    expect([...names.keysOf('pune')]).toEqual(['pune'])
    names.decide(() => [merge('big city', 'mumbai')])
    expect(names.mentioned('What about the big city?').map((keys) => keys.has('mumbai'))).toEqual([true])
  })

  it('answers after any changes as a memory of what is left, and after being saved and loaded', () => {
    const name = fc.constantFrom(
      'Mel',
      'Melanie',
      'Melissa',
      'Bob',
      'Robert',
      'Rob',
      'dogs',
      'dog',
      'Caro',
      'Caroline',
      'mel',
    )
    const session = fc.option(fc.constantFrom('a', 'b'), { nil: undefined })
    const one = fc.record({
      slot: fc.nat(6),
      speaker: fc.option(name, { nil: undefined }),
      session,
      names: fc.array(name, { maxLength: 3 }),
      other: fc.option(fc.tuple(name, name), { nil: undefined }),
      removes: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(one, { maxLength: 25 }), fc.array(fc.nat(24)), (changes, looks) => {
        const changed = memory()
        const left = new Map<number, Said>()
        for (const [i, { slot, speaker, session, names, other, removes }] of changes.entries()) {
          const triples = [...names.flatMap(likes), ...(other === undefined ? [] : [said(other[0], 'aka', other[1])])]
          const given = { session, triples, ...(speaker !== undefined && { speaker }) }
          if (removes && left.has(slot)) {
            changed.names.remove(slot)
            left.delete(slot)
          } else {
            changed.put(slot, given)
            left.set(slot, given)
          }
          if (looks.includes(i)) all(changed.names)
        }
        const fresh = memory()
        for (const [slot, given] of left) fresh.put(slot, given)
        const parts = new Map()
        changed.names.save(parts, 'x')
        const loaded = new ConceptNames()
        loaded.useSessions(changed.catalog)
        loaded.load(parts, 'x')
        expect(all(changed.names)).toEqual(all(fresh.names))
        expect(changed.names.evidence()).toEqual(fresh.names.evidence())
        expect(all(loaded)).toEqual(all(fresh.names))
        expect(loaded.evidence()).toEqual(fresh.names.evidence())
      }),
      { seed: 17, numRuns: 300 },
    )
  })
})
