import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { begin } from '../../../src/api/live-query.js'
import type { LiveQuery } from '../../../src/api/live.js'
import type { Database } from '../../../src/api/scope.js'
import type { Episode } from '../../../src/api/episode.js'
import type { Recall } from '../../../src/api/recall.js'
import { Agidb } from '../../../src/runtimes/node/index.js'

const opened: Database[] = []

async function open(): Promise<Database> {
  const db = await Agidb.open({ storage: 'memory', codebook: 'none', extract: 'none' })
  opened.push(db)
  return db
}

afterEach(async () => {
  for (const db of opened.splice(0)) await db.close()
})

async function nextOf<T>(query: LiveQuery<T>): Promise<T> {
  const { done, value } = await query.next()
  expect(done).toBe(false)
  return value as T
}

/** Whether a promise is still open after everything that is under way. */
async function waits(promise: Promise<unknown>): Promise<boolean> {
  let isOpen = true
  void promise.finally(() => (isOpen = false))
  await new Promise((resolve) => setTimeout(resolve, 50))
  return isOpen
}

const texts = ({ matches }: Recall) => matches.map(({ text }) => text)

describe('a live recall', () => {
  test('answers at once, and again when a change gives another answer', async () => {
    const db = await open()
    await db.observe('Sarah recommended Bawri, a thai place.')
    const query = db.live('thai place')
    expect(texts(await nextOf(query))).toEqual(['Sarah recommended Bawri, a thai place.'])
    const next = nextOf(query)
    expect(await waits(next)).toBe(true)
    const id = await db.observe('The thai place in Bandra closed.')
    expect(texts(await next)).toContain('The thai place in Bandra closed.')
    await db.unlearn({ episode: id }, 'test')
    expect(texts(await nextOf(query))).toEqual(['Sarah recommended Bawri, a thai place.'])
  })

  test('leaves an answer out that equals the last one', async () => {
    const db = await open()
    await db.observe('Sarah recommended Bawri, a thai place.')
    const query = db.live(() => db.activeGoals())
    expect(await nextOf(query)).toEqual([])
    const next = nextOf(query)
    await db.observe('The dentist moved to Hill Road.')
    expect(await waits(next)).toBe(true)
    await db.setGoal({ description: 'find a thai place' })
    expect((await next).map(({ description }) => description)).toEqual(['find a thai place'])
  })

  test.each<[string, (count: number) => unknown]>([
    ['a Map', (count) => new Map([['episodes', count]])],
    ['a Set', (count) => new Set([count])],
    ['a BigInt', (count) => BigInt(count)],
    ['a number that JSON has not', (count) => (count === 0 ? NaN : Infinity)],
    ['a Date', (count) => new Date(count)],
    ['numbers', (count) => Float32Array.of(count)],
    ['a DataView', (count) => ({ view: new DataView(Uint8Array.of(count).buffer) })],
  ])('tells answers apart that are or contain %s', async (_, answer) => {
    const db = await open()
    const query = db.live(async () => answer(await db.count()))
    expect(await nextOf(query)).toEqual(answer(0))
    const next = nextOf(query)
    await db.setGoal({ description: 'find a thai place' })
    expect(await waits(next)).toBe(true)
    await db.observe('One.')
    expect(await next).toEqual(answer(1))
  })

  test.each<[string, () => unknown]>([
    ['hide what they say', () => new Blob(['text'])],
    ['contain themselves', circle],
  ])('gives answers again after each change that %s', async (_, answer) => {
    const db = await open()
    const query = db.live(async () => ({ answer: answer() }))
    await nextOf(query)
    await db.observe('One.')
    await nextOf(query)
  })

  test('gives one answer for all changes since the last one', async () => {
    const db = await open()
    const query = db.live(() => db.count())
    expect(await nextOf(query)).toBe(0)
    for (let i = 0; i < 50; i++) await db.observe(`Turn ${i} of a conversation.`)
    expect(await nextOf(query)).toBe(50)
    expect(await waits(query.next())).toBe(true)
  })

  test('teaches the memory nothing', async () => {
    const db = await Agidb.open({ storage: 'memory', codebook: 'none', extract: 'none', learnFromRecall: true })
    opened.push(db)
    await db.observeMany([{ text: 'The blue kettle is broken.' }, { text: 'The blue kettle was new.' }])
    const query = db.live('blue kettle')
    await nextOf(query)
    await db.flush()
    const learned = await db.whatDidILearn(0)
    expect(learned.filter(({ kind }) => kind === 'recallsLearned')).toEqual([])
  })

  test('follows statements that are read out of a text after it was stored', async () => {
    const db = await Agidb.open({ storage: 'memory', codebook: 'none' })
    opened.push(db)
    const listed = newestOf(db.live({}))
    await db.observe('Sarah works at Bosch in Porto.', { speaker: 'Tom' })
    await expect.poll(() => listed.newest?.[0]?.triples.length ?? 0).toBeGreaterThan(0)
  })

  test('rejects with what is wrong with the question, and is over then', async () => {
    const db = await open()
    const query = db.live('thai place', { k: 0 })
    await expect(query.next()).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
    expect(await query.next()).toEqual({ done: true, value: undefined })
    await expect(db.live(7 as never).next()).rejects.toThrow('live takes a cue')
    for (const options of [null, 5, 'k', []] as object[])
      for (const question of [db.live('thai place', options), db.live({}, options)])
        await expect(question.next()).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
    await expect(db.live({ limit: 0 }).next()).rejects.toThrow('limit')
    const ordered = { order: 'newest' } as object
    await expect(db.live(ordered).next()).rejects.toMatchObject({ details: { option: 'order' } })
    await expect(db.live({ after: 'x' } as object).next()).rejects.toThrow('no after')
  })
})

test('a live query can begin after an import replaced the memory', async () => {
  const db = await open()
  await db.observe('Sarah recommended Bawri, a thai place.')
  await db.import(await new Response(await db.export()).blob(), { replace: true })
  expect(texts(await nextOf(db.live('thai place')))).toEqual(['Sarah recommended Bawri, a thai place.'])
})

describe('a live query ends', () => {
  test('when it is left', async () => {
    const db = await open()
    await db.observe('One.')
    let seen = 0
    for await (const _ of db.live('one')) if (++seen === 1) break
    await db.observe('One more.')
    expect(seen).toBe(1)
  })

  test('by its signal, also while it waits', async () => {
    const db = await open()
    const controller = new AbortController()
    const query = db.live(() => db.count(), { signal: controller.signal })
    await query.next()
    const next = query.next()
    controller.abort()
    expect(await next).toEqual({ done: true, value: undefined })
  })

  test('when the memory is closed, those of its scopes with it', async () => {
    const db = await open()
    const queries = [db.live('one'), db.scope({ user: 'ann' }).live('one')]
    for (const query of queries) await query.next()
    const next = queries.map((query) => query.next())
    await db.close()
    expect(await Promise.all(next)).toEqual(next.map(() => ({ done: true, value: undefined })))
    await expect(db.live('one').next()).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
  })

  test('when the memory or its scope is closed right after it began', async () => {
    const db = await open()
    for (const memory of [db.scope({ user: 'ann' }), db]) {
      const next = memory.live('one').next()
      await memory.close()
      expect(await next).toEqual({ done: true, value: undefined })
    }
  })
})

test('a live list has the newest episodes that pass a filter, through updates and removals', async () => {
  const db = await open()
  await db.observeMany(['a', 'b', 'c'].map((id) => ({ id, text: `Turn ${id}.`, session: id === 'b' ? 'two' : 'one' })))
  const query = db.live({ session: 'one', limit: 2 })
  const ids = async () => (await nextOf(query)).map(({ id }) => id)
  expect(await ids()).toEqual(['a', 'c'])
  await db.observe('Turn d.', { id: 'd', session: 'one' })
  expect(await ids()).toEqual(['c', 'd'])
  await db.update('b', { session: 'one' })
  await db.remove('d')
  expect(await ids()).toEqual(['b', 'c'])
})

test('a live list goes on when its last episode is removed while the later ones are read', async () => {
  const db = await open()
  await db.observeMany(['a', 'b'].map((id) => ({ id, text: `Turn ${id}.` })))
  const removeOnce = async () => (await db.getEpisode('b')) && (await db.remove('b'))
  const removing: Agidb = {
    ...db,
    async *episodes(options) {
      if (options?.after !== undefined) await removeOnce()
      yield* db.episodes(options)
    },
  }
  const query = begin(removing, {}, {}, () => {}) as LiveQuery<readonly Episode[]>
  const ids = async () => (await nextOf(query)).map(({ id }) => id)
  expect(await ids()).toEqual(['a', 'b'])
  await db.observe('Turn c.', { id: 'c' })
  expect(await ids()).toEqual(['a', 'c'])
  await db.observe('Turn d.', { id: 'd' })
  expect(await ids()).toEqual(['a', 'c', 'd'])
})

test('a live list goes on when an import replaces the memory while it is listed', async () => {
  const other = await open()
  await other.observe('Turn b.', { id: 'b' })
  const exported = new Uint8Array(await new Response(await other.export()).arrayBuffer())
  const db = await open()
  await db.observe('Turn a.', { id: 'a' })
  let isReplaced = false
  const replaced: Agidb = {
    ...db,
    async *episodes(options) {
      for await (const page of db.episodes(options)) {
        yield page
        if (!isReplaced) await db.import(exported, { replace: true })
        isReplaced = true
      }
    },
  }
  const query = begin(replaced, {}, {}, () => {}) as LiveQuery<readonly Episode[]>
  expect((await nextOf(query)).map(({ id }) => id)).toEqual(['b'])
})

test('after any history the last answer of a live query is that of a fresh question', async () => {
  const words = fc.constantFrom('thai', 'place', 'dentist', 'bike', 'kettle', 'rent')
  const step = fc.oneof(
    fc.record({ kind: fc.constant('observe' as const), text: fc.array(words, { minLength: 1, maxLength: 4 }) }),
    fc.record({ kind: fc.constant('update' as const), which: fc.nat(20), text: fc.array(words, { minLength: 1 }) }),
    fc.record({ kind: fc.constant('remove' as const), which: fc.nat(20) }),
    fc.record({ kind: fc.constant('restore' as const) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const db = await Agidb.open({ storage: 'memory', codebook: 'none', extract: 'none' })
      try {
        await db.observe('thai place')
        const [recalled, listed] = [newestOf(db.live('thai place')), newestOf(db.live({ limit: 3 }))]
        const audits: string[] = []
        for (const one of steps) {
          const ids = (await all(db)).map(({ id }) => id)
          const id = ids[('which' in one ? one.which : 0) % ids.length]
          if (one.kind === 'observe') await db.observe(one.text.join(' '))
          else if (one.kind === 'update') await db.update(id, { text: one.text.join(' ') })
          else if (one.kind === 'remove' && ids.length > 1) audits.push((await db.remove(id)).auditId!)
          else if (one.kind === 'restore' && audits.length > 0) await db.restoreWithinWindow(audits.pop()!)
        }
        const fresh = await db.recall('thai place')
        await expect.poll(() => recalled.newest?.matches).toEqual(fresh.matches)
        await expect.poll(() => listed.newest).toEqual((await all(db)).slice(-3))
      } finally {
        await db.close()
      }
    }),
    { numRuns: 25 },
  )
})

function circle(): unknown {
  const round: Record<string, unknown> = {}
  return (round.again = round)
}

async function all(db: Database) {
  const found = []
  for await (const page of db.episodes()) found.push(...page)
  return found
}

/** Reads a live query to its end; `newest` is the answer that came last. */
function newestOf<T>(query: LiveQuery<T>): { readonly newest?: T } {
  const read: { newest?: T } = {}
  void (async () => {
    for await (const answer of query) read.newest = answer
  })()
  return read
}
