import { beforeAll, describe, expect, test } from 'vitest'
import { readCodebook } from '../../../src/encoding/codebook/node.js'
import type { Codebook } from '../../../src/encoding/codebook/codebook.js'
import { loadCodebook } from '../../../src/encoding/codebook/load.js'
import type { MemoryChange } from '../../../src/api/change.js'
import type { Engine } from '../../../src/engine/engine.js'
import { openEngine } from '../../../src/engine/whole.js'
import type { EngineOptions } from '../../../src/engine/options.js'
import { memoryStorage } from '../../../src/storage/adapters/memory.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { kernel } from '../encoding/kernel.js'
import { NOW, withFolder } from './open.js'

let codebook: Codebook
beforeAll(async () => {
  codebook = (await loadCodebook(await readCodebook()))!
})

const NOTES = Array.from({ length: 150 }, (_, i) => ({
  id: `n${i}`,
  text:
    `${['The rent', 'My automobile', 'The puppy', 'The best noodles', 'A thai place'][i % 5]} ` +
    `${['is due', 'broke down', 'ran away', 'were served', 'opened'][(i * 3) % 5]} on day ${i}.`,
  speaker: i % 2 ? 'Mia' : 'Tom',
  session: `s${i % 7}`,
}))
const CUES = [
  'who had trouble with the car?',
  'where is good food?',
  'when do I pay for my flat?',
  'the dog',
  'what happened on day 17?',
]

/** A codebook that comes when it is told to. */
function coming() {
  let arrive!: () => void
  let fail!: (error: Error) => void
  const arrived = new Promise<Codebook>((resolve, reject) => {
    arrive = () => resolve(codebook)
    fail = reject
  })
  arrived.catch(() => {}) // it may fail before anybody asks
  return { codebookComing: () => arrived, arrive, fail }
}

const open = (path: string | undefined, options: Partial<EngineOptions>): Promise<Engine> =>
  openEngine({
    kernel,
    storage: path === undefined ? memoryStorage() : nodeStorage(path),
    clock: () => NOW,
    seed: 1,
    keepAfter: 20,
    ...options,
  })

/** Everything that a memory answers which a codebook has a part in. */
async function answers(db: Engine): Promise<unknown> {
  const recalls = []
  for (const cue of CUES) {
    const { matches, beliefs, activeGoals, codebookPending } = await db.recall(cue, { traceAttention: true })
    recalls.push({ matches, beliefs, activeGoals, codebookPending })
  }
  const surprise = await db.surpriseScore({ modality: 'text', text: 'Somebody repaired the vehicle.' })
  const { codebook, ranker, terms, episodes } = await db.stats()
  return { recalls, surprise, codebook, ranker, terms, episodes }
}

/** Remembers, believes and removes; `between` runs in the midst of it. */
async function live(db: Engine, between: () => Promise<unknown> = async () => {}): Promise<void> {
  await db.observeMany(NOTES.slice(0, 60))
  await db.assertBelief({ claim: 'The car of Mia is old', confidence: 0.9 })
  await db.setGoal({ description: 'find somewhere to eat' })
  await db.recall(CUES[0])
  await db.surpriseScore({ modality: 'text', text: 'Somebody repaired the vehicle.' })
  await between()
  await db.remove('n7')
  await db.observeMany(NOTES.slice(60))
  await db.assertBelief({ claim: 'Tom owes rent', confidence: 0.8 })
}

describe.each([
  ['in a folder', true],
  ['in main memory', false],
])('a codebook that comes after opening, %s', (_, isKept) => {
  const within = (use: (path: string | undefined) => Promise<void>) => (isKept ? withFolder(use) : use(undefined))

  test.each([
    ['before anything was remembered', 0],
    ['while things are being remembered', 1],
    ['after everything was remembered', 2],
  ])('gives the same answers, to the bit, as one that was there at once: it comes %s', async (_, when) => {
    await within(async (path) => {
      const always = await open(path && `${path}-always`, { codebook })
      await live(always)
      const expected = await answers(always)

      const late = coming()
      const db = await open(path, late)
      if (when === 0) late.arrive()
      const observing = live(db, async () => when === 1 && late.arrive())
      await observing
      late.arrive()
      await db.recall('x', { whole: true })
      expect(await answers(db)).toEqual(expected)
      const { codebookPending, opening } = await db.stats()
      expect(codebookPending).toBeUndefined()
      expect(opening.map(({ kind }) => kind)).toContain('codebook-late')
      await Promise.all([always.close(), db.close()])
    })
  })

  test('opening, observing and recall do not wait for it, and say so; recall with whole waits', async () => {
    await within(async (path) => {
      const late = coming()
      const db = await open(path, late)
      const told: MemoryChange[] = []
      db.subscribe((change) => told.push(change))
      await db.observeMany(NOTES.slice(0, 5))
      const early = await db.recall('who had trouble with the car?')
      expect(early.codebookPending).toBe(true)
      expect(await db.stats()).toMatchObject({
        codebook: 'none',
        codebookPending: { phase: 'fetching', done: 0, total: 5 },
      })
      let isWhole = false
      const whole = db.recall('who had trouble with the car?', { whole: true }).finally(() => (isWhole = true))
      await db.recall('the dog')
      expect(isWhole).toBe(false)
      late.arrive()
      const found = await whole
      expect(found.codebookPending).toBeUndefined()
      expect(found.matches[0].text).toMatch(/automobile/)
      await expect
        .poll(() => told.filter(({ kind }) => kind === 'codebookReady'))
        .toEqual([expect.objectContaining({ ids: [], slot: -1, own: true })])
      expect(await db.stats()).toMatchObject({ codebook: codebook.id })
      await db.close()
    })
  })

  test('surprise heeds what words mean once it is there, also where they were compared without it', async () => {
    await within(async (path) => {
      const scored = async (options: Partial<EngineOptions>, between = async (_: Engine) => {}) => {
        const db = await open(path && `${path}-${'codebook' in options}`, options)
        await db.observe('Omar is vegetarian.')
        await between(db)
        const surprise = await db.surpriseScore({ modality: 'text', text: 'Omar eats meat again.' })
        await db.close()
        return surprise
      }
      const late = coming()
      const expected = await scored({ codebook })
      const found = await scored(late, async (db) => {
        expect(await db.surpriseScore({ modality: 'text', text: 'Omar eats meat again.' })).not.toBe(expected)
        late.arrive()
        await db.recall('x', { whole: true })
      })
      expect(found).toBe(expected)
    })
  })

  test('one that cannot be had is said, and everything goes on without it', async () => {
    await within(async (path) => {
      const late = coming()
      const db = await open(path, late)
      await db.observeMany(NOTES.slice(0, 5))
      late.fail(new Error('the network is down'))
      const { matches, codebookPending } = await db.recall('the puppy', { whole: true })
      expect([matches.length > 0, codebookPending]).toEqual([true, undefined])
      const { codebook: id, codebookPending: pending, opening } = await db.stats()
      expect([id, pending]).toEqual(['none', undefined])
      expect(opening.find(({ kind }) => kind === 'no-codebook')?.message).toMatch(
        /without the semantic codebook: the network is down/,
      )
      await db.close()
    })
  })

  test('closing does not wait for it, and ends what waits for it', async () => {
    await within(async (path) => {
      const db = await open(path, coming())
      await db.observeMany(NOTES.slice(0, 5))
      const waiting = db.recall('the puppy', { whole: true })
      await Promise.all([expect(waiting).rejects.toMatchObject({ code: 'AGIDB_CLOSED' }), db.close()])
    })
  })
})

test('the latent signatures that are made later are stored: the next opening makes none again', async () => {
  await withFolder(async (path) => {
    const late = coming()
    const first = await open(path, { ...late, keepAfter: Infinity })
    await first.observeMany(NOTES)
    late.arrive()
    await first.recall('x', { whole: true })
    const expected = await answers(first)
    await first.close()
    const again = await open(path, { codebook, keepAfter: Infinity })
    expect((await again.stats()).opening).toEqual([])
    expect(await answers(again)).toEqual(expected)
    await again.close()
  })
})

test('a checkpoint made with a codebook is not loaded without it, nor the reverse', async () => {
  await withFolder(async (path) => {
    const use = async (options: Partial<EngineOptions>) => {
      const db = await open(path, options)
      await db.recall('x', { whole: true })
      const answered = await answers(db)
      const { opening } = await db.stats()
      await db.close()
      expect(opening.map(({ kind }) => kind)).not.toContain('index-damaged')
      return answered
    }
    const first = await open(path, { codebook })
    await first.observeMany(NOTES)
    const expected = await answers(first)
    await first.close()
    const failing = coming()
    failing.fail(new Error('offline'))
    const without = await use(failing)
    expect(without).not.toEqual(expected)
    for (const arrives of [true, false, true]) {
      const late = coming()
      if (arrives) late.arrive()
      else late.fail(new Error('offline'))
      expect(await use(late)).toEqual(arrives ? expected : without)
    }
    expect(await use({ codebook })).toEqual(expected)
  })
})

test('an import while a codebook is on its way gets it, too', async () => {
  const from = await open(undefined, {})
  await from.observeMany(NOTES.slice(0, 40))
  const late = coming()
  const db = await open(undefined, late)
  await db.import(await from.export(), { replace: true })
  late.arrive()
  const { matches } = await db.recall('who had trouble with the car?', { whole: true })
  expect(matches[0].text).toMatch(/automobile/)
  expect((await db.stats()).codebook).toBe(codebook.id)
  await Promise.all([from.close(), db.close()])
})

test('a read-only memory uses a codebook that comes late and stores nothing', async () => {
  await withFolder(async (path) => {
    const writing = await open(path, {})
    await writing.observeMany(NOTES.slice(0, 40))
    await writing.close()
    const late = coming()
    const db = await open(path, { ...late, readOnly: true })
    const before = (await db.stats()).bytes
    late.arrive()
    expect((await db.recall('who had trouble with the car?', { whole: true })).matches[0].text).toMatch(/automobile/)
    expect((await db.stats()).bytes).toBe(before)
    await db.close()
  })
})
