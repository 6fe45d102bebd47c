import { afterEach, describe, expect, test } from 'vitest'
import type { MemoryChange } from '../../../../src/api/change.js'
import { AgidbError } from '../../../../src/base/errors.js'
import type { SharedDatabase } from '../../../../src/rpc/tabs/share.js'
import { listed, openMemory } from '../../../unit/engine/open.js'
import { Disk } from '../../../unit/rpc/tabs/disk.js'
import { Origin } from '../../../unit/rpc/tabs/origin.js'
import { openTab, type TestTab } from '../../../unit/rpc/tabs/tab.js'

let origin = new Origin()
let disk = new Disk()
let tabs: TestTab[] = []

async function tab(options: Parameters<typeof openTab>[2] = {}): Promise<TestTab> {
  const opened = await openTab(origin, disk, options)
  tabs.push(opened)
  return opened
}

afterEach(async () => {
  for (const { db, place } of tabs) if (!place.isDead) await db.close()
  tabs = []
  origin = new Origin()
  disk = new Disk()
})

const role = async ({ db }: TestTab) => (await db.stats()).role
const items = (count: number) => Array.from({ length: count }, (_, i) => ({ text: `note number ${i}` }))

async function failure(call: Promise<unknown>): Promise<AgidbError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(AgidbError)
  return error as AgidbError
}

describe('two tabs', () => {
  test('an argument that no method has changes nothing', async () => {
    const observed: string[][] = []
    for (const { db } of [await tab(), await tab()]) {
      const observeMany = db.observeMany as (...args: unknown[]) => Promise<string[]>
      observed.push(await observeMany(items(3), {}, 2))
    }
    expect(observed.map(({ length }) => length)).toEqual([3, 3])
    expect(await listed(tabs[0].db)).toHaveLength(6)
  })

  test('one owns the database, the other calls it; both see the same', async () => {
    const [one, two] = [await tab({ writer: 'one' }), await tab({ writer: 'two' })]
    expect([await role(one), await role(two)]).toEqual(['owner', 'client'])
    const first = await one.db.observe('Sarah recommended Bawri.')
    const second = await two.db.observe('The valve was opened.')
    expect(await two.db.getEpisode(first)).toMatchObject({ provenance: { writer: 'one' } })
    expect(await one.db.getEpisode(second)).toMatchObject({ provenance: { writer: 'two' } })
    expect((await two.db.recall('what did Sarah recommend?')).matches[0].id).toBe(first)
    const goal = await two.db.setGoal({ description: 'eat' })
    expect((await one.db.getGoal(goal))?.provenance.writer).toBe('two')
    const belief = await two.db.assertBelief({ claim: 'Bawri is good' })
    expect((await one.db.getBelief(belief))?.provenance.writer).toBe('two')
  })

  test('a closed owner hands over', async () => {
    const [one, two, three] = [await tab(), await tab(), await tab()]
    await one.db.observe('kept')
    await one.db.close()
    expect((await two.db.stats()).episodes).toBe(1)
    expect((await three.db.stats()).episodes).toBe(1)
    expect([await role(two), await role(three)].sort()).toEqual(['client', 'owner'])
    expect((await failure(one.db.stats())).code).toBe('AGIDB_CLOSED')
  })

  test('each is told of every change, and whether it was its own; nobody twice', async () => {
    const [one, two] = [await tab({ writer: 'one' }), await tab({ writer: 'two' })]
    const told: MemoryChange[][] = [[], []]
    const ends = [one, two].map(({ db }, i) => db.subscribe((change) => told[i].push(change)))
    const a = await one.db.observe('a')
    const b = await two.db.observe('b')
    await two.db.supersede(a, b)
    const goal = await one.db.setGoal({ description: 'g' })
    await expect.poll(() => told.map(({ length }) => length)).toEqual([4, 4])
    const expected = [
      ['episodeStored', [a], 'one'],
      ['episodeStored', [b], 'two'],
      ['episodeSuperseded', [a, b], 'two'],
      ['goalSet', [goal, expect.any(String)], 'one'],
    ]
    told.forEach((changes, i) => {
      expect(changes.map(({ kind, ids, writer }) => [kind, ids, writer])).toEqual(expected)
      expect(changes.map(({ own }) => own)).toEqual([0, 1, 1, 0].map((whose) => whose === i))
    })
    ends[1]()
    ends[1]()
    await one.db.observe('c')
    await expect.poll(() => told[0].length).toBe(5)
    expect(told[1]).toHaveLength(4)
    expect(() => two.db.subscribe(undefined as never)).toThrow(
      expect.objectContaining({ code: 'AGIDB_INVALID_ARGUMENT' }),
    )
  })

  test('errors cross with code and details; what was refused had no effect', async () => {
    const [one, two] = [await tab(), await tab()]
    for (const attempt of [
      (db: SharedDatabase) => db.observe('  '),
      (db: SharedDatabase) => db.observe('x', { colour: 1 } as object),
      (db: SharedDatabase) =>
        db.observeMany([
          { text: 'a', id: 'same' },
          { text: 'b', id: 'same' },
        ]),
      (db: SharedDatabase) => db.observeMany(undefined as never),
      (db: SharedDatabase) => db.observeMany([null as never]),
      (db: SharedDatabase) => db.recall('x', { k: 0 }),
      (db: SharedDatabase) => db.supersede('no', 'body'),
      (db: SharedDatabase) => db.reviseGoal('nobody', {}),
      (db: SharedDatabase) => db.episodes({ limit: -1 })[Symbol.asyncIterator]().next(),
    ]) {
      const { code, message, details } = await failure(attempt(one.db))
      expect(await failure(attempt(two.db))).toMatchObject({ code, message, details })
    }
    expect((await two.db.stats()).episodes).toBe(0)
  })

  test('progress and aborts cross', async () => {
    await tab()
    const two = await tab()
    const controller = new AbortController()
    const seen: number[] = []
    const onProgress = ({ done }: { done: number }) => {
      seen.push(done)
      controller.abort()
    }
    const error = await failure(two.db.observeMany(items(3000), { signal: controller.signal, onProgress }))
    const { episodes } = await two.db.stats()
    expect(error).toMatchObject({ code: 'AGIDB_ABORTED', details: { observed: episodes } })
    expect(episodes).toBeGreaterThanOrEqual(seen[0])
    expect(episodes).toBeLessThan(3000)
  })

  test('a loop over episodes goes on when the owner changes', async () => {
    const [one, two] = [await tab(), await tab()]
    await one.db.observeMany(items(25))
    const texts: string[] = []
    for await (const page of two.db.episodes({ limit: 10 })) {
      if (texts.length === 0) one.place.die()
      texts.push(...page.map(({ text }) => text))
    }
    expect(texts).toEqual(items(25).map(({ text }) => text))
  })

  test('a tab that closes waits for its calls, and one that cannot open says why', async () => {
    await tab()
    const two = await tab()
    const call = two.db.observe('just before closing')
    await two.db.close()
    expect(await call).toMatch(/^ep_/)
    const place = origin.place()
    disk.before = () => {}
    const broken = () => Promise.reject(new AgidbError('AGIDB_CORRUPT', 'torn'))
    const other = await import('../../../../src/rpc/tabs/share.js')
    const error = await failure(other.share({ name: 'other', place, open: broken, writer: 'w', readOnly: false }))
    expect(error.code).toBe('AGIDB_CORRUPT')
  })
})

describe('taking over', () => {
  /** Holds the opening of the disk until it is called. */
  const held = (): (() => void) => {
    let open = (): void => {}
    disk.ready = new Promise((resolve) => (open = resolve))
    return open
  }

  test('a tab that waits prepares to be the owner, once; the owner has no need to', async () => {
    const prepared: string[] = []
    const preparing = (name: string) => ({ prepare: async () => void prepared.push(name) })
    await tab(preparing('one'))
    const two = await tab(preparing('two'))
    await expect.poll(() => prepared, { timeout: 30_000 }).toEqual(['two'])
    await two.db.observe('a')
    const three = await tab({ prepare: () => Promise.reject(new Error('what is wrong shows when it is needed')) })
    await three.db.observe('b')
    expect(prepared).toEqual(['two'])
  })

  test('calls are with the next owner before it has the database open; it answers them once it has', async () => {
    const [one, two, three] = [await tab(), await tab(), await tab()]
    const sent: { readonly kind: string; readonly term: string }[] = []
    three.place.posts = (message) => sent.push(message as (typeof sent)[number])
    const terms = (kind: string) => new Set(sent.flatMap((message) => (message.kind === kind ? [message.term] : [])))
    const open = held()
    one.place.die()
    const observed = three.db.observe('while it opens')
    const controller = new AbortController()
    const aborted = failure(three.db.observeMany(items(5), { signal: controller.signal }))
    // First of the owner that is dead.
    await expect.poll(() => terms('call').size, { timeout: 30_000 }).toBe(2)
    controller.abort()
    expect(terms('abort').size).toBe(2)
    await expect.poll(() => sent.at(-1)?.kind, { timeout: 30_000 }).toBe('hello')
    open()
    expect((await aborted).code).toBe('AGIDB_ABORTED')
    expect((await listed(two.db)).map(({ id }) => id)).toEqual([await observed])
  })

  test('when the one that opens dies, the calls that it was given are those of the next', async () => {
    const tabs = [await tab(), await tab(), await tab(), await tab()]
    const asked: number[] = []
    const last = tabs[3]
    last.place.posts = (message) => (message as { readonly kind: string }).kind === 'call' && asked.push(1)
    const open = held()
    tabs[0].place.die()
    const observed = last.db.observe('once')
    await expect.poll(() => asked.length, { timeout: 30_000 }).toBeGreaterThan(0)
    const before = asked.length
    tabs[1].place.die()
    await expect.poll(() => asked.length, { timeout: 30_000 }).toBeGreaterThan(before)
    open()
    const id = await observed
    expect((await listed(tabs[2].db)).map(({ id }) => id)).toEqual([id])
  })
})

describe('a call in flight when its owner dies', () => {
  /** What each writing call does, and how to see how often it was done. */
  const CALLS: Record<
    string,
    {
      prepare?: (db: SharedDatabase) => Promise<string>
      call: (db: SharedDatabase, of: string) => Promise<unknown>
      done: (db: SharedDatabase, of: string) => Promise<number>
    }
  > = {
    observe: { call: (db) => db.observe('once'), done: async (db) => (await db.stats()).episodes },
    'observe with an id': {
      call: (db) => db.observe('once', { id: 'mine' }),
      done: async (db) => (await db.stats()).episodes,
    },
    observeMany: { call: (db) => db.observeMany(items(3)), done: async (db) => (await db.stats()).episodes / 3 },
    supersede: {
      prepare: (db) => db.observe('old', { id: 'old' }),
      call: async (db) => db.supersede('old', await db.observe('new', { id: 'new' }).catch(() => 'new')),
      done: async (db) => ((await db.getEpisode('old'))?.superseded ? 1 : 0),
    },
    observeSensory: {
      call: (db) => db.observeSensory({ modality: 'text', text: 'Roger.' }),
      done: async (db) => (await db.workingState()).observed,
    },
    setGoal: { call: (db) => db.setGoal({ description: 'g' }), done: async (db) => (await db.activeGoals()).length },
    reviseGoal: {
      prepare: (db) => db.setGoal({ description: 'g' }),
      call: (db, id) => db.reviseGoal(id, { description: 'h' }),
      done: async (db) => (await db.whatDidILearn(0, { kinds: ['goalRevised'] })).length,
    },
    pauseGoal: {
      prepare: (db) => db.setGoal({ description: 'g' }),
      call: (db, id) => db.pauseGoal(id, 'rest'),
      done: async (db, id) => (await db.getGoal(id))!.history.length,
    },
    abandonGoal: {
      prepare: (db) => db.setGoal({ description: 'g' }),
      call: (db, id) => db.abandonGoal(id, 'no'),
      done: async (db, id) => (await db.getGoal(id))!.history.length,
    },
    assertBelief: { call: (db) => db.assertBelief({ claim: 'c' }), done: async (db) => (await db.stats()).beliefs },
    reviseBelief: {
      prepare: async (db) => {
        await db.observe('it is red', { id: 'evidence', triples: [{ subject: 'it', predicate: 'is', object: 'red' }] })
        return db.assertBelief({ claim: 'it is red', subject: 'it', predicate: 'is', object: 'red' })
      },
      call: (db, id) => db.reviseBelief(id, 'evidence'),
      done: async (db) => (await db.whatDidILearn(0, { kinds: ['beliefRevised'] })).length,
    },
    withdrawBelief: {
      prepare: (db) => db.assertBelief({ claim: 'c' }),
      call: (db, id) => db.withdrawBelief(id, 'no'),
      done: async (db) => (await db.whatDidILearn(0, { kinds: ['beliefWithdrawn'] })).length,
    },
    learnProcedure: {
      call: (db) => db.learnProcedure({ name: 'n', trigger: 't', steps: ['s'] }),
      done: async (db) => (await db.stats()).procedures,
    },
    recordExecution: {
      prepare: (db) => db.learnProcedure({ name: 'n', trigger: 't', steps: ['s'] }),
      call: (db, id) => db.recordExecution(id, { success: true }),
      done: async (db) => (await db.whatDidILearn(0, { kinds: ['procedureExecuted'] })).length,
    },
  }

  for (const [name, { prepare, call, done }] of Object.entries(CALLS)) {
    for (const when of ['before', 'after'] as const) {
      test(`${name} takes effect once, if it dies ${when} the commit`, async () => {
        const [one, two, three] = [await tab(), await tab(), await tab()]
        const of = (await prepare?.(two.db)) ?? ''
        const left = name === 'supersede' ? 2 : 1
        disk.dieIn(left, when)
        const answer = await call(two.db, of)
        expect(one.place.isDead).toBe(true)
        expect(await done(three.db, of)).toBe(1)
        // The answer is as it would have been.
        if (name.endsWith('Goal') && of !== '') expect(answer).toEqual(await two.db.getGoal(of))
        else if (name === 'recordExecution') expect(answer).toEqual(await two.db.getProcedure(of))
        else if (name === 'setGoal') expect((await two.db.getGoal(answer as string))?.id).toBe(answer)
        else if (name === 'observeMany') expect((await listed(two.db)).map(({ id }) => id)).toEqual(answer)
        else if (name === 'reviseBelief')
          expect(answer).toMatchObject({ contradicted: false, revision: { verdict: 'supports' } })
      })
    }
  }

  test('a long observeMany goes on where it was: every id once, in order, and progress to the end', async () => {
    await tab()
    const two = await tab()
    disk.dieIn(2, 'after')
    const progress: number[] = []
    const ids = await two.db.observeMany(items(1000), { onProgress: ({ done }) => progress.push(done) })
    const found = await listed(two.db)
    expect(found.map(({ id }) => id)).toEqual(ids)
    expect(found.map(({ text }) => text)).toEqual(items(1000).map(({ text }) => text))
    expect(progress.at(-1)).toBe(1000)
    expect(progress).toEqual(progress.toSorted((a, b) => a - b))
  })

  test('an id that was taken before is still refused', async () => {
    const [one, two] = [await tab(), await tab()]
    await one.db.observe('first', { id: 'taken' })
    disk.dieIn(1, 'before')
    const [ok, refused] = await Promise.allSettled([two.db.observe('x'), two.db.observe('second', { id: 'taken' })])
    expect(ok.status).toBe('fulfilled')
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'AGIDB_DUPLICATE_ID' } })
    expect((await two.db.getEpisode('taken'))?.text).toBe('first')
  })

  test('with everything in flight at once', async () => {
    await tab()
    const [two, three] = [await tab(), await tab()]
    disk.dieIn(3, 'after')
    const ids = await Promise.all(
      [two, three].flatMap(({ db }) => Array.from({ length: 300 }, (_, i) => db.observe(`note ${i}`))),
    )
    expect(new Set(ids).size).toBe(600)
    expect((await listed(two.db)).map(({ id }) => id).sort()).toEqual(ids.sort())
  })
})

describe('an import through another tab', () => {
  /** What is exported of a memory with so many notes. */
  async function exported(count: number): Promise<Uint8Array> {
    const db = await openMemory()
    await db.observeMany(items(count))
    const bytes = new Uint8Array(await new Response(await db.export()).arrayBuffer())
    await db.close()
    return bytes
  }

  test('takes the place of all, of which every tab is told', async () => {
    const [one, two] = [await tab(), await tab({ writer: 'two' })]
    await one.db.observe('gone')
    const told: MemoryChange[] = []
    one.db.subscribe((change) => told.push(change))
    const bytes = await exported(3)
    expect((await failure(two.db.import(bytes))).code).toBe('AGIDB_NOT_EMPTY')
    expect(await two.db.import(bytes, { replace: true })).toMatchObject({ episodes: 3 })
    expect((await listed(one.db)).map(({ text }) => text)).toEqual(items(3).map(({ text }) => text))
    await expect
      .poll(() => told, { timeout: 30_000 })
      .toEqual([{ kind: 'memoryImported', ids: [], slot: -1, writer: 'two', from: expect.any(String), own: false }])
    const lines = new TextEncoder().encode('{"text":"a line"}\n')
    await two.db.import(lines, { replace: true })
    expect((await listed(one.db))[0]).toMatchObject({ provenance: { writer: 'two' } })
  })

  test.each([
    'before',
    'after',
  ] as const)('takes effect once if the leader dies %s its commit, and its retry is not refused', async (when) => {
    const [one, two, three] = [await tab(), await tab(), await tab()]
    disk.dieIn(1, when)
    const report = await two.db.import(await exported(600))
    expect(one.place.isDead).toBe(true)
    expect(report).toMatchObject({ format: 'agidb', episodes: 600 })
    await three.db.observe('afterwards', { id: 'after' })
    expect((await listed(two.db)).map(({ text }) => text)).toEqual([
      ...items(600).map(({ text }) => text),
      'afterwards',
    ])
    // A second one is another call.
    expect((await failure(two.db.import(await exported(1)))).code).toBe('AGIDB_NOT_EMPTY')
  })

  test('keeps the receipts of what was done before it', async () => {
    const [one, two, three] = [await tab(), await tab(), await tab()]
    await one.db.observe('the owner needs none')
    await two.db.observe('done, and not yet known to be')
    await three.db.import(await exported(2), { replace: true })
    expect(disk.count(3)).toBe(2)
    two.place.die()
    three.place.die()
    await expect.poll(async () => (await one.db.observe('next'), disk.count(3)), { timeout: 30_000 }).toBe(0)
  })

  test('that is aborted, on its way or in its midst, changes nothing', async () => {
    const [one, two] = [await tab(), await tab()]
    await one.db.observe('stays')
    const bytes = await exported(2_000)
    const onTheWay = new AbortController()
    async function* stalling(): AsyncGenerator<Uint8Array> {
      yield bytes.subarray(0, 1_000)
      onTheWay.abort()
      await new Promise(() => {})
    }
    expect((await failure(two.db.import(stalling(), { replace: true, signal: onTheWay.signal }))).code).toBe(
      'AGIDB_ABORTED',
    )
    const midst = new AbortController()
    expect(
      (await failure(two.db.import(bytes, { replace: true, signal: midst.signal, onProgress: () => midst.abort() })))
        .code,
    ).toBe('AGIDB_ABORTED')
    expect((await listed(two.db)).map(({ text }) => text)).toEqual(['stays'])
    expect(await two.db.import(bytes, { replace: true })).toMatchObject({ episodes: 2_000 })
  })

  test('of an export through another tab, plain or encrypted, brings all of it', async () => {
    const [one, two] = [await tab(), await tab()]
    await one.db.observeMany(items(1_500))
    for (const passphrase of [undefined, 'a long passphrase']) {
      const bytes = new Uint8Array(
        await new Response(await two.db.export(passphrase === undefined ? {} : { passphrase })).arrayBuffer(),
      )
      const other = await openMemory()
      await other.import(bytes, { passphrase })
      expect(await listed(other)).toEqual(await listed(one.db))
      await other.close()
    }
  })
})

test('receipts go when their answers have come, and when their tabs have gone', async () => {
  const RECEIPT = 3
  const [one, two] = [await tab(), await tab()]
  await one.db.observe('no receipt: nobody asks the owner again')
  expect(disk.count(RECEIPT)).toBe(0)
  for (let i = 0; i < 10; i++) await two.db.observe(`note ${i}`)
  expect(disk.count(RECEIPT)).toBe(1)
  const [kept] = [...disk.rows.values()].filter(({ row }) => row[0] === RECEIPT)
  const { answers } = JSON.parse(new TextDecoder().decode(kept.row.subarray(1))) as { answers: unknown[] }
  expect(answers).toHaveLength(1)
  two.place.die()
  await expect.poll(async () => (await one.db.observe('next'), disk.count(RECEIPT))).toBe(0)
  await one.db.close()
  expect(disk.count(RECEIPT)).toBe(0)
})

test('receipts of tabs that died with their owner go at the next opening', async () => {
  const [one, two] = [await tab(), await tab()]
  await two.db.observe('a')
  two.place.die()
  one.place.die()
  expect(disk.count(3)).toBe(1)
  const three = await tab()
  await expect.poll(async () => (await three.db.observe('b'), disk.count(3))).toBe(0)
})

describe('an owner that is asleep', () => {
  test('is deposed; while it holds the files whoever waits is told, and when it wakes it lets go', async () => {
    const [one, two] = [await tab(), await tab()]
    await one.db.observe('before')
    one.place.sleep()
    const error = await failure(two.db.observe('while it sleeps'))
    expect(error.code).toBe('AGIDB_IN_USE')
    one.place.wake()
    await expect
      .poll(
        () =>
          two.db.observe('after', { id: 'after' }).then(
            () => true,
            ({ code }: AgidbError) => code === 'AGIDB_DUPLICATE_ID',
          ),
        { interval: 50 },
      )
      .toBe(true)
    expect((await one.db.stats()).episodes).toBe((await two.db.stats()).episodes)
    expect([await role(one), await role(two)].sort()).toEqual(['client', 'owner'])
  })

  test('and wakes soon after it was deposed: whoever waits is not refused', async () => {
    const [one, two] = [await tab(), await tab()]
    await one.db.observe('before')
    one.place.sleep()
    const observed = two.db.observe('while it sleeps')
    let tried = 0
    disk.refused = () => void (++tried === 3 && one.place.wake())
    await observed
    expect(tried).toBeGreaterThanOrEqual(3)
    expect([await role(one), await role(two)].sort()).toEqual(['client', 'owner'])
    expect((await one.db.stats()).episodes).toBe(2)
  })

  test('that lets go in time is followed at once, and takes part again when it wakes', async () => {
    const [one, two] = [await tab(), await tab()]
    await one.db.pause()
    expect(await role(two)).toBe('owner')
    await two.db.observe('a')
    one.db.resume()
    expect((await one.db.stats()).episodes).toBe(1)
    await two.db.close()
    await one.db.observe('b')
    expect(await role(one)).toBe('owner')
  })
})

describe('read only', () => {
  test('beside an owner and as one: reads, is told of changes, and writes nothing', async () => {
    const one = await tab()
    const reader = await tab({ readOnly: true })
    const told: MemoryChange[] = []
    reader.db.subscribe((change) => told.push(change))
    const id = await one.db.observe('Sarah recommended Bawri.')
    for (const role of ['client', 'owner']) {
      const rows = disk.rows.size
      expect((await reader.db.recall('Sarah', { traceAttention: true })).matches[0].id).toBe(id)
      for (const call of [
        () => reader.db.observe('x'),
        () => reader.db.setGoal({ description: 'x' }),
        () => reader.db.consolidate(),
        () => reader.db.supersede(id, id),
      ]) {
        const error = await failure(call())
        expect(error.code).toBe('AGIDB_READ_ONLY')
        expect(error.message).toContain('readOnly')
      }
      expect(disk.rows.size).toBe(rows)
      expect((await reader.db.stats()).role).toBe(role)
      if (role === 'client') one.place.die()
      await reader.db.stats()
    }
    expect(told[0]).toMatchObject({ kind: 'episodeStored', ids: [id] })
    // A reader that owns the database writes for those who may.
    const writer = await tab()
    expect(await writer.db.observe('y')).toMatch(/^ep_/)
  })
})
