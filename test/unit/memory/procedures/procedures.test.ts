import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import type { Agidb } from '../../../../src/api/agidb.js'
import { openEngine } from '../../../../src/engine/whole.js'
import { nodeStorage } from '../../../../src/storage/adapters/node/node.js'
import { NOW, openMemory, withFolder } from '../../engine/open.js'
import { kernel } from '../../encoding/kernel.js'
import { runs } from '../../../runs.js'

const tea = {
  name: 'Make tea',
  trigger: 'somebody wants a cup of tea',
  steps: ['boil water', 'steep the leaves for four minutes', 'pour'],
}
const tyre = {
  name: 'Change a tyre',
  trigger: 'the bicycle has a flat tyre',
  steps: ['take the wheel out', 'lift the tyre off', 'put a new tube in'],
}
const mail = {
  name: 'Answer mail',
  trigger: 'a customer complains by mail',
  steps: ['read the whole mail', 'apologise', 'offer a refund'],
}

const openFolder = (path: string) => openEngine({ kernel, storage: nodeStorage(path), clock: () => NOW, seed: 1 })

/** Asserts that the call is refused with the code, and that nothing was learned by it. */
async function refuses(db: Agidb, code: string, call: () => Promise<unknown>) {
  const before = await db.whatDidILearn(0)
  await expect(call()).rejects.toMatchObject({ code })
  expect(await db.whatDidILearn(0)).toEqual(before)
}

describe('a procedure', () => {
  test('is what was learned, and how its executions went', async () => {
    const db = await openMemory()
    const episode = await db.observe('Sarah showed me how to make tea.')
    const id = await db.learnProcedure({
      ...tea,
      preconditions: ['there is water'],
      evidence: [episode, episode],
      session: 's1',
      source: 'chat',
    })
    expect(id).toMatch(/^pr_[0-9A-Z]{26}$/)
    const at = new Date(NOW).toISOString()
    const learned = {
      id,
      ...tea,
      preconditions: ['there is water'],
      executions: [],
      successes: 0,
      failures: 0,
      strength: 0.5,
      degraded: false,
      recordedAt: at,
      revisions: [],
      provenance: { source: 'chat', session: 's1', writer: 'agidb', episodes: [episode] },
    }
    expect(await db.getProcedure(id)).toEqual(learned)
    const once = await db.recordExecution(id, {
      success: true,
      trace: ['boiled', 'poured'],
      note: 'good',
      at: '2027-01-01',
    })
    expect(once).toMatchObject({ successes: 1, failures: 0, strength: 2 / 3 })
    expect(once.executions).toEqual([
      {
        id: expect.stringMatching(/^ex_[0-9A-Z]{26}$/),
        success: true,
        trace: ['boiled', 'poured'],
        note: 'good',
        at: '2027-01-01T00:00:00.000Z',
        recordedAt: at,
      },
    ])
    const twice = await db.recordExecution(id, { success: false })
    expect(twice).toMatchObject({ successes: 1, failures: 1, strength: 0.5 })
    expect(twice.executions[0]).toEqual(once.executions[0])
    expect(twice.executions[1]).toMatchObject({ success: false, trace: [], at, recordedAt: at })
    expect((await db.stats()).procedures).toBe(1)
  })

  test('is degraded when an episode that it was learned from is forgotten, and forgotten with the last', async () => {
    const db = await openMemory()
    const [first, second] = await db.observeMany([
      { text: 'Sarah showed me how to make tea.' },
      { text: 'So did Tom.' },
    ])
    const sound = await db.learnProcedure({ ...tea, name: 'Brew tea' })
    const id = await db.learnProcedure({ ...tea, evidence: [first, second] })
    for (let i = 0; i < 5; i++) await db.recordExecution(id, { success: true })
    const whole = await db.getProcedure(id)
    expect((await db.proceduresFor('a cup of tea')).map(({ id }) => id)).toEqual([id, sound])
    await db.remove(first)
    expect(await db.getProcedure(id)).toMatchObject({ degraded: true, provenance: { episodes: [second] } })
    expect((await db.proceduresFor('a cup of tea')).map(({ id }) => id)).toEqual([id, sound])
    const { auditId } = await db.remove(second)
    expect(await db.getProcedure(id)).toBeUndefined()
    expect((await db.proceduresFor('a cup of tea')).map(({ id }) => id)).toEqual([sound])
    expect((await db.stats()).procedures).toBe(1)
    await expect(db.recordExecution(id, { success: true })).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
    await db.restoreWithinWindow(auditId!)
    expect(await db.getProcedure(id)).toEqual({
      ...whole,
      degraded: true,
      provenance: { ...whole!.provenance, episodes: [second] },
    })
  })

  test('cannot be changed through an answer', async () => {
    const db = await openMemory()
    const steps = [...tea.steps]
    const id = await db.learnProcedure({ ...tea, steps })
    steps.push('drink')
    const shown = await db.recordExecution(id, { success: true, trace: ['boiled'] })
    const before = structuredClone(shown)
    for (const list of [shown.steps, shown.executions, shown.executions[0].trace, shown.provenance.episodes])
      (list as unknown[]).push('more')
    expect(await db.getProcedure(id)).toEqual(before)
  })

  test('with a name that is taken, in whatever spelling, is refused', async () => {
    const db = await openMemory()
    await db.learnProcedure(tea)
    await refuses(db, 'AGIDB_DUPLICATE_ID', () => db.learnProcedure({ ...mail, name: ' make  TEA ' }))
    // Of two that come at once, the first.
    const both = await Promise.allSettled([db.learnProcedure(mail), db.learnProcedure(mail)])
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  })
})

describe('the procedures for a cue', () => {
  test('are those whose trigger, name or steps fit it', async () => {
    const db = await openMemory()
    for (const procedure of [tea, tyre, mail]) await db.learnProcedure(procedure)
    for (const [cue, name] of [
      ['How do I fix a flat bicycle tyre?', tyre.name],
      ['I would like a cup of tea', tea.name],
      ['refund', mail.name],
      ['answer mail', mail.name],
    ]) {
      const found = await db.proceduresFor(cue)
      expect(
        found.map(({ name }) => name),
        cue,
      ).toEqual([name])
      expect(found[0].confidence).toBeGreaterThan(0.2)
      expect(found[0].confidence).toBeLessThanOrEqual(1)
    }
    expect(await db.proceduresFor('quantum chromodynamics')).toEqual([])
  })

  test('come in order of relevance times strength, at most k of them', async () => {
    const db = await openMemory()
    const ids = []
    for (const name of ['first', 'second', 'third']) ids.push(await db.learnProcedure({ ...tea, name }))
    const [first, second, third] = ids
    for (let i = 0; i < 8; i++) await db.recordExecution(first, { success: false })
    for (let i = 0; i < 8; i++) await db.recordExecution(third, { success: true })
    const found = await db.proceduresFor('a cup of tea')
    expect(found.map(({ id }) => id)).toEqual([third, second, first])
    const scores = found.map(({ confidence, strength }) => confidence * strength)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    expect((await db.proceduresFor('a cup of tea', { k: 1 })).map(({ id }) => id)).toEqual([third])
  })

  test('are copied only as far as they are answered', async () => {
    const db = await openMemory()
    for (let i = 0; i < 30; i++)
      await db.learnProcedure({ name: `deploy ${i}`, trigger: 'deploying the service', steps: ['push'] })
    const copied = vi.spyOn(globalThis, 'structuredClone')
    expect(await db.proceduresFor('deploying the service', { k: 2 })).toHaveLength(2)
    expect(copied.mock.calls.length).toBe(2)
    copied.mockRestore()
    await db.close()
  })

  test('of an empty memory are none', async () => {
    const db = await openMemory()
    expect(await db.proceduresFor('anything')).toEqual([])
  })
})

test('what is wrong is refused with a code, and changes nothing', async () => {
  const db = await openMemory({ limits: { nameBytes: 64, textBytes: 200, cueBytes: 200 } })
  const id = await db.learnProcedure(tea)
  const learn = (change: object) => () => db.learnProcedure({ ...mail, ...change } as never)
  const record = (outcome: unknown) => () => db.recordExecution(id, outcome as never)
  const long = 'x'.repeat(201)
  const cases: [string, () => Promise<unknown>][] = [
    ['AGIDB_INVALID_ARGUMENT', () => db.learnProcedure(undefined as never)],
    ['AGIDB_INVALID_ARGUMENT', () => db.learnProcedure('tea' as never)],
    ['AGIDB_UNKNOWN_OPTION', learn({ step: [] })],
    ['AGIDB_INVALID_ARGUMENT', learn({ name: undefined })],
    ['AGIDB_INVALID_ARGUMENT', learn({ name: ' ' })],
    ['AGIDB_TOO_LARGE', learn({ name: 'x'.repeat(65) })],
    ['AGIDB_INVALID_ARGUMENT', learn({ trigger: 7 })],
    ['AGIDB_INVALID_TEXT', learn({ trigger: '' })],
    ['AGIDB_INVALID_TEXT', learn({ trigger: 'half \ud800' })],
    ['AGIDB_INVALID_ARGUMENT', learn({ steps: 'boil' })],
    ['AGIDB_INVALID_ARGUMENT', learn({ steps: [] })],
    ['AGIDB_INVALID_ARGUMENT', learn({ steps: [1] })],
    ['AGIDB_INVALID_TEXT', learn({ steps: ['boil', ''] })],
    ['AGIDB_TOO_LARGE', learn({ steps: [long] })],
    ['AGIDB_TOO_LARGE', learn({ steps: Array(257).fill('boil') })],
    ['AGIDB_INVALID_ARGUMENT', learn({ preconditions: {} })],
    ['AGIDB_TOO_LARGE', learn({ preconditions: Array(257).fill('water') })],
    ['AGIDB_INVALID_ARGUMENT', learn({ evidence: 'ep_1' })],
    ['AGIDB_INVALID_ARGUMENT', learn({ evidence: [null] })],
    ['AGIDB_TOO_LARGE', learn({ evidence: Array(1001).fill('ep_1') })],
    ['AGIDB_NOT_FOUND', learn({ evidence: ['ep_1'] })],
    ['AGIDB_INVALID_ARGUMENT', learn({ session: 3 })],
    ['AGIDB_INVALID_ARGUMENT', learn({ source: '' })],
    ['AGIDB_NOT_FOUND', () => db.recordExecution('pr_1', { success: true })],
    ['AGIDB_INVALID_ARGUMENT', () => db.recordExecution(7 as never, { success: true })],
    ['AGIDB_INVALID_ARGUMENT', record(undefined)],
    ['AGIDB_INVALID_ARGUMENT', record({})],
    ['AGIDB_INVALID_ARGUMENT', record({ success: 1 })],
    ['AGIDB_UNKNOWN_OPTION', record({ success: true, when: 0 })],
    ['AGIDB_INVALID_ARGUMENT', record({ success: true, trace: 'boiled' })],
    ['AGIDB_INVALID_TEXT', record({ success: true, note: ' ' })],
    ['AGIDB_INVALID_TIME', record({ success: true, at: 'yesterday' })],
    ['AGIDB_INVALID_ARGUMENT', () => db.getProcedure(null as never)],
    ['AGIDB_INVALID_ARGUMENT', () => db.proceduresFor(undefined as never)],
    ['AGIDB_INVALID_TEXT', () => db.proceduresFor(' ')],
    ['AGIDB_TOO_LARGE', () => db.proceduresFor(long)],
    ['AGIDB_INVALID_ARGUMENT', () => db.proceduresFor('tea', { k: 0 })],
    ['AGIDB_INVALID_ARGUMENT', () => db.proceduresFor('tea', { k: 1.5 })],
    ['AGIDB_UNKNOWN_OPTION', () => db.proceduresFor('tea', { limit: 1 } as never)],
  ]
  for (const [code, call] of cases) await refuses(db, code, call)
  expect(await db.getProcedure('pr_1')).toBeUndefined()
  await db.close()
  await expect(db.learnProcedure(mail)).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
})

const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('observe' as const) }),
    fc.record({ do: fc.constant('reopen' as const) }),
    fc.record({ do: fc.constant('remove' as const), which: fc.nat(20) }),
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('learn' as const),
        name: fc.nat(6),
        evidence: fc.array(fc.nat(20), { maxLength: 2 }),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('record' as const), which: fc.nat(6), success: fc.boolean() }),
    },
  ),
  { maxLength: 30 },
)

test('procedures equal those of a naive model after any history with restarts', async () => {
  await fc.assert(
    fc.asyncProperty(steps, (history) =>
      withFolder(async (path) => {
        let db = await openFolder(path)
        const episodes: string[] = []
        const live = new Set<string>()
        const model = new Map<string, { id: string; evidence: string[]; outcomes: boolean[] }>()
        // Without any of its evidence it was never learned.
        const there = (name: string) => {
          const known = model.get(name)
          return known?.evidence.length === 0 || known?.evidence.some((id) => live.has(id)) ? known : undefined
        }
        for (const step of history) {
          if (step.do === 'observe') {
            const id = await db.observe(`episode ${episodes.length}`)
            episodes.push(id)
            live.add(id)
          } else if (step.do === 'reopen') {
            await db.close()
            db = await openFolder(path)
          } else if (step.do === 'remove') {
            const id = episodes[step.which]
            if (live.delete(id)) await db.remove(id)
          } else if (step.do === 'learn') {
            const evidence = step.evidence.map((i) => episodes[i] ?? 'ep_none')
            const expected = there(`p${step.name}`)
              ? 'AGIDB_DUPLICATE_ID'
              : evidence.every((id) => live.has(id))
                ? undefined
                : 'AGIDB_NOT_FOUND'
            const call = db.learnProcedure({
              name: `p${step.name}`,
              trigger: `when ${step.name}`,
              steps: ['do it'],
              evidence,
            })
            if (expected === undefined)
              model.set(`p${step.name}`, { id: await call, evidence: [...new Set(evidence)], outcomes: [] })
            else await expect(call).rejects.toMatchObject({ code: expected })
          } else {
            const known = there(`p${step.which}`)
            const call = db.recordExecution(known?.id ?? 'pr_none', { success: step.success })
            if (known === undefined) await expect(call).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
            else {
              known.outcomes.push(step.success)
              expect((await call).executions.map(({ success }) => success)).toEqual(known.outcomes)
            }
          }
          for (const [name, { id, evidence, outcomes }] of model) {
            if (there(name) === undefined) {
              expect(await db.getProcedure(id)).toBeUndefined()
              continue
            }
            const successes = outcomes.filter(Boolean).length
            expect(await db.getProcedure(id)).toMatchObject({
              name,
              successes,
              failures: outcomes.length - successes,
              strength: (1 + successes) / (2 + outcomes.length),
              degraded: evidence.some((id) => !live.has(id)),
              provenance: { episodes: evidence.filter((id) => live.has(id)) },
            })
          }
          expect((await db.stats()).procedures).toBe([...model.keys()].filter(there).length)
        }
        const found = await db.proceduresFor('when')
        await db.close()
        const again = await openFolder(path)
        expect(await again.proceduresFor('when')).toEqual(found)
        await again.close()
      }),
    ),
    { numRuns: runs() },
  )
})
