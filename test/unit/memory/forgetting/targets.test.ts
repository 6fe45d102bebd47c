import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { UnlearnTarget } from '../../../../src/api/forgetting.js'
import type { Engine } from '../../../../src/engine/engine.js'
import { Catalog } from '../../../../src/indexes/catalog.js'
import { listed, openMemory } from '../../engine/open.js'

/** A memory of two people, in two sessions, from two sources. */
let db: Engine
/** What the beliefs are called by their claims. */
let beliefs: Map<string, string>

beforeEach(async () => {
  db = await openMemory()
  const observe = (id: string, text: string, subject: string, object: string, context: object) =>
    db.observe(text, { id, triples: [{ subject, predicate: 'lives in', object }], ...context })
  await observe('tom', 'Tom lives in Oslo.', 'Tom', 'Oslo', { session: 's1', source: 'chat', speaker: 'Ann' })
  await observe('ann', 'Ann lives in Rome.', 'Ann', 'Rome', { session: 's1', source: 'mail', speaker: 'Bo' })
  await db.observe('Thomas bought a red bicycle.', { id: 'bicycle', session: 's2', source: 'chat', speaker: 'Ann' })
  await observe('name', 'Tom is also known as Thomas.', 'Tom', 'Thomas', {
    session: 's2',
    source: 'mail',
    speaker: 'Bo',
    triples: [{ subject: 'Tom', predicate: 'is also known as', object: 'Thomas' }],
  })
  beliefs = new Map()
  for (const [claim, subject, object, of] of [
    ['Tom lives in Oslo', 'Tom', 'Oslo', { session: 's1', source: 'chat' }],
    ['Ann lives in Rome', 'Ann', 'Rome', { session: 's2', source: 'mail' }],
  ] as const)
    beliefs.set(claim, await db.assertBelief({ claim, subject, predicate: 'lives in', object, confidence: 0.9, ...of }))
})
afterEach(() => db.close())

/** What is there, the same after a restore. */
async function there() {
  const held = await Promise.all([...beliefs].map(async ([claim, id]) => ((await db.getBelief(id)) ? [claim] : [])))
  return { episodes: (await listed(db)).map(({ id }) => id), beliefs: held.flat() }
}

const ALL = { episodes: ['tom', 'ann', 'bicycle', 'name'], beliefs: ['Tom lives in Oslo', 'Ann lives in Rome'] }

describe('the target', () => {
  test.each([
    'session',
    'source',
    'speaker',
  ])('{ %s } looks through the episodes as often for many names', async (of) => {
    const scans = vi.spyOn(Catalog.prototype, 'slots')
    const scansFor = async (names: readonly string[]) => {
      scans.mockClear()
      await db.unlearn({ [of]: names } as never, 'a try', { dryRun: true })
      return scans.mock.calls.length
    }
    const one = await scansFor(['s1'])
    expect(await scansFor(Array.from({ length: 100 }, (_, i) => `s${i}`))).toBe(one)
    scans.mockRestore()
  })

  test.each<[string, UnlearnTarget, typeof ALL]>([
    ['{ session }', { session: 's1' }, { episodes: ['bicycle', 'name'], beliefs: ['Ann lives in Rome'] }],
    ['{ session } with several', { session: ['s1', 's2'] }, { episodes: [], beliefs: [] }],
    ['{ source }', { source: 'chat' }, { episodes: ['ann', 'name'], beliefs: ['Ann lives in Rome'] }],
    ['{ speaker }', { speaker: 'Ann' }, { episodes: ['ann', 'name'], beliefs: ALL.beliefs }],
    [
      '{ filter }',
      { filter: { and: [{ session: 's2' }, { speaker: 'Ann' }] } as never },
      { episodes: ['tom', 'ann', 'name'], beliefs: ALL.beliefs },
    ],
    [
      '{ pattern }',
      { pattern: { subject: 'Tom', predicate: 'lives in' } },
      { episodes: ['ann', 'bicycle', 'name'], beliefs: ['Ann lives in Rome'] },
    ],
    [
      '{ concept } under all of its names',
      { concept: 'Thomas' },
      { episodes: ['ann'], beliefs: ['Ann lives in Rome'] },
    ],
    ['{ concept } that nothing names', { concept: 'Zoe' }, ALL],
    ['{ episode }', { episode: ['tom', 'name'] }, { episodes: ['ann', 'bicycle'], beliefs: ALL.beliefs }],
  ])('%s forgets what is meant and nothing else, and all comes back', async (_, target, left) => {
    const { auditId } = await db.unlearn(target, 'r')
    expect(await there()).toEqual(left)
    if (auditId !== undefined) await db.restoreWithinWindow(auditId)
    expect(await there()).toEqual(ALL)
  })

  test('{ belief } forgets a belief with its history; the episodes stay, and it comes back', async () => {
    const id = beliefs.get('Tom lives in Oslo')!
    await db.reviseBelief(id, 'tom')
    const history = await db.beliefHistory(id)
    const { auditId } = await db.unlearn({ belief: id }, 'r')
    expect(await there()).toEqual({ episodes: ALL.episodes, beliefs: ['Ann lives in Rome'] })
    await expect(db.beliefHistory(id)).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
    expect(JSON.stringify(await db.whatDidILearn(0))).not.toContain(id)
    await db.restoreWithinWindow(auditId!)
    expect(await there()).toEqual(ALL)
    expect(await db.beliefHistory(id)).toEqual(history)
  })
})
