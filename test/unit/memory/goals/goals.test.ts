import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCodebook } from '../../../../src/encoding/codebook/node.js'
import { parseCodebook } from '../../../../src/encoding/codebook/codebook.js'
import type { AgidbError } from '../../../../src/base/errors.js'
import type { Goal, GoalTree, NewGoal } from '../../../../src/api/goal.js'
import type { Engine } from '../../../../src/engine/engine.js'
import { openEngine } from '../../../../src/engine/whole.js'
import { nodeStorage } from '../../../../src/storage/adapters/node/node.js'
import { NOW, openMemory, withFolder } from '../../engine/open.js'
import { kernel } from '../../encoding/kernel.js'
import { runs } from '../../../runs.js'

const numRuns = runs()
const codebook = parseCodebook(await readCodebook())
const iso = (time: number) => new Date(time).toISOString()
const ids = (goals: readonly { readonly id: string }[]) => goals.map(({ id }) => id)
const kinds = async (db: Engine, ...goals: string[]) =>
  Promise.all(goals.map(async (id) => (await db.getGoal(id))!.state.kind))

/** A memory whose time the test sets. */
async function timed(): Promise<{ db: Engine; time: { now: number } }> {
  const time = { now: NOW }
  return { db: await openMemory({ clock: () => time.now }), time }
}

/** A goal and those below it, as the words of each with its state. */
function drawn({ goal, children }: GoalTree): unknown[] {
  return [`${goal.description} ${goal.state.kind}`, ...children.map(drawn)]
}

describe('a goal', () => {
  test('is what was set, active from then on', async () => {
    const { db } = await timed()
    const parent = await db.setGoal({ description: 'Plan the team dinner.' })
    const id = await db.setGoal({
      description: 'Book a table.',
      parent,
      successCriteria: ['a table for nine', 'no nuts'],
      deadline: '2027-02-01',
      completion: 'any',
      session: 's',
      source: 'chat',
    })
    expect(id).toMatch(/^go_[0-9A-Z]{26}$/)
    expect(await db.getGoal(id)).toEqual({
      id,
      description: 'Book a table.',
      parent,
      successCriteria: ['a table for nine', 'no nuts'],
      deadline: '2027-02-01T00:00:00.000Z',
      overdue: false,
      completion: 'any',
      state: { kind: 'active' },
      history: [],
      createdAt: iso(NOW),
      updatedAt: iso(NOW),
      provenance: { session: 's', source: 'chat', writer: 'agidb', episodes: [] },
    })
    expect(await db.getGoal(parent)).toEqual({
      id: parent,
      description: 'Plan the team dinner.',
      successCriteria: [],
      overdue: false,
      completion: 'all',
      state: { kind: 'active' },
      history: [],
      createdAt: iso(NOW),
      updatedAt: iso(NOW),
      provenance: { writer: 'agidb', episodes: [] },
    })
    expect(ids(await db.activeGoals())).toEqual([parent, id])
    expect((await db.stats()).goals).toBe(2)
    expect(await db.getGoal('go_none')).toBeUndefined()
    await db.close()
  })

  test('keeps what it went through', async () => {
    const { db, time } = await timed()
    const id = await db.setGoal({ description: 'Learn Thai.' })
    const evidence = await db.observe('I ordered in Thai.')
    const [active, paused] = [{ kind: 'active' }, { kind: 'paused', since: iso(NOW + 1), reason: 'no time' }]
    const completed = { kind: 'completed', at: iso(NOW + 4), evidence: [evidence] }
    time.now = NOW + 1
    expect((await db.pauseGoal(id, 'no time')).state).toEqual(paused)
    expect(await db.activeGoals()).toEqual([])
    time.now = NOW + 2
    expect((await db.resumeGoal(id)).state).toEqual(active)
    time.now = NOW + 3
    expect((await db.pauseGoal(id)).state).toEqual({ kind: 'paused', since: iso(NOW + 3) })
    await db.resumeGoal(id)
    time.now = NOW + 4
    const done = await db.completeGoal(id, [evidence, evidence])
    expect(done).toMatchObject({ state: completed, createdAt: iso(NOW), updatedAt: iso(NOW + 4) })
    expect(done.history.map(({ at, from, to }) => [at, from.kind, to.kind])).toEqual([
      [iso(NOW + 1), 'active', 'paused'],
      [iso(NOW + 2), 'paused', 'active'],
      [iso(NOW + 3), 'active', 'paused'],
      [iso(NOW + 3), 'paused', 'active'],
      [iso(NOW + 4), 'active', 'completed'],
    ])
    expect(done.history[0]).toEqual({ at: iso(NOW + 1), from: active, to: paused })
    expect(done.history[4]).toEqual({ at: iso(NOW + 4), from: active, to: completed })
    await db.close()
  })

  test('is overdue from its deadline on, until it ends', async () => {
    const { db, time } = await timed()
    const id = await db.setGoal({ description: 'File the taxes.', deadline: NOW + 10 })
    const overdue = async () => (await db.getGoal(id))!.overdue
    time.now = NOW + 10
    expect(await overdue()).toBe(false)
    time.now = NOW + 11
    expect([await overdue(), (await db.activeGoals())[0].overdue, (await db.goalTree(id)).goal.overdue]).toEqual([
      true,
      true,
      true,
    ])
    expect((await db.pauseGoal(id)).overdue).toBe(true)
    expect((await db.reviseGoal(id, { deadline: NOW + 20 })).overdue).toBe(false)
    expect((await db.reviseGoal(id, { deadline: NOW })).overdue).toBe(true)
    expect(await db.reviseGoal(id, { deadline: null })).not.toHaveProperty('deadline')
    await db.reviseGoal(id, { deadline: NOW })
    expect((await db.abandonGoal(id, 'too late')).overdue).toBe(false)
    await db.close()
  })

  test('says what it is revised to, and only what differs is learned', async () => {
    const { db, time } = await timed()
    const parent = await db.setGoal({ description: 'Live well.' })
    const id = await db.setGoal({ description: 'Run.', parent, successCriteria: ['10 km'] })
    time.now = NOW + 1
    const { events } = await db.stats()
    const before = await db.getGoal(id)
    expect(await db.reviseGoal(id, {})).toEqual(before)
    expect(
      await db.reviseGoal(id, {
        description: 'Run.',
        parent,
        successCriteria: ['10 km'],
        deadline: null,
        completion: 'all',
      }),
    ).toEqual(before)
    expect((await db.stats()).events).toBe(events)
    const after = await db.reviseGoal(id, {
      description: 'Swim.',
      parent: null,
      successCriteria: [],
      completion: 'any',
      deadline: NOW + 5,
    })
    const { parent: _, ...rest } = before!
    expect(after).toEqual({
      ...rest,
      description: 'Swim.',
      successCriteria: [],
      completion: 'any',
      deadline: iso(NOW + 5),
      updatedAt: iso(NOW + 1),
    })
    expect((await db.stats()).events).toBe(events + 1)
    await db.close()
  })

  test('is given away as a copy, and taken as one', async () => {
    const { db } = await timed()
    const said = { description: 'Read.', successCriteria: ['a book'] }
    const id = await db.setGoal(said)
    const episode = await db.observe('I read it.')
    const evidence = [episode]
    const done = db.completeGoal(id, evidence)
    said.successCriteria.push('two')
    evidence.push('none')
    const expected = structuredClone(await done)
    expect(expected).toMatchObject({ successCriteria: ['a book'], state: { evidence: [episode] } })
    for (const give of [() => db.getGoal(id), async () => (await db.goalTree(id)).goal]) {
      const goal = (await give()) as { -readonly [Key in keyof Goal]: any }
      goal.successCriteria.push('x')
      goal.state.evidence.push('x')
      goal.state.kind = 'active'
      goal.history[0].to.evidence.push('x')
      goal.history[0].from.kind = 'paused'
      goal.history.pop()
      goal.provenance.episodes.push('x')
      expect(await db.getGoal(id)).toEqual(expected)
    }
    await db.close()
  })
})

describe('the states of a goal', () => {
  const MOVES = {
    paused: (db: Engine, id: string) => db.pauseGoal(id, 'why'),
    active: (db: Engine, id: string) => db.resumeGoal(id),
    completed: (db: Engine, id: string) => db.completeGoal(id),
    abandoned: (db: Engine, id: string) => db.abandonGoal(id, 'why'),
  }
  const LEGAL = {
    active: ['paused', 'completed', 'abandoned'],
    paused: ['active', 'abandoned'],
    completed: [],
    abandoned: [],
  }
  type Kind = keyof typeof MOVES
  const pairs = (Object.keys(MOVES) as Kind[]).flatMap((from) =>
    (Object.keys(MOVES) as Kind[]).map((to) => [from, to] as const),
  )

  test.each(pairs)('%s to %s', async (from, to) => {
    const { db } = await timed()
    const id = await db.setGoal({ description: 'Get there.' })
    if (from !== 'active') await MOVES[from](db, id)
    const [before, { events }] = [await db.getGoal(id), await db.stats()]
    if ((LEGAL[from] as string[]).includes(to)) {
      expect((await MOVES[to](db, id)).state.kind).toBe(to)
      expect((await db.stats()).events).toBe(events + 1)
    } else {
      const error: AgidbError = await MOVES[to](db, id).then(
        () => undefined,
        (error) => error,
      )
      expect(error).toMatchObject({ code: 'AGIDB_GOAL_TRANSITION', details: { id, from, to, legal: LEGAL[from] } })
      for (const word of [from, to, ...(LEGAL[from].length === 0 ? ['final'] : LEGAL[from])])
        expect(error.message).toContain(word)
      expect(await db.getGoal(id)).toEqual(before)
      expect((await db.stats()).events).toBe(events)
    }
    await db.close()
  })

  test.each(['completed', 'abandoned'] as const)('what is %s says what it says for ever', async (state) => {
    const { db } = await timed()
    const id = await db.setGoal({ description: 'Get there.' })
    const before = await MOVES[state](db, id)
    await expect(db.reviseGoal(id, { description: 'Elsewhere.' })).rejects.toMatchObject({
      code: 'AGIDB_GOAL_TRANSITION',
      details: { id, from: state, legal: [] },
    })
    expect(await db.getGoal(id)).toEqual(before)
    await db.close()
  })
})

describe('a tree of goals', () => {
  async function family(completion: 'all' | 'any', children = 2) {
    const { db, time } = await timed()
    const top = await db.setGoal({ description: 'top' })
    const parent = await db.setGoal({ description: 'parent', parent: top, completion })
    const below: string[] = []
    for (let i = 0; i < children; i++) below.push(await db.setGoal({ description: `child ${i}`, parent }))
    return { db, time, top, parent, children: below }
  }

  test('shows who serves whom, in the order in which they were set', async () => {
    const { db, top, children } = await family('all')
    const moved = await db.setGoal({ description: 'moved' })
    const last = await db.setGoal({ description: 'last', parent: children[1] })
    await db.setGoal({ description: 'other', parent: top })
    await db.reviseGoal(last, { parent: top })
    await db.reviseGoal(moved, { parent: top })
    expect(drawn(await db.goalTree(top))).toEqual([
      'top active',
      ['parent active', ['child 0 active'], ['child 1 active']],
      ['moved active'],
      ['last active'],
      ['other active'],
    ])
    expect(drawn(await db.goalTree(last))).toEqual(['last active'])
    await db.close()
  })

  test('is as deep as it is made', async () => {
    const { db } = await timed()
    let parent = await db.setGoal({ description: '0' })
    const top = parent
    for (let i = 1; i < 300; i++) parent = await db.setGoal({ description: `${i}`, parent })
    let depth = 0
    for (let at: GoalTree | undefined = await db.goalTree(top); at !== undefined; at = at.children[0])
      expect(at.goal.description).toBe(`${depth++}`)
    expect(depth).toBe(300)
    await db.completeGoal(parent)
    expect((await db.getGoal(top))!.state.kind).toBe('completed')
    await db.close()
  })

  test('all: completes with the last child, and so on up, all at once, with the evidence of all', async () => {
    const {
      db,
      time,
      top,
      parent,
      children: [first, second],
    } = await family('all')
    const [a, b, c] = await db.observeMany([{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }])
    await db.completeGoal(second, [b, a])
    expect(await kinds(db, top, parent, first)).toEqual(['active', 'active', 'active'])
    time.now = NOW + 5
    const { events } = await db.stats()
    await db.completeGoal(first, [c, a])
    expect((await db.stats()).events).toBe(events + 3)
    const completed = { kind: 'completed', at: iso(NOW + 5), evidence: [c, a, b] }
    expect(await db.getGoal(parent)).toMatchObject({
      state: completed,
      history: [{ at: iso(NOW + 5), from: { kind: 'active' }, to: completed, by: first }],
    })
    expect(await db.getGoal(top)).toMatchObject({
      state: completed,
      history: [{ from: { kind: 'active' }, to: completed, by: parent }],
    })
    expect((await db.getGoal(first))!.history[0]).not.toHaveProperty('by')
    await db.close()
  })

  test('any: completes with the first child; the others go on', async () => {
    const {
      db,
      top,
      parent,
      children: [first, second],
    } = await family('any')
    await db.completeGoal(second)
    expect(await kinds(db, top, parent, first, second)).toEqual(['completed', 'completed', 'active', 'completed'])
    expect((await db.getGoal(parent))!.history[0].by).toBe(second)
    await db.completeGoal(first)
    expect((await db.getGoal(parent))!.history).toHaveLength(1)
    await db.close()
  })

  test('an abandoned child was not completed: it holds its parent open, until it no longer serves it', async () => {
    const {
      db,
      top,
      parent,
      children: [first, second],
    } = await family('all')
    await db.abandonGoal(first, 'no use')
    await db.completeGoal(second)
    expect(await kinds(db, top, parent)).toEqual(['active', 'active'])
    await db.reviseGoal(parent, { completion: 'any' })
    expect(await kinds(db, top, parent)).toEqual(['completed', 'completed'])
    expect((await db.getGoal(parent))!.history[0].by).toBe(second)
    await db.close()
  })

  test('a paused parent waits until it is resumed, and then completes at once', async () => {
    const {
      db,
      time,
      top,
      parent,
      children: [first, second],
    } = await family('all')
    await db.pauseGoal(parent)
    await db.completeGoal(first)
    await db.completeGoal(second)
    expect(await kinds(db, top, parent)).toEqual(['active', 'paused'])
    time.now = NOW + 7
    const resumed = await db.resumeGoal(parent)
    expect(resumed.state).toMatchObject({ kind: 'completed', at: iso(NOW + 7) })
    expect(resumed.history.map(({ from, to, by }) => [from.kind, to.kind, by])).toEqual([
      ['active', 'paused', undefined],
      ['paused', 'active', undefined],
      ['active', 'completed', second],
    ])
    expect(await kinds(db, top)).toEqual(['completed'])
    await db.close()
  })

  test('a parent that its only open child leaves completes', async () => {
    const {
      db,
      top,
      parent,
      children: [first, second],
    } = await family('all')
    await db.completeGoal(first)
    const moved = await db.reviseGoal(second, { parent: null })
    expect(moved.state.kind).toBe('active')
    expect(await kinds(db, top, parent)).toEqual(['completed', 'completed'])
    expect((await db.getGoal(parent))!.history[0].by).toBe(first)
    await db.close()
  })

  test('a parent that all children leave does not', async () => {
    const { db, parent, children } = await family('all')
    for (const child of children) await db.reviseGoal(child, { parent: null })
    expect(await kinds(db, parent)).toEqual(['active'])
    await db.close()
  })

  test('moved with another rule, it completes where it comes to', async () => {
    const {
      db,
      top,
      parent,
      children: [first],
    } = await family('all')
    const other = await db.setGoal({ description: 'other', completion: 'any' })
    await db.completeGoal(first)
    expect((await db.reviseGoal(parent, { parent: other, completion: 'any' })).state.kind).toBe('completed')
    expect(await kinds(db, top, other)).toEqual(['active', 'completed'])
    await db.close()
  })

  test('ends at the top without those below', async () => {
    const {
      db,
      top,
      parent,
      children: [first, second],
    } = await family('all')
    await db.abandonGoal(top, 'no use')
    await db.completeGoal(parent)
    expect(await kinds(db, top, parent, first, second)).toEqual(['abandoned', 'completed', 'active', 'active'])
    await db.close()
  })
})

describe('what is wrong is refused, and changes nothing', () => {
  const long = 'a'.repeat(9000)
  const cases: [
    string,
    (db: Engine, goals: { open: string; below: string; done: string }) => Promise<unknown>,
    string,
    RegExp,
  ][] = [
    ['no goal', (db) => db.setGoal(undefined as never), 'AGIDB_INVALID_ARGUMENT', /description/],
    ['a text for a goal', (db) => db.setGoal('win' as never), 'AGIDB_INVALID_ARGUMENT', /object/],
    [
      'an unknown key',
      (db) => db.setGoal({ description: 'x', state: 'active' } as never),
      'AGIDB_UNKNOWN_OPTION',
      /"state"/,
    ],
    ['no description', (db) => db.setGoal({} as never), 'AGIDB_INVALID_ARGUMENT', /description must be a string/],
    ['an empty description', (db) => db.setGoal({ description: '  ' }), 'AGIDB_INVALID_TEXT', /description is empty/],
    ['a long description', (db) => db.setGoal({ description: long }), 'AGIDB_TOO_LARGE', /description has 9000 bytes/],
    [
      'a parent that is not there',
      (db) => db.setGoal({ description: 'x', parent: 'go_none' }),
      'AGIDB_NOT_FOUND',
      /go_none/,
    ],
    [
      'a parent that has ended',
      (db, { done }) => db.setGoal({ description: 'x', parent: done }),
      'AGIDB_INVALID_ARGUMENT',
      /completed; a parent must be active or paused/,
    ],
    [
      'null for a parent',
      (db) => db.setGoal({ description: 'x', parent: null } as never),
      'AGIDB_INVALID_ARGUMENT',
      /parent must be a string/,
    ],
    [
      'criteria that are no list',
      (db) => db.setGoal({ description: 'x', successCriteria: 'all' } as never),
      'AGIDB_INVALID_ARGUMENT',
      /successCriteria must be an array/,
    ],
    [
      'null for criteria',
      (db) => db.setGoal({ description: 'x', successCriteria: null } as never),
      'AGIDB_INVALID_ARGUMENT',
      /successCriteria must be an array/,
    ],
    [
      'a patch of criteria to null',
      (db, { open }) => db.reviseGoal(open, { successCriteria: null } as never),
      'AGIDB_INVALID_ARGUMENT',
      /successCriteria/,
    ],
    [
      'an empty criterion',
      (db) => db.setGoal({ description: 'x', successCriteria: ['a', ''] }),
      'AGIDB_INVALID_TEXT',
      /successCriteria\[1\] is empty/,
    ],
    [
      'a criterion that is no text',
      (db) => db.setGoal({ description: 'x', successCriteria: [1] } as never),
      'AGIDB_INVALID_ARGUMENT',
      /successCriteria\[0\]/,
    ],
    [
      '65 criteria',
      (db) => db.setGoal({ description: 'x', successCriteria: Array(65).fill('a') }),
      'AGIDB_TOO_LARGE',
      /65 items; at most 64/,
    ],
    [
      'a deadline that is no time',
      (db) => db.setGoal({ description: 'x', deadline: 'soon' }),
      'AGIDB_INVALID_TIME',
      /deadline is "soon"/,
    ],
    [
      'null for a deadline',
      (db) => db.setGoal({ description: 'x', deadline: null } as never),
      'AGIDB_INVALID_TIME',
      /deadline/,
    ],
    [
      'another rule',
      (db) => db.setGoal({ description: 'x', completion: 'some' } as never),
      'AGIDB_INVALID_ARGUMENT',
      /"all", "any"/,
    ],
    [
      'an empty session',
      (db) => db.setGoal({ description: 'x', session: '' }),
      'AGIDB_INVALID_ARGUMENT',
      /session is empty/,
    ],
    [
      'a source that is no text',
      (db) => db.setGoal({ description: 'x', source: 7 } as never),
      'AGIDB_INVALID_ARGUMENT',
      /source must be a string/,
    ],
    ['no patch', (db, { open }) => db.reviseGoal(open, undefined as never), 'AGIDB_INVALID_ARGUMENT', /patch/],
    [
      'a patch of the state',
      (db, { open }) => db.reviseGoal(open, { state: 'completed' } as never),
      'AGIDB_UNKNOWN_OPTION',
      /"state"/,
    ],
    [
      'a patch to nothing',
      (db, { open }) => db.reviseGoal(open, { description: '' }),
      'AGIDB_INVALID_TEXT',
      /description/,
    ],
    [
      'a patch to null',
      (db, { open }) => db.reviseGoal(open, { description: null } as never),
      'AGIDB_INVALID_ARGUMENT',
      /description/,
    ],
    [
      'itself for a parent',
      (db, { open }) => db.reviseGoal(open, { parent: open }),
      'AGIDB_INVALID_ARGUMENT',
      /itself or serves it/,
    ],
    [
      'one that serves it for a parent',
      (db, { open, below }) => db.reviseGoal(open, { parent: below }),
      'AGIDB_INVALID_ARGUMENT',
      /itself or serves it/,
    ],
    [
      'an ended parent',
      (db, { open, done }) => db.reviseGoal(open, { parent: done }),
      'AGIDB_INVALID_ARGUMENT',
      /completed/,
    ],
    ['an unknown parent', (db, { open }) => db.reviseGoal(open, { parent: 'go_none' }), 'AGIDB_NOT_FOUND', /go_none/],
    ['a reason that is no text', (db, { open }) => db.pauseGoal(open, 7 as never), 'AGIDB_INVALID_ARGUMENT', /reason/],
    ['an empty reason', (db, { open }) => db.abandonGoal(open, ''), 'AGIDB_INVALID_TEXT', /reason/],
    ['no reason', (db, { open }) => db.abandonGoal(open, undefined as never), 'AGIDB_INVALID_ARGUMENT', /reason/],
    [
      'evidence that is no list',
      (db, { open }) => db.completeGoal(open, 'ep' as never),
      'AGIDB_INVALID_ARGUMENT',
      /evidence must be an array/,
    ],
    [
      'evidence that is no id',
      (db, { open }) => db.completeGoal(open, [7] as never),
      'AGIDB_INVALID_ARGUMENT',
      /evidence\[0\]/,
    ],
    [
      'evidence that is not there',
      (db, { open }) => db.completeGoal(open, ['ep_none']),
      'AGIDB_NOT_FOUND',
      /"ep_none"/,
    ],
    [
      'too much evidence',
      (db, { open }) => db.completeGoal(open, Array(1001).fill('e')),
      'AGIDB_TOO_LARGE',
      /1001 items/,
    ],
    ['a tree of nothing', (db) => db.goalTree('go_none'), 'AGIDB_NOT_FOUND', /go_none/],
    ...(
      ['reviseGoal', 'pauseGoal', 'resumeGoal', 'completeGoal', 'abandonGoal', 'goalTree', 'getGoal'] as const
    ).flatMap((method): typeof cases => {
      const call = (db: Engine, id: unknown) =>
        (db[method] as (...all: unknown[]) => Promise<unknown>)(
          id,
          ...(({ reviseGoal: [{}], abandonGoal: ['why'] } as Record<string, unknown[]>)[method] ?? []),
        )
      return [
        [`${method} of a number`, (db) => call(db, 7), 'AGIDB_INVALID_ARGUMENT', /must be a string/],
        [`${method} of nothing`, (db) => call(db, undefined), 'AGIDB_INVALID_ARGUMENT', /must be a string/],
        ...(method === 'getGoal'
          ? []
          : [
              [
                `${method} of what is not there`,
                (db: Engine) => call(db, 'go_none'),
                'AGIDB_NOT_FOUND',
                /no goal with the id "go_none"/,
              ] as (typeof cases)[0],
            ]),
      ]
    }),
  ]
  test.each(cases)('%s', async (_, wrong, code, message) => {
    const db = await openMemory()
    const open = await db.setGoal({ description: 'open' })
    const below = await db.setGoal({
      description: 'below',
      parent: await db.setGoal({ description: 'between', parent: open }),
    })
    const done = await db.setGoal({ description: 'done' })
    await db.completeGoal(done)
    const all = async () => [await db.goalTree(open), await db.getGoal(done), (await db.stats()).events]
    const before = await all()
    await expect(wrong(db, { open, below, done })).rejects.toMatchObject({
      name: 'AgidbError',
      code,
      message: expect.stringMatching(message),
    })
    expect(await all()).toEqual(before)
    await db.close()
  })
})

describe('recall', () => {
  const TEXTS = {
    hotel: 'In Lisbon we stayed at a hotel near the river.',
    food: 'In Lisbon we ate grilled fish every evening.',
    tram: 'In Lisbon the tram was full.',
    tax: 'The tax forms are due in July.',
  }
  const cue = 'what did we do in Lisbon?'
  const lifted = async (db: Engine, about = cue) =>
    (await db.recall(about)).matches.filter(({ goalBiased }) => goalBiased).map(({ id }) => id)

  test.each([
    ['without a codebook', undefined],
    ['with a codebook', codebook],
  ])('is lifted by the active goals alone, %s', async (_, codebook) => {
    const db = await openMemory({ codebook })
    await db.observeMany(Object.entries(TEXTS).map(([id, text]) => ({ id, text })))
    const plain = (await db.recall(cue)).matches
    const fish = await db.setGoal({ description: 'eat grilled fish' })
    const { matches } = await db.recall(cue)
    for (const {
      id,
      goalBiased,
      signals: { goal, ...rest },
    } of matches) {
      expect(rest).toEqual(plain.find((match) => match.id === id)!.signals)
      expect(goalBiased).toBe(id === 'food')
      if (id === 'food') expect(goal).toBeGreaterThan(0.1)
      else expect(goal).toBeUndefined()
    }
    expect((await db.recall(cue, { goals: [] })).matches).toEqual(plain)
    await db.setGoal({ description: 'repair mechanical watches' })
    expect(await lifted(db)).toEqual(['food'])
    await db.pauseGoal(fish)
    expect((await db.recall(cue)).matches).toEqual(plain)
    await db.resumeGoal(fish)
    expect((await db.recall(cue)).matches).toEqual(matches)
    await db.completeGoal(fish)
    expect((await db.recall(cue)).matches).toEqual(plain)
    await db.close()
  })

  test('is lifted by what a goal serves, as it says now', async () => {
    const db = await openMemory()
    await db.observeMany(Object.entries(TEXTS).map(([id, text]) => ({ id, text })))
    const parent = await db.setGoal({ description: 'a hotel near the river' })
    await db.setGoal({ description: 'ask around', parent })
    await db.pauseGoal(parent)
    expect(await lifted(db)).toEqual(['hotel'])
    await db.reviseGoal(parent, { description: 'grilled fish every evening' })
    expect(await lifted(db)).toEqual(['food'])
    await db.close()
  })

  test('is lifted by the sixteen goals that changed last', async () => {
    const db = await openMemory()
    await db.observeMany(Object.entries(TEXTS).map(([id, text]) => ({ id, text })))
    const fish = await db.setGoal({ description: 'eat grilled fish' })
    for (let i = 0; i < 15; i++) await db.setGoal({ description: `errand ${i}` })
    expect(await lifted(db)).toEqual(['food'])
    await db.setGoal({ description: 'errand 15' })
    expect(await lifted(db)).toEqual([])
    await db.reviseGoal(fish, { deadline: NOW })
    expect(await lifted(db)).toEqual(['food'])
    await db.close()
  })

  test.each([
    ['without a codebook', undefined],
    ['with a codebook', codebook],
  ])('says which active goals bear on the cue, %s', async (_, codebook) => {
    const db = await openMemory({ codebook })
    const dinner = await db.setGoal({ description: 'Plan the team dinner.' })
    const thai = await db.setGoal({ description: 'Find a thai place.', parent: dinner })
    const watches = await db.setGoal({ description: 'Learn to repair mechanical watches.' })
    await db.setGoal({ description: 'Renew the passport before the summer.' })
    const bearing = async (about: string) => ids((await db.recall(about)).activeGoals)
    const { activeGoals } = await db.recall('which thai place was good?')
    expect(activeGoals[0]).toEqual({ ...(await db.getGoal(thai)), relevance: expect.any(Number) })
    expect(activeGoals[0].relevance).toBeGreaterThan(0)
    expect(activeGoals[0].relevance).toBeLessThanOrEqual(1)
    expect(ids(activeGoals)).not.toContain(watches)
    expect(new Set(await bearing('the team dinner'))).toEqual(new Set([dinner, thai]))
    expect((await bearing('how are watches repaired?'))[0]).toBe(watches)
    await db.pauseGoal(watches)
    expect(await bearing('how are watches repaired?')).not.toContain(watches)
    expect(await bearing('quantum chromodynamics')).toEqual([])
    await db.close()
  })

  test('knows what was wanted at the time asked about, as it was then', async () => {
    const { db, time } = await timed()
    const id = await db.setGoal({ description: 'Find a thai place.', deadline: NOW + 15 })
    time.now = NOW + 10
    await db.reviseGoal(id, { description: 'Find a korean place.' })
    time.now = NOW + 20
    await db.pauseGoal(id, 'wait')
    time.now = NOW + 30
    await db.resumeGoal(id)
    await db.completeGoal(id)
    const at = async (offset: number) => {
      const [goal, ...rest] = (await db.recall('a thai or a korean place', { transactionAsOf: NOW + offset }))
        .activeGoals
      expect((await db.recall('a thai or a korean place', { validAsOf: NOW + offset })).activeGoals).toEqual(
        goal === undefined ? [] : [goal],
      )
      expect(rest).toEqual([])
      return goal && [goal.description, goal.state.kind, goal.history.length, goal.overdue, goal.updatedAt]
    }
    expect(await at(-1)).toBeUndefined()
    expect(await at(0)).toEqual(['Find a thai place.', 'active', 0, false, iso(NOW)])
    expect(await at(9)).toEqual(['Find a thai place.', 'active', 0, false, iso(NOW)])
    expect(await at(10)).toEqual(['Find a korean place.', 'active', 0, false, iso(NOW + 10)])
    expect(await at(19)).toEqual(['Find a korean place.', 'active', 0, true, iso(NOW + 10)])
    expect(await at(20)).toBeUndefined()
    expect(await at(30)).toBeUndefined()
    await db.close()
  })
})

/** The goals as one would write them without a thought to speed or events. */
class Naive {
  readonly goals: {
    id: string
    parent?: string
    completion: string
    kind: string
    history: string[]
    order: number
  }[] = []
  #completed = 0

  find(id: string | undefined) {
    return this.goals.find((goal) => goal.id === id)
  }

  go(goal: Naive['goals'][0], to: string, by?: string) {
    goal.history.push(`${goal.kind} ${to} ${by}`)
    goal.kind = to
    if (to === 'completed') goal.order = ++this.#completed
    this.settle()
  }

  /** Looks through all goals until no active one is left whose children complete it. */
  settle() {
    for (const goal of this.goals) {
      const children = this.goals.filter(({ parent }) => parent === goal.id)
      const done = children.filter(({ kind }) => kind === 'completed')
      const enough = goal.completion === 'any' ? done.length > 0 : done.length > 0 && done.length === children.length
      if (goal.kind === 'active' && enough)
        return this.go(goal, 'completed', done.reduce((last, child) => (child.order > last.order ? child : last)).id)
    }
  }

  above(id: string, other: string): boolean {
    return id === other || (this.find(id)?.parent !== undefined && this.above(this.find(id)!.parent!, other))
  }
}

const pick = fc.nat({ max: 1000 })
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      op: fc.constant('set' as const),
      under: fc.option(pick),
      completion: fc.constantFrom('all' as const, 'any' as const),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      op: fc.constant('go' as const),
      goal: pick,
      to: fc.constantFrom('active', 'paused', 'completed', 'completed', 'abandoned'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('move' as const), goal: pick, under: fc.option(pick) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('rule' as const),
      goal: pick,
      completion: fc.constantFrom('all' as const, 'any' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('recall' as const) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('reopen' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
const LEGAL: Record<string, string[]> = {
  active: ['paused', 'completed', 'abandoned'],
  paused: ['active', 'abandoned'],
  completed: [],
  abandoned: [],
}

/** Takes the step in the model; answers the code of the error that the memory must give. */
function expected(naive: Naive, taken: Exclude<Step, { op: 'set' | 'recall' | 'reopen' }>): string | undefined {
  const { goals } = naive
  const goal = goals[taken.goal % goals.length]
  if (taken.op === 'go') {
    if (!LEGAL[goal.kind].includes(taken.to)) return 'AGIDB_GOAL_TRANSITION'
    naive.go(goal, taken.to)
    return undefined
  }
  if (LEGAL[goal.kind].length === 0) return 'AGIDB_GOAL_TRANSITION'
  if (taken.op === 'rule') goal.completion = taken.completion
  else {
    const parent = taken.under === null ? undefined : goals[taken.under % goals.length]
    if (parent?.id === goal.parent) return undefined
    if (parent !== undefined && (LEGAL[parent.kind].length === 0 || naive.above(parent.id, goal.id)))
      return 'AGIDB_INVALID_ARGUMENT'
    goal.parent = parent?.id
  }
  naive.settle()
  return undefined
}

test('goals do what a naive model does, whatever is done and however often they are opened again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), (steps) =>
      withFolder(async (path) => {
        const naive = new Naive()
        let now = NOW
        const open = () => openEngine({ kernel, storage: nodeStorage(path), clock: () => now++ })
        let db = await open()
        const known = async () => ({
          goals: await Promise.all(naive.goals.map(({ id }) => db.getGoal(id))),
          trees: await Promise.all(
            naive.goals.filter(({ parent }) => parent === undefined).map(({ id }) => db.goalTree(id)),
          ),
          bearing: await Promise.all(
            [undefined, NOW + 20].map(
              async (transactionAsOf) => (await db.recall('goal 1 or goal 2', { transactionAsOf })).activeGoals,
            ),
          ),
        })
        for (const taken of steps) {
          const { goals } = naive
          if (taken.op === 'recall') await db.recall('goal 3')
          else if (taken.op === 'reopen') {
            const before = await known()
            await db.close()
            db = await open()
            expect(await known()).toEqual(before)
          } else if (taken.op === 'set') {
            const under = taken.under === null || goals.length === 0 ? undefined : goals[taken.under % goals.length]
            const set = db.setGoal({
              description: `goal ${goals.length}`,
              parent: under?.id,
              completion: taken.completion,
            } satisfies NewGoal)
            if (under !== undefined && LEGAL[under.kind].length === 0)
              await expect(set).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
            else
              goals.push({
                id: await set,
                parent: under?.id,
                completion: taken.completion,
                kind: 'active',
                history: [],
                order: 0,
              })
          } else if (goals.length > 0) {
            const { id } = goals[taken.goal % goals.length]
            const call = () => {
              if (taken.op === 'rule') return db.reviseGoal(id, { completion: taken.completion })
              if (taken.op === 'move')
                return db.reviseGoal(id, { parent: taken.under === null ? null : goals[taken.under % goals.length].id })
              if (taken.to === 'active') return db.resumeGoal(id)
              if (taken.to === 'paused') return db.pauseGoal(id)
              return taken.to === 'completed' ? db.completeGoal(id) : db.abandonGoal(id, 'why')
            }
            const error = await call().then(
              () => undefined,
              (error: AgidbError) => error.code,
            )
            expect(error).toBe(expected(naive, taken))
          }
          const all = await Promise.all(goals.map(({ id }) => db.getGoal(id)))
          expect(
            all.map((goal) => [
              goal!.state.kind,
              goal!.parent,
              goal!.completion,
              goal!.history.map(({ from, to, by }) => `${from.kind} ${to.kind} ${by}`),
            ]),
          ).toEqual(goals.map(({ kind, parent, completion, history }) => [kind, parent, completion, history]))
          expect(ids(await db.activeGoals())).toEqual(goals.filter(({ kind }) => kind === 'active').map(({ id }) => id))
        }
        await db.close()
      }),
    ),
    { numRuns },
  )
})
