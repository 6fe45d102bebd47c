import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { WorkingMemory } from '../../../../src/api/working.js'
import { NOW, openMemory } from '../../engine/open.js'
import { runs } from '../../../runs.js'

const texts = (turns: WorkingMemory['turns']) => turns.map(({ text }) => text)
const at = new Date(NOW).toISOString()

describe('working memory', () => {
  test('holds the newest turns of a session, which fade', async () => {
    const db = await openMemory()
    for (let i = 0; i < 10; i++) {
      await db.observe(`turn ${i}`, { session: 's1', speaker: i % 2 ? 'Ann' : 'Bob' })
      await db.observe(`elsewhere ${i}`, { session: 's2' })
      await db.observe(`nowhere ${i}`)
    }
    const { turns, ...rest } = await db.workingMemory('s1')
    expect(rest).toEqual({ session: 's1', openThreads: [], goals: [], capacity: 7, halfLife: 3 })
    expect(texts(turns)).toEqual([9, 8, 7, 6, 5, 4, 3].map((i) => `turn ${i}`))
    expect(turns[0]).toEqual({ id: expect.stringMatching(/^ep_/), speaker: 'Ann', text: 'turn 9', at, activation: 1 })
    turns.forEach(({ activation }, age) => expect(activation).toBeCloseTo(2 ** (-age / 3), 12))
    expect(texts((await db.workingMemory('s1', { capacity: 2 })).turns)).toEqual(['turn 9', 'turn 8'])
    expect((await db.workingMemory('s1', { capacity: 100 })).turns).toHaveLength(10)
  })

  test('leaves out what was superseded or removed', async () => {
    const db = await openMemory()
    const ids = []
    for (let i = 0; i < 5; i++) ids.push(await db.observe(`turn ${i}`, { session: 's', at: NOW - 1000 }))
    await db.supersede(ids[1], ids[2])
    await db.remove(ids[4])
    const { turns } = await db.workingMemory('s')
    expect(texts(turns)).toEqual(['turn 3', 'turn 2', 'turn 0'])
    turns.forEach(({ activation }, age) => expect(activation).toBeCloseTo(2 ** (-age / 3), 12))
  })

  test('of a session that is not known is empty', async () => {
    const db = await openMemory()
    expect(await db.workingMemory('?')).toEqual({
      session: '?',
      turns: [],
      openThreads: [],
      goals: [],
      capacity: 7,
      halfLife: 3,
    })
  })

  test('stores nothing, and cannot be changed through an answer', async () => {
    const db = await openMemory()
    await db.observe('Where is it?', { session: 's', speaker: 'Ann' })
    const before = await db.stats()
    const memory = await db.workingMemory('s')
    ;(memory.turns as unknown[]).length = 0
    ;(memory.openThreads[0] as { text: string }).text = 'changed'
    expect(texts((await db.workingMemory('s')).openThreads)).toEqual(['Where is it?'])
    expect(await db.stats()).toEqual(before)
  })

  test('refuses what is wrong', async () => {
    const db = await openMemory({ limits: { nameBytes: 8 } })
    await expect(db.workingMemory(undefined as never)).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
    await expect(db.workingMemory(' ')).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
    await expect(db.workingMemory('123456789')).rejects.toMatchObject({ code: 'AGIDB_TOO_LARGE' })
    for (const capacity of [0, 101, 1.5, '7', null]) {
      await expect(db.workingMemory('s', { capacity } as never)).rejects.toMatchObject({
        code: 'AGIDB_INVALID_ARGUMENT',
      })
    }
    await expect(db.workingMemory('s', { size: 3 } as never)).rejects.toMatchObject({ code: 'AGIDB_UNKNOWN_OPTION' })
    await expect(db.workingMemory('s', 3 as never)).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
  })
})

describe('open threads', () => {
  const ask = async (...turns: readonly (readonly [speaker: string | undefined, text: string])[]) => {
    const db = await openMemory()
    for (const [speaker, text] of turns) await db.observe(text, { session: 's', speaker })
    return texts((await db.workingMemory('s')).openThreads)
  }

  test('are questions after which nobody else has spoken, the newest first', async () => {
    expect(await ask(['Ann', 'Who comes?'])).toEqual(['Who comes?'])
    expect(await ask(['Ann', 'Who comes?'], ['Bob', 'I do.'])).toEqual([])
    expect(await ask(['Ann', 'Who comes?'], ['Ann', 'And when?'], ['Ann', 'I have to know.'])).toEqual([
      'And when?',
      'Who comes?',
    ])
    expect(await ask(['Ann', 'Who comes?'], ['Bob', 'Who asks?'])).toEqual(['Who asks?'])
    expect(await ask(['Ann', 'Who comes?'], ['Bob', 'I do.'], ['Ann', 'And Tom?'])).toEqual(['And Tom?'])
    expect(await ask([undefined, 'Who comes?'], [undefined, 'Hm.'])).toEqual(['Who comes?'])
    expect(await ask(['Ann', 'Who comes?'], [undefined, 'Hm.'])).toEqual([])
    expect(await ask(['Ann', 'Is it ? no.'])).toEqual([])
  })

  test('are seen in any script, and before quotation marks and pictures', async () => {
    for (const text of [
      '誰が来ますか？',
      'من سيأتي؟',
      'Ποιος έρχεται\u037e',
      'He said “who comes?”',
      '(is it late?)',
      'really?!',
      'sure? 🙂',
      'what??',
      'Who comes ?',
    ]) {
      expect(await ask(['Ann', text]), text).toEqual([text])
    }
  })

  test('of another speaker are taken up even by a turn that was superseded since', async () => {
    const db = await openMemory()
    await db.observe('Who comes?', { session: 's', speaker: 'Ann', at: NOW - 2000 })
    const old = await db.observe('Bob does.', { session: 's', speaker: 'Bob', at: NOW - 1000 })
    const other = await db.observe('Tom does.', { speaker: 'Bob', at: NOW - 1000 })
    await db.supersede(old, other)
    expect((await db.workingMemory('s')).openThreads).toEqual([])
  })

  test('fade with age, are looked for among the last 50 turns, and at most as many as the capacity', async () => {
    const db = await openMemory()
    for (let i = 0; i < 60; i++)
      await db.observe(i % 10 === 0 ? `question ${i}?` : `turn ${i}`, { session: 's', speaker: 'Ann' })
    const { openThreads } = await db.workingMemory('s')
    expect(texts(openThreads)).toEqual([50, 40, 30, 20, 10].map((i) => `question ${i}?`))
    expect(openThreads[1].activation).toBeCloseTo(2 ** (-19 / 3), 12)
    expect(texts((await db.workingMemory('s', { capacity: 2 })).openThreads)).toEqual(['question 50?', 'question 40?'])
  })

  test('of any conversation are those of a naive reader', async () => {
    const turn = fc.record({
      session: fc.constantFrom('s', 't'),
      speaker: fc.constantFrom('Ann', 'Bob', undefined),
      text: fc.constantFrom('Why?', 'So.', 'Who？', '? yes'),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(turn, { maxLength: 20 }),
        fc.integer({ min: 1, max: 8 }),
        async (conversation, capacity) => {
          const db = await openMemory()
          await db.observeMany(conversation)
          const said = conversation.filter(({ session }) => session === 's').reverse()
          const open = said.filter(
            ({ text, speaker }, age) =>
              /[?？]$/.test(text) && said.slice(0, age).every((later) => later.speaker === speaker),
          )
          const memory = await db.workingMemory('s', { capacity })
          expect(texts(memory.turns)).toEqual(said.slice(0, capacity).map(({ text }) => text))
          expect(texts(memory.openThreads)).toEqual(open.slice(0, capacity).map(({ text }) => text))
          await db.close()
        },
      ),
      { numRuns: runs() },
    )
  })
})

describe('goals in working memory', () => {
  test('are the active ones: first those that match the turns, then the others in the order set', async () => {
    const db = await openMemory()
    const learn = await db.setGoal({ description: 'learn to play the violin' })
    const paused = await db.setGoal({ description: 'book a thai restaurant for the wedding' })
    const dinner = await db.setGoal({ description: 'find a thai restaurant for the team dinner' })
    const tax = await db.setGoal({ description: 'file the tax return' })
    await db.pauseGoal(paused)
    const ids = async (session: string, options?: { capacity: number }) =>
      (await db.workingMemory(session, options)).goals.map(({ id }) => id)
    expect(await ids('s')).toEqual([learn, dinner, tax])
    await db.observe('Which thai restaurant is good for the team dinner?', { session: 's', speaker: 'Ann' })
    expect(await ids('s')).toEqual([dinner, learn, tax])
    expect(await ids('s', { capacity: 1 })).toEqual([dinner])
    expect((await db.workingMemory('s')).goals[0]).toEqual(await db.getGoal(dinner))
  })

  test('are matched with as many bytes of the newest turns as a cue may have, whatever their script', async () => {
    const db = await openMemory({ limits: { cueBytes: 75 } })
    const tax = await db.setGoal({ description: 'file the tax return' })
    const table = await db.setGoal({ description: 'book a table at Bawri' })
    await db.observe('Let us book a table at Bawri.', { session: 's' })
    const ids = async () => (await db.workingMemory('s')).goals.map(({ id }) => id)
    await db.observe('x'.repeat(25), { session: 's' })
    expect(await ids()).toEqual([table, tax])
    await db.observe('雨'.repeat(25), { session: 's' })
    expect(await ids()).toEqual([tax, table])
    await db.close()
  })
})
