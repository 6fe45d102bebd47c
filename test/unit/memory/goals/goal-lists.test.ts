import { describe, expect, test } from 'vitest'
import type { Engine } from '../../../../src/engine/engine.js'
import { openEngine } from '../../../../src/engine/whole.js'
import { memoryStorage } from '../../../../src/storage/adapters/memory.js'
import { exported } from '../../transfer/exported.js'
import { NOW } from '../../engine/open.js'
import { kernel } from '../../encoding/kernel.js'

const DAY = 86_400_000

/** A memory whose clock is set by the test. */
async function openAt(time = { now: NOW }): Promise<{ db: Engine; time: { now: number } }> {
  return { db: await openEngine({ kernel, storage: memoryStorage(), clock: () => time.now, seed: 1 }), time }
}

/** `move` with an active child, a paused one, one that is done, and an active goal below the one that is done. */
async function family(db: Engine) {
  const move = await db.setGoal({ description: 'move house' })
  const pack = await db.setGoal({ description: 'pack the boxes', parent: move })
  const paint = await db.setGoal({ description: 'paint the walls', parent: move })
  const sign = await db.setGoal({ description: 'sign the lease', parent: move, completion: 'any' })
  const copy = await db.setGoal({ description: 'copy the lease', parent: sign })
  await db.pauseGoal(paint, 'no colour yet')
  await db.completeGoal(sign)
  return { move, pack, paint, sign, copy }
}

const states = async (db: Engine, ids: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    await Promise.all(Object.entries(ids).map(async ([name, id]) => [name, (await db.getGoal(id))!.state.kind])),
  )

describe('goals', () => {
  test('are listed by state, in the order in which they were set', async () => {
    const { db } = await openAt()
    const { move, pack, paint, sign, copy } = await family(db)
    const ids = async (query?: Parameters<Engine['goals']>[0]) => (await db.goals(query)).map(({ id }) => id)
    expect(await ids()).toEqual([move, pack, paint, sign, copy])
    expect(await ids({ state: 'active' })).toEqual([move, pack, copy])
    expect(await ids({ state: ['paused', 'completed'] })).toEqual([paint, sign])
    expect(await ids({ state: 'abandoned' })).toEqual([])
    expect(await ids({ state: [] })).toEqual([])
    expect(await db.goals({ state: 'active' })).toEqual(await db.activeGoals())
  })

  test('are listed as they were at a time', async () => {
    const { db, time } = await openAt()
    const id = await db.setGoal({ description: 'find a flat', deadline: NOW + 2 * DAY })
    time.now += DAY
    await db.reviseGoal(id, { description: 'find a house' })
    time.now += DAY
    await db.pauseGoal(id)
    const later = await db.setGoal({ description: 'buy a bed' })
    time.now += DAY
    await db.abandonGoal(id, 'too dear')
    const at = async (asOf: number, state?: 'active' | 'paused') =>
      (await db.goals({ asOf, state })).map(({ description, state, overdue }) => [description, state.kind, overdue])
    expect(await at(NOW - 1)).toEqual([])
    expect(await at(NOW)).toEqual([['find a flat', 'active', false]])
    expect(await at(NOW + DAY)).toEqual([['find a house', 'active', false]])
    expect(await at(NOW + 2 * DAY + 1)).toEqual([
      ['find a house', 'paused', true],
      ['buy a bed', 'active', false],
    ])
    expect(await at(NOW + 2 * DAY + 1, 'paused')).toEqual([['find a house', 'paused', true]])
    expect(await at(NOW + 9 * DAY, 'active')).toEqual([['buy a bed', 'active', false]])
    expect((await db.goals({ asOf: NOW + 2 * DAY })).map(({ id }) => id)).toEqual([id, later])
  })

  test('cannot be changed through the list', async () => {
    const { db } = await openAt()
    const id = await db.setGoal({ description: 'rest', successCriteria: ['eight hours of sleep'] })
    await db.pauseGoal(id)
    const [goal] = await db.goals()
    ;(goal.successCriteria as string[]).push('more')
    ;(goal.history[0] as { at: string }).at = 'never'
    expect((await db.getGoal(id))!.successCriteria).toEqual(['eight hours of sleep'])
    expect((await db.getGoal(id))!.history[0].at).toBe(new Date(NOW).toISOString())
  })

  test.each([
    [{ state: 'open' }, 'AGIDB_INVALID_ARGUMENT', /active.*paused.*completed.*abandoned/],
    [{ state: ['active', 7] }, 'AGIDB_INVALID_ARGUMENT', /state\[1\]/],
    [{ state: null }, 'AGIDB_INVALID_ARGUMENT', /state/],
    [{ asOf: 'yesterday-ish' }, 'AGIDB_INVALID_TIME', /asOf/],
    [{ at: 0 }, 'AGIDB_UNKNOWN_OPTION', /asOf/],
    ['active', 'AGIDB_INVALID_ARGUMENT', /query/],
  ])('a wrong query is refused: %j', async (query, code, message) => {
    const { db } = await openAt()
    await expect(db.goals(query as never)).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
  })
})

describe('when a goal ends', () => {
  test('the goals below it stay as they are by default, and its history and the learning event name them', async () => {
    const { db } = await openAt()
    const ids = await family(db)
    const children = { became: 'kept', count: 3, goals: [ids.pack, ids.paint, ids.copy] }
    const goal = await db.abandonGoal(ids.move, 'we stay')
    expect(goal.history.at(-1)).toMatchObject({ to: { kind: 'abandoned', reason: 'we stay' }, children })
    expect(await states(db, ids)).toEqual({
      move: 'abandoned',
      pack: 'active',
      paint: 'paused',
      sign: 'completed',
      copy: 'active',
    })
    const told = await db.whatDidILearn(0, { kinds: ['goalStateChanged'], subject: ids.pack })
    expect(told).toMatchObject([{ goal: ids.move, children }])
  })

  test('the open goals below it are abandoned with it for its reason', async () => {
    const { db } = await openAt()
    const ids = await family(db)
    const goal = await db.abandonGoal(ids.move, 'we stay', { children: 'abandon' })
    expect(goal.history.at(-1)!.children).toEqual({
      became: 'abandoned',
      count: 3,
      goals: [ids.pack, ids.paint, ids.copy],
    })
    expect(await states(db, ids)).toEqual({
      move: 'abandoned',
      pack: 'abandoned',
      paint: 'abandoned',
      sign: 'completed',
      copy: 'abandoned',
    })
    for (const id of [ids.pack, ids.paint, ids.copy]) {
      expect((await db.getGoal(id))!.history.at(-1)).toMatchObject({ with: ids.move, to: { reason: 'we stay' } })
    }
    expect(await db.activeGoals()).toEqual([])
  })

  test('its open subgoals are completed with its evidence; paused ones are resumed first', async () => {
    const { db } = await openAt()
    const ids = await family(db)
    const evidence = [await db.observe('We live in the new house.')]
    await db.completeGoal(ids.move, evidence, { children: 'complete' })
    expect(await states(db, ids)).toEqual({
      move: 'completed',
      pack: 'completed',
      paint: 'completed',
      sign: 'completed',
      copy: 'completed',
    })
    const { history } = (await db.getGoal(ids.paint))!
    expect(history.map(({ from, to }) => [from.kind, to.kind])).toEqual([
      ['active', 'paused'],
      ['paused', 'active'],
      ['active', 'completed'],
    ])
    expect(history.at(-1)).toMatchObject({ with: ids.move, to: { evidence } })
  })

  test('a completed goal can abandon what is left below it, and the goal above completes as ever', async () => {
    const { db } = await openAt()
    const life = await db.setGoal({ description: 'live well' })
    const ids = await family(db)
    await db.reviseGoal(ids.move, { parent: life })
    await db.completeGoal(ids.move, [], { children: 'abandon' })
    expect(await states(db, { life, ...ids })).toMatchObject({
      life: 'completed',
      move: 'completed',
      pack: 'abandoned',
    })
    expect((await db.getGoal(ids.pack))!.state).toMatchObject({ reason: 'the goal that it serves was completed' })
  })

  test('a goal that completes by itself names the goals that it leaves open', async () => {
    const { db } = await openAt()
    const call = await db.setGoal({ description: 'reach Tom', completion: 'any' })
    const ring = await db.setGoal({ description: 'ring him', parent: call })
    const mail = await db.setGoal({ description: 'mail him', parent: call })
    await db.completeGoal(ring)
    const { state, history } = (await db.getGoal(call))!
    expect(state.kind).toBe('completed')
    expect(history.at(-1)).toMatchObject({ by: ring, children: { became: 'kept', count: 1, goals: [mail] } })
  })

  test('a wrong option is refused, and nothing changes', async () => {
    const { db } = await openAt()
    const ids = await family(db)
    const before = await db.goals()
    await expect(db.abandonGoal(ids.move, 'why', { children: 'delete' } as never)).rejects.toMatchObject({
      code: 'AGIDB_INVALID_ARGUMENT',
      message: expect.stringMatching(/keep.*abandon.*complete/),
    })
    await expect(db.completeGoal(ids.move, [], { child: 'keep' } as never)).rejects.toMatchObject({
      code: 'AGIDB_UNKNOWN_OPTION',
    })
    await expect(db.completeGoal(ids.move, ['ep_none'], { children: 'complete' })).rejects.toMatchObject({
      code: 'AGIDB_NOT_FOUND',
    })
    expect(await db.goals()).toEqual(before)
  })

  test('its history counts all subgoals and names the first thousand, and an export preserves this', async () => {
    const { db } = await openAt()
    const top = await db.setGoal({ description: 'read every book' })
    const books: string[] = []
    for (let i = 0; i < 1_001; i++) books.push(await db.setGoal({ description: `read book ${i}`, parent: top }))
    await db.abandonGoal(top, 'too many', { children: 'abandon' })
    expect((await db.getGoal(top))!.history.at(-1)!.children).toEqual({
      became: 'abandoned',
      count: 1_001,
      goals: books.slice(0, 1_000),
    })
    expect(await db.goals({ state: 'abandoned' })).toHaveLength(1_002)
    const { db: other } = await openAt()
    await other.import(await exported(db))
    expect(await other.goals()).toEqual(await db.goals())
  })
})
