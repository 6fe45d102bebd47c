import { describe, expect, test } from 'vitest'
import { AgidbError } from '../../../../src/base/errors.js'
import { Agidb } from '../../../../src/runtimes/node/index.js'
import { memoryStorage } from '../../../../src/storage/adapters/memory.js'
import { openMemory, withFolder } from '../../engine/open.js'
import { altered } from '../../storage/altered-adapter.js'

const START = Date.parse('2026-05-01T10:00:00Z')
const DAY = 86_400_000

async function memory() {
  const clock = { now: START }
  const db = await openMemory({ extract: 'none', clock: () => clock.now })
  return { db, clock }
}

describe('what is said of entries', () => {
  test('relations go both ways through get, and follow what supersedes their target', async () => {
    const { db } = await memory()
    const one = await db.entries.add('We use Postgres for the orders.')
    await db.entries.ingest('The load is 200 orders a minute.', { source: 'load.txt' })
    const [load] = await db.entries.browse({ source: 'load.txt' })
    await db.entries.relate(one.id, 'derived_from', load.id)
    await db.entries.relate(one.id, 'derived_from', load.id)
    expect((await db.entries.get(one.id))!.relations).toEqual([{ kind: 'derived_from', target: load.id }])
    await db.entries.ingest('The load is 900 orders a minute.', { source: 'load.txt' })
    const [now] = await db.entries.browse({ source: 'load.txt' })
    expect(now.content).toContain('900')
    expect((await db.entries.get(one.id))!.relations).toEqual([{ kind: 'derived_from', target: now.id }])
    expect((await db.entries.get(load.id))!.relations).toEqual([{ kind: 'superseded_by', target: now.id }])
    await db.entries.unrelate(one.id, 'derived_from', load.id)
    expect((await db.entries.get(one.id))!.relations).toEqual([])
    await expect(db.entries.unrelate(one.id, 'derived_from', load.id)).rejects.toMatchObject({
      code: 'AGIDB_NOT_FOUND',
    })
    await db.close()
  })

  test('promote and demote go a step, and what they say holds after opening again', async () => {
    await withFolder(async (path) => {
      const options = { path, extract: 'none', codebook: 'none' } as const
      let db = await Agidb.open(options)
      const { id } = await db.entries.add('The door code is 4711.', { perspectives: ['knowledge'] })
      expect((await db.entries.demote(id)).visibility).toBe('deep_only')
      expect((await db.recall('door code')).matches).toEqual([])
      await db.entries.update(id, { perspectives: ['knowledge', 'decisions'], tags: ['code'] })
      await db.close()
      db = await Agidb.open(options)
      expect(await db.entries.get(id)).toMatchObject({
        visibility: 'deep_only',
        perspectives: ['knowledge', 'decisions'],
        tags: ['code'],
      })
      expect((await db.recall('door code')).matches).toEqual([])
      expect((await db.entries.promote(id)).visibility).toBe('normal')
      expect((await db.recall('door code')).matches[0].id).toBe(id)
      await db.entries.setVisibility([id], 'always')
      expect((await db.entries.promote(id)).visibility).toBe('always')
      await db.close()
    })
  })

  test('an update with wrong tags or metadata is refused, so that the export can be read', async () => {
    const { db } = await memory()
    const { id } = await db.entries.add('The door code is 4711.', { tags: ['code'] })
    const code = 'AGIDB_INVALID_ARGUMENT'
    for (const tags of ['code', [1], [undefined]])
      await expect(db.entries.update(id, { tags: tags as unknown as string[] })).rejects.toMatchObject({ code })
    for (const metadata of ['n', [], { n: 1n }])
      await expect(db.entries.update(id, { metadata: metadata as never })).rejects.toMatchObject({ code })
    const tooMany = Array.from({ length: 10_000 }, (_, i) => `tag ${i}`)
    await expect(db.entries.update(id, { tags: tooMany })).rejects.toMatchObject({ code: 'AGIDB_TOO_LARGE' })
    const tooLong = { n: 'x'.repeat(1_000_000) }
    await expect(db.entries.update(id, { metadata: tooLong })).rejects.toMatchObject({ code: 'AGIDB_TOO_LARGE' })
    expect(await db.entries.get(id)).not.toHaveProperty('metadata')
    expect(await db.entries.update(id, { tags: ['a', 'a'], metadata: { n: 1 } })).toMatchObject({
      ...{ tags: ['a'], metadata: { n: 1 } },
    })
    expect(await db.entries.update(id, { tags: [], metadata: null })).not.toHaveProperty('tags')
    const { db: other } = await memory()
    await other.import(await db.export())
    expect(await other.entries.get(id)).toEqual(await db.entries.get(id))
    await Promise.all([db.close(), other.close()])
  })

  test('an update that the storage refuses changes neither the tags nor the visibility', async () => {
    let left = Infinity
    const storage = altered(memoryStorage(), ({ rows }) => ({
      rows: {
        ...rows,
        async commit(changes) {
          if (left-- <= 0) throw new AgidbError('AGIDB_QUOTA', 'the storage is full')
          return rows.commit(changes)
        },
      },
    }))
    const db = await openMemory({ extract: 'none', storage })
    const { id } = await db.entries.add('The door code is 4711.', { tags: ['code'] })
    const before = await db.entries.get(id)
    const patch = { tags: ['door'], perspectives: ['knowledge'], visibility: 'archived' } as const
    left = 0
    await expect(db.entries.update(id, patch)).rejects.toMatchObject({ code: 'AGIDB_QUOTA' })
    expect(await db.entries.get(id)).toEqual(before)
    // One commit is enough for all of it.
    left = 1
    expect(await db.entries.update(id, patch)).toMatchObject(patch)
    left = Infinity
    expect((await db.whatDidILearn(0, { kinds: ['entriesChanged'] })).length).toBe(1)
    await db.close()
  })

  test('an entry that was forgotten and comes again knows nothing of what was said before', async () => {
    const { db } = await memory()
    const { id } = await db.entries.add('The door code is 4711.')
    await db.entries.setVisibility(id, 'archived')
    await db.entries.remove(id)
    expect(await db.entries.get(id)).toBeUndefined()
    await db.entries.add('The door code is 4711.')
    expect((await db.entries.get(id))!.visibility).toBe('normal')
    expect((await db.entries.search('door code'))[0].entry.id).toBe(id)
    await db.close()
  })

  test('what is restored is seen as before', async () => {
    const { db } = await memory()
    const { id } = await db.entries.add('The door code is 4711.')
    await db.entries.setVisibility(id, 'archived')
    const { auditId } = await db.entries.remove(id)
    await db.restoreWithinWindow(auditId!)
    expect((await db.entries.get(id))!.visibility).toBe('archived')
    expect(await db.entries.search('door code')).toEqual([])
    await db.close()
  })
})

describe('aging', () => {
  test('hides what was not used for 30 days and is not significant, and promote shows it again', async () => {
    const { db, clock } = await memory()
    const used = await db.entries.add('The office kettle is descaled in May.')
    const idle = await db.entries.add('The printer is on the second floor.')
    const dear = await db.entries.add('Invoices are sent on Fridays.', {
      perspectives: ['decisions', 'temporal', 'people', 'knowledge', 'session'],
    })
    clock.now += 29 * DAY
    expect(await db.entries.aging.apply()).toEqual({ degraded: [], spared: 0 })
    await db.entries.search('descaled kettle', { k: 1 })
    await db.flush()
    clock.now += 2 * DAY
    expect(await db.entries.aging.apply()).toEqual({ degraded: [idle.id], spared: 1 })
    expect((await db.entries.get(used.id))!.visibility).toBe('normal')
    expect((await db.entries.get(dear.id))!.visibility).toBe('normal')
    expect((await db.entries.get(idle.id))!.visibility).toBe('deep_only')
    expect((await db.entries.search('printer floor')).map(({ entry }) => entry.id)).not.toContain(idle.id)
    expect((await db.entries.search('printer floor', { deep: true }))[0].entry.id).toBe(idle.id)
    expect((await db.whatDidILearn(0, { kinds: ['entriesChanged'] })).map(({ kind }) => kind)).toEqual([
      'entriesChanged',
    ])
    await db.entries.promote(idle.id)
    expect((await db.entries.search('printer floor'))[0].entry.id).toBe(idle.id)
    await db.close()
  })

  test('goes by its configuration, which wrong values leave as it was', async () => {
    const { db, clock } = await memory()
    await db.entries.add('The printer is on the second floor.')
    await expect(db.entries.aging.configure({ salienceProtection: 2 })).rejects.toMatchObject({
      code: 'AGIDB_INVALID_ARGUMENT',
    })
    expect(await db.entries.aging.configure({ degradeAfterDays: 1, degradeTo: 'archived' })).toEqual({
      degradeAfterDays: 1,
      degradeFrom: ['normal'],
      degradeTo: 'archived',
      salienceProtection: 0.15,
    })
    clock.now += DAY
    expect((await db.entries.aging.apply()).degraded).toHaveLength(1)
    expect(await db.entries.browse()).toEqual([])
    await db.close()
  })
})

describe('searches', () => {
  test('count as accesses, which raise salience and, a little, the score', async () => {
    const { db } = await memory()
    const { id } = await db.entries.add('The office kettle is descaled in May.')
    const [first] = await db.entries.search('kettle')
    expect(first).toMatchObject({ salience: 0 })
    await db.flush()
    expect((await db.entries.get(id))!.access).toMatchObject({
      hour: 1,
      total: 1,
      lastAccess: '2026-05-01T10:00:00.000Z',
    })
    const [second] = await db.entries.search('kettle')
    expect(second.salience).toBeCloseTo(0.5 * Math.tanh(0.81), 12)
    expect(second.score).toBeGreaterThan(first.score)
    await db.flush() // what was found so far is an event of its own
    await db.entries.add('A kettle in the cellar.')
    await db.entries.add('The kettle of the kettle museum, a kettle for kettles.')
    const ranked = (await db.entries.search('kettle museum')).map(({ entry }) => entry.id)
    await db.flush()
    const learned = await db.whatDidILearn(0)
    const noted = learned.flatMap((event) => (event.kind === 'entriesAccessed' ? [event.entries] : []))
    // In no order that would tell how they ranked.
    expect(ranked).toHaveLength(3)
    expect(noted.at(-1)).toEqual([...ranked].sort())
    const [pure] = await db.entries.search('kettle', { alpha: 0 })
    expect(pure.score).toBe(pure.similarity)
    await db.close()
  })
})

describe('searches of a storage that is full', () => {
  test('are answered, change nothing, and it is told that accesses are counted no more', async () => {
    let isFull = false
    const storage = altered(memoryStorage(), ({ rows }) => ({
      rows: {
        ...rows,
        async commit(changes) {
          if (isFull) throw new AgidbError('AGIDB_QUOTA', 'the storage is full')
          return rows.commit(changes)
        },
      },
    }))
    const db = await openMemory({ extract: 'none', storage })
    const { id } = await db.entries.add('The office kettle is descaled in May.')
    isFull = true
    expect((await db.entries.search('kettle'))[0].entry.id).toBe(id)
    await db.flush()
    expect((await db.stats()).opening).toContainEqual({
      kind: 'access-learning-failed',
      message: 'which entries searches found could not be learned: the storage is full',
      details: { code: 'AGIDB_QUOTA' },
    })
    expect((await db.entries.search('kettle'))[0]).toMatchObject({ entry: { id, access: { total: 0 } }, salience: 0 })
    await db.close()
  })
})

describe('perspectives', () => {
  test('the built-in ones are there, others come and go, and none is assigned by itself', async () => {
    const { db } = await memory()
    expect((await db.entries.perspectives()).map(({ id }) => id)).toEqual([
      'intentions',
      'people',
      'temporal',
      'knowledge',
      'decisions',
      'learnings',
      'session',
    ])
    await db.entries.definePerspective('kitchen', 'Kettles, coffee, dishes')
    const kettle = await db.entries.add('The kettle and the coffee machine stand beside the dishes.', {
      perspectives: ['kitchen'],
    })
    const other = await db.entries.add('Coffee, kettles and dishes are cleaned on Fridays.')
    const [suggested] = await db.entries.suggestPerspectives(other.id)
    expect(suggested.perspective).toBe('kitchen')
    expect((await db.entries.get(other.id))!.perspectives).toEqual([])
    expect((await db.entries.search('kettle', { perspective: 'kitchen' })).map(({ entry }) => entry.id)).toEqual([
      kettle.id,
    ])
    await expect(db.entries.definePerspective('people', 'x')).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
    await db.entries.removePerspective('kitchen')
    await expect(db.entries.removePerspective('kitchen')).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
    expect(await db.entries.perspectives()).toHaveLength(7)
    await db.close()
  })
})

describe('identity', () => {
  test('has what is most significant, open threads, learnings, and the other floors', async () => {
    const { db } = await memory()
    const core = await db.entries.add('Payments go through one ledger.', { perspectives: ['knowledge', 'decisions'] })
    const others = await Promise.all(
      ['a', 'b', 'c'].map((name) => db.entries.add(`Open question ${name} about the ledger.`)),
    )
    for (const { id } of others) await db.entries.relate(core.id, 'related_to', id)
    const learning = await db.entries.add('Retries without a key pay twice.', {
      perspectives: ['learnings'],
      type: 'meta',
    })
    await db.setGoal({ description: 'Move all payments to the ledger' })
    await db.assertBelief({ claim: 'The bank answers within a second', confidence: 0.8 })
    const identity = await db.entries.identity()
    expect(identity.core[0].entry.id).toBe(core.id)
    expect(identity.openThreads).toMatchObject([{ entry: { id: core.id }, reason: 'related' }])
    expect(identity.recentLearnings.map(({ id }) => id)).toEqual([learning.id])
    expect(identity.goals).toMatchObject([{ description: 'Move all payments to the ledger' }])
    expect(identity.beliefs).toMatchObject([{ claim: 'The bank answers within a second' }])
    expect(identity.centroids.map(({ perspective }) => perspective)).toEqual(['knowledge', 'decisions', 'learnings'])
    expect(identity.centroids[2].nearest).toEqual([learning.id])
    expect((await db.entries.search('ledger', { ongoing: true })).map(({ entry }) => entry.id)).toEqual([core.id])
    const priming = await db.entries.priming({ budgetTokens: 400 })
    expect(priming.text).toContain('Active goals:\n[1] "Move all payments to the ledger"')
    expect(priming.text).toContain('Core knowledge:\n[2] "Payments go through one ledger."')
    expect(priming.ids[1]).toBe(core.id)
    expect(priming.tokens).toBeLessThanOrEqual(400)
    expect((await db.entries.priming({ budgetTokens: 20 })).tokens).toBeLessThanOrEqual(20)
    await db.close()
  })
})
