import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Observation } from '../../../../src/api/episode.js'
import type { Turn } from '../../../../src/api/recall.js'
import type { Engine } from '../../../../src/engine/engine.js'
import { NOW, openMemory } from '../../engine/open.js'

const MINUTE = 60_000
const names = (turns: readonly Turn[] | undefined) => turns?.map(({ id }) => id)

/** Two sessions, their turns in turn, and one memory without a session. */
const TALK: Observation[] = [
  { id: 'a1', session: 'a', speaker: 'Ann', text: 'Shall we cook tonight?' },
  { id: 'b1', session: 'b', speaker: 'Kim', text: 'The pump leaks.' },
  { id: 'a2', session: 'a', speaker: 'Tom', text: 'Lentils, with plenty of garlic.' },
  { id: 'b2', session: 'b', speaker: 'Lee', text: 'Since when?' },
  { id: 'a3', session: 'a', speaker: 'Ann', text: 'I bring the bread.' },
  { id: 'alone', text: 'Garlic keeps for months.' },
  { id: 'a4', session: 'a', text: 'And who washes up?' },
].map((item, i) => ({ ...item, at: NOW - (60 - i) * MINUTE }))

let db: Engine
beforeEach(async () => {
  db = await openMemory()
  await db.observeMany(TALK)
})
afterEach(() => db.close())

describe('context', () => {
  const around = async (context: number, options = {}) =>
    (await db.recall('lentils', { k: 1, context, ...options })).matches[0].context

  test('gives so many turns of the session on each side, in order', async () => {
    expect(await around(0)).toBeUndefined()
    const [one, all] = [await around(1), await around(10)]
    expect([names(one?.before), names(one?.after)]).toEqual([['a1'], ['a3']])
    expect([names(all?.before), names(all?.after)]).toEqual([['a1'], ['a3', 'a4']])
    expect(one?.before).toEqual([
      { id: 'a1', speaker: 'Ann', text: TALK[0].text, at: new Date(TALK[0].at as number).toISOString() },
    ])
    expect(all?.after[1]).not.toHaveProperty('speaker')
  })

  test('is empty where there is no session', async () => {
    expect((await db.recall('how long does garlic keep?', { k: 1, context: 2 })).matches[0]).toMatchObject({
      id: 'alone',
      context: { before: [], after: [] },
    })
  })

  test('passes over what the question may not see, but not over other speakers', async () => {
    const both = await around(1, { speaker: 'Tom' })
    expect([names(both?.before), names(both?.after)]).toEqual([['a1'], ['a3']])
    await db.supersede('a1', 'alone')
    expect(names((await around(2))?.before)).toEqual([])
    expect(names((await around(2, { validAsOf: TALK[3].at }))?.after)).toEqual([])
  })

  test('is without what was forgotten', async () => {
    await db.remove('a3')
    expect(names((await around(1))?.after)).toEqual(['a4'])
  })
})

describe('budgetTokens', () => {
  test('packs a numbered line each, best first, and gives the id of each number', async () => {
    const { matches, prompt } = await db.recall('for months lentils with garlic', { k: 2, budgetTokens: 1000 })
    const line = (id: string) =>
      id === 'a2' ? '2027-01-15 Tom: Lentils, with plenty of garlic.' : '2027-01-15 Garlic keeps for months.'
    expect(prompt!.text.split('\n')).toEqual(prompt!.ids.map((id, i) => `[${i + 1}] ${line(id)}`))
    expect(prompt!.ids).toEqual(matches.map(({ id }) => id))
    expect(await db.recall('lentils')).not.toHaveProperty('prompt')
  })

  test('puts the context around a match, indented, and nothing twice', async () => {
    const { prompt } = await db.recall('lentils', { k: 20, context: 1, budgetTokens: 1000 })
    const lines = prompt!.text.split('\n')
    expect(lines.slice(0, 3)).toEqual([
      '  [1] 2027-01-15 Ann: Shall we cook tonight?',
      '[2] 2027-01-15 Tom: Lentils, with plenty of garlic.',
      '  [3] 2027-01-15 Ann: I bring the bread.',
    ])
    expect(lines).toHaveLength(TALK.length)
    expect([...prompt!.ids].sort()).toEqual(TALK.map(({ id }) => id).sort())
  })

  test('leaves out the context if only the match fits, and skips matches that do not fit', async () => {
    const whole = (await db.recall('lentils', { k: 1, budgetTokens: 1000 })).prompt!
    const tight = (await db.recall('lentils', { k: 1, context: 2, budgetTokens: whole.tokens })).prompt!
    expect(tight).toEqual(whole)
    await db.observe(`Lentils, lentils and lentils: ${'they are good for you '.repeat(50)}`, { id: 'long' })
    const { matches, prompt } = await db.recall('lentils and lentils: they are good for you', { budgetTokens: 60 })
    expect(matches[0].id).toBe('long')
    expect(prompt!.ids).not.toContain('long')
    expect(prompt!.ids.length).toBeGreaterThan(0)
    expect((await db.recall('lentils', { budgetTokens: 1 })).prompt).toEqual({ text: '', tokens: 0, ids: [] })
  })

  test('spends no more on the id of a memory than on its number', async () => {
    const memory = await openMemory()
    await memory.observe('Lentils, with plenty of garlic.', { at: NOW })
    const { prompt } = await memory.recall('lentils', { budgetTokens: 30 })
    expect(prompt!.text).toBe('[1] 2027-01-15 Lentils, with plenty of garlic.')
    expect(prompt!.ids[0]).toMatch(/^ep_.{26}$/)
    await memory.close()
  })

  test('holds the beliefs, atoms and goals that bear on the cue, each with its number', async () => {
    const triples = [{ subject: 'Tom', predicate: 'cooks', object: 'lentils' }]
    await db.observeMany(['Tom again.', 'It was him.', 'As ever.'].map((text) => ({ text, triples })))
    await db.consolidate()
    const belief = await db.assertBelief({ claim: 'Lentils need garlic', confidence: 0.8 })
    const goal = await db.setGoal({ description: 'cook lentils for the team' })
    const { prompt, semanticAtoms } = await db.recall('who cooks lentils?', { budgetTokens: 1000 })
    const line = (id: string) => prompt!.text.split('\n')[prompt!.ids.indexOf(id)]
    expect(line(belief)).toMatch(/^\[\d+\] belief \(0\.80\): Lentils need garlic$/)
    expect(line(goal)).toMatch(/^\[\d+\] goal: cook lentils for the team$/)
    expect(line(semanticAtoms[0].id)).toMatch(/^\[\d+\] known \(0\.\d\d\): Tom cooks lentils$/)
    expect(prompt!.text.split('\n').map((text) => Number(/\[(\d+)\]/.exec(text)![1]))).toEqual(
      prompt!.ids.map((_, i) => i + 1),
    )
  })

  test('puts what was only asked after what tells something', async () => {
    await db.observeMany([
      { id: 'asked', text: 'Which spice goes with lentils?' },
      { id: 'twice', text: 'Hm? Which spice did you say goes with lentils?' },
      { id: 'told', text: 'Which spice? Cumin goes with lentils.' },
      { id: 'quoted', text: '"Which spice goes with lentils?" is what Ann asked me.' },
    ])
    const { matches, prompt } = await db.recall('Which spice goes with lentils?', { budgetTokens: 1000 })
    const { ids } = prompt!
    expect(matches[0].id).toBe('asked')
    expect(ids.indexOf('asked')).toBeGreaterThan(ids.indexOf('told'))
    expect(ids.indexOf('twice')).toBeGreaterThan(ids.indexOf('quoted'))
    const tight = (await db.recall('Which spice goes with lentils?', { budgetTokens: 50 })).prompt!
    expect(tight.ids).toEqual(['quoted'])
  })

  test('knows what is told and then asked where no space stands between sentences', async () => {
    await db.observeMany([
      { id: 'asked', text: '你住在柏林吗？柏林好吗？' },
      { id: 'told', text: '我住在柏林。你呢？' },
    ])
    const { matches, prompt } = await db.recall('你住在柏林吗，柏林好吗？', { budgetTokens: 1000 })
    expect(matches[0].id).toBe('asked')
    expect(prompt!.ids.filter((id) => id === 'asked' || id === 'told')).toEqual(['told', 'asked'])
  })

  test('reads long questions in time that grows with its length', async () => {
    await db.observeMany(
      Array.from({ length: 8 }, (_, i) => ({ text: `Which lentils${' a, b'.repeat(13_000)} ${i}?` })),
    )
    const cue = 'Which lentils?'
    const timed = async (options: { readonly budgetTokens?: number }) => {
      const started = performance.now()
      await db.recall(cue, { k: 8, ...options })
      return performance.now() - started
    }
    await timed({})
    const without = await timed({})
    // With the square of the length, ten seconds longer.
    expect((await timed({ budgetTokens: 100 })) - without).toBeLessThan(1000)
  })

  test('keeps each memory to its line and the whole to its budget, whatever was remembered', async () => {
    const nasty = fc.constantFrom(
      '\n',
      '\r\n',
      '\u2028',
      '\u2029',
      '\u0085',
      '\v',
      '\0',
      '\t',
      '[ep_1] 2026-01-01 Ann:',
      'lentils',
      ' ',
      '東京',
      '🚀',
      'X',
      '7',
      'ß',
    )
    const text = fc.array(nasty, { minLength: 1, maxLength: 12 }).map((parts) => `lentils${parts.join('')}`)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ text, speaker: text, id: text, session: fc.constant('s') }), {
          minLength: 1,
          maxLength: 5,
        }),
        fc.integer({ min: 1, max: 300 }),
        fc.nat(2),
        async (items, budgetTokens, context) => {
          const memory = await openMemory()
          await memory.observeMany([...new Map(items.map((item) => [item.id, item])).values()])
          const { matches, prompt } = await memory.recall('lentils', { budgetTokens, context })
          const { text, tokens, ids } = prompt!
          expect(tokens).toBeLessThanOrEqual(budgetTokens)
          expect(text.split(/[\n\r\u2028\u2029\u0085\v\f\0]/).filter((line) => line !== '')).toHaveLength(ids.length)
          expect(new Set(ids).size).toBe(ids.length)
          const known = new Set(
            matches.flatMap(({ id, context }) => [
              id,
              ...[...(context?.before ?? []), ...(context?.after ?? [])].map((turn) => turn.id),
            ]),
          )
          for (const id of ids) expect(known).toContain(id)
          await memory.close()
        },
      ),
      { numRuns: 40 },
    )
  })
})
