import { describe, expect, test } from 'vitest'
import { AgidbError } from '../../../src/base/errors.js'
import type { Engine } from '../../../src/engine/engine.js'
import { openEngine } from '../../../src/engine/whole.js'
import { kernel } from '../../unit/encoding/kernel.js'
import { applyTo, type Kept } from '../../../src/storage/contract/episodes.js'
import { runs } from '../../runs.js'
import { keepImage, modelStorage, openModel, randomCommit, shown } from '../../unit/storage/crash-states.js'
import { ModelFiles, randomFrom } from '../../unit/storage/model-fs.js'

type Model = Map<number, Kept>

/** What a workload came to. */
interface Outcome {
  readonly acknowledged: Model
  /**
   * The first commit that was refused, after what was acknowledged then: where nothing works any more, it cannot be
   * taken back.
   */
  readonly refused?: Model
  readonly errors: unknown[]
  readonly done: boolean
}

/** Commits, images, compactions, closings and openings, until one of them fails; the workload is the same each time. */
async function workload(files: ModelFiles): Promise<Outcome> {
  const random = randomFrom(5)
  const acknowledged: Model = new Map()
  const errors: unknown[] = []
  let refused: Model | undefined
  let nextSlot = 0
  let storage = modelStorage(files)
  const step = async (work: () => Promise<unknown>): Promise<boolean> =>
    work().then(
      () => true,
      (error: unknown) => (errors.push(error), false),
    )
  const commits = async (count: number): Promise<void> => {
    for (; count > 0; count--) {
      const changes = randomCommit(acknowledged, nextSlot, random)
      if (!(await step(() => storage.commit(changes)))) {
        if (refused === undefined) applyTo((refused = new Map(acknowledged)), changes)
        continue
      }
      applyTo(acknowledged, changes)
      for (const { op, slot } of changes) if (op === 'put') nextSlot = slot + 1
    }
  }
  if (!(await step(() => storage.open(() => undefined)))) return { acknowledged, refused, errors, done: false }
  await commits(4)
  await step(() => keepImage(storage, acknowledged, 1))
  await commits(3)
  await step(() => storage.parts.maintenance!.compact())
  await commits(3)
  await step(() => storage.rows([...acknowledged.keys()]))
  await step(() => keepImage(storage, acknowledged, 2))
  await step(() => storage.close())
  storage = modelStorage(files)
  if (!(await step(() => storage.open(() => undefined)))) {
    if (!(await step(() => storage.open(() => undefined)))) return { acknowledged, refused, errors, done: false }
  }
  await commits(2)
  const meanwhile = step(() => storage.parts.maintenance!.compact())
  await commits(3)
  await meanwhile // when it fails early, too: commits must not overlap
  await commits(1)
  await step(() => storage.close())
  return { acknowledged, refused, errors, done: true }
}

/** What is in the files when nothing fails any more, and that it goes on. */
async function expectIntact(files: ModelFiles, { acknowledged, refused }: Outcome): Promise<void> {
  const untakenBack = files.keepsFailing && refused !== undefined
  files.failIn = -1
  files.keepsFailing = false
  files.capacity = Infinity
  const { storage, follower, nextSlot } = await openModel(files)
  expect([acknowledged, ...(untakenBack ? [refused] : [])].map(shown)).toContain(shown(follower.model))
  const changes = randomCommit(follower.model, nextSlot, randomFrom(9))
  await storage.commit(changes)
  await storage.close()
  const after = new Map(follower.model)
  applyTo(after, changes)
  const again = await openModel(files)
  expect(shown(again.follower.model)).toBe(shown(after))
  expect((await again.storage.stats()).opening).toEqual([])
  await again.storage.close()
}

describe('a failure of any call to a file', () => {
  test.each([
    ['once', {}],
    ['once, after a part was done', { failsShort: true }],
    ['and of all after it', { keepsFailing: true }],
    ['and of all after it, each in part', { keepsFailing: true, failsShort: true }],
    // Where an image is there, it gives way, and nothing fails.
    ['for want of room', { failure: 'AGIDB_QUOTA' as const, failsShort: true }, 60],
  ])('%s, says so with a code and leaves all that was acknowledged', async (_, how, mostSilent = 20) => {
    const whole = new ModelFiles()
    expect(await workload(whole)).toMatchObject({ done: true, errors: [] })
    expect(whole.calls).toBeGreaterThan(120)
    let silent = 0
    for (let call = 0; call < whole.calls; call++) {
      const files = Object.assign(new ModelFiles(), { ...how, failIn: call })
      const outcome = await workload(files)
      // An image that cannot be read is passed over.
      if (outcome.errors.length === 0) silent++
      for (const error of outcome.errors) expect(error, `call ${call}`).toBeInstanceOf(AgidbError)
      await expectIntact(files, outcome).catch((error: unknown) => {
        throw new Error(`call ${call}: ${String(error)}`, { cause: error })
      })
    }
    expect(silent).toBeLessThan(mostSilent)
  })
})

test('a disk that fills up at any byte refuses the write, still reads, and writes once there is room', async () => {
  const whole = new ModelFiles()
  await workload(whole)
  const size = Math.max(...[...whole.disk().values()].map(({ length }) => length)) + 12_000
  for (let capacity = 64; capacity < size; capacity += 97) {
    const files = Object.assign(new ModelFiles(), { capacity })
    const outcome = await workload(files)
    for (const error of outcome.errors)
      expect(error, `${capacity} bytes`).toMatchObject({ code: expect.stringMatching(/^AGIDB_(QUOTA|CLOSED)$/) })
    await expectIntact(files, outcome)
  }
})

describe('an engine on files that fail', () => {
  const open = (files: ModelFiles): Promise<Engine> =>
    openEngine({ kernel, storage: modelStorage(files), clock: () => 1_800_000_000_000, keepAfter: 1 })

  /**
   * Observes, removes, supersedes, compacts, closes and opens; answers the ids that must be there and those that must
   * not.
   */
  async function use(files: ModelFiles): Promise<{ there: Set<string>; gone: Set<string>; errors: unknown[] }> {
    const there = new Set<string>()
    const gone = new Set<string>()
    const errors: unknown[] = []
    const attempt = async <T>(work: () => Promise<T>, done: (answer: T) => void = () => {}): Promise<void> => {
      await work().then(done, (error: unknown) => errors.push(error))
    }
    for (let round = 0; round < 2; round++) {
      let db: Engine | undefined
      await attempt(
        () => open(files),
        (opened) => (db = opened),
      )
      if (db === undefined) continue
      const engine = db
      const id = (number: number): string => `r${round}-${number}`
      await attempt(
        () => engine.observe('The pump stands still.', { id: id(1), session: 's' }),
        (id) => there.add(id),
      )
      const items = [2, 3, 4].map((number) => ({ text: `Valve ${number} is open.`, id: id(number) }))
      await attempt(
        () => engine.observeMany(items),
        (ids) => ids.forEach((id) => there.add(id)),
      )
      if (there.has(id(1)) && there.has(id(2))) await attempt(() => engine.supersede(id(1), id(2)))
      if (there.has(id(3)))
        await attempt(
          () => engine.remove(id(3)),
          () => (there.delete(id(3)), gone.add(id(3))),
        )
      await attempt(() => engine.compact())
      await attempt(() => engine.setGoal({ description: 'Keep the tank full.' }))
      await attempt(() => engine.verify())
      await attempt(() => engine.close())
    }
    return { there, gone, errors }
  }

  test('says so with a code at each call, and has all that was acknowledged when it is opened again', async () => {
    const whole = new ModelFiles()
    expect((await use(whole)).errors).toEqual([])
    for (const how of [{}, { keepsFailing: true }, { failsShort: true, failure: 'AGIDB_QUOTA' as const }]) {
      for (let call = 0; call < whole.calls; call += Math.max(1, Math.floor(whole.calls / runs(12)))) {
        const files = Object.assign(new ModelFiles(), { ...how, failIn: call })
        const { there, gone, errors } = await use(files)
        for (const error of errors)
          expect(error, `call ${call}: ${String(error)}`).toMatchObject({
            code: expect.stringMatching(/^AGIDB_(STORAGE|QUOTA)$/),
          })
        Object.assign(files, { failIn: -1, keepsFailing: false })
        const db = await open(files)
        for (const id of there) expect(await db.getEpisode(id), `call ${call}, ${id}`).toBeDefined()
        for (const id of gone) expect(await db.getEpisode(id), `call ${call}, ${id}`).toBeUndefined()
        expect((await db.verify()).problems.filter(({ harm }) => harm !== 'none')).toEqual([])
        await db.close()
      }
    }
  }, 600_000)
})
