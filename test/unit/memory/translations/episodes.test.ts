import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../../../src/engine/engine.js'
import { SIGNATURE_BYTES } from '../../../../src/kernel/port.js'
import { kernel } from '../../encoding/kernel.js'
import { NOW, openMemory } from '../../engine/open.js'
import { colourLayout, discs } from '../../toys/senses.js'

const SEED = 29
const DAY = 86_400_000
const NAMES = Array.from({ length: 40 }, (_, i) => `Name ${i}`)
const FIRST_DAY = Date.UTC(2026, 0, 1)

let db: Engine
let goals: string[]
let beliefs: string[]

/** A memory with 12 goals, 12 beliefs and 40 days, all of which an episode has. */
beforeAll(async () => {
  db = await openMemory({ extract: 'none', encoders: { image: colourLayout } })
  goals = []
  beliefs = []
  for (let i = 0; i < 12; i++) {
    goals.push(await db.setGoal({ description: `Reach place ${i}` }))
    beliefs.push(await db.assertBelief({ claim: `Place ${i} is near.`, confidence: 0.7 }))
  }
  const items = NAMES.map((subject, i) => ({
    text: `What was said of ${subject}.`,
    at: FIRST_DAY + i * DAY,
    triples: [{ subject, predicate: 'knows', object: NAMES[(7 * i + 1) % NAMES.length] }],
    goal: goals[i % goals.length],
    beliefs: [beliefs[i % beliefs.length]],
  }))
  await db.observeMany(items)
})

const statement = fc.record({
  subject: fc.constantFrom(...NAMES),
  predicate: fc.constant('knows'),
  object: fc.constantFrom(...NAMES),
})
const someOf = (count: number, most: number) => fc.uniqueArray(fc.nat(count - 1), { maxLength: most })

describe('the signature of an episode', () => {
  test('has its statements, its goal, its beliefs and its day, and gives each of them back', async () => {
    const given = fc.record({
      triples: fc.uniqueArray(statement, { maxLength: 4, selector: ({ subject }) => subject }),
      goal: fc.option(fc.nat(11), { nil: undefined }),
      beliefs: someOf(12, 3),
      day: fc.nat(39),
    })
    await fc.assert(
      fc.asyncProperty(given, async ({ triples, day, ...links }) => {
        const goal = links.goal === undefined ? undefined : goals[links.goal]
        const held = links.beliefs.map((i) => beliefs[i])
        const at = FIRST_DAY + day * DAY + 5_000
        const id = await db.observe('Something was said.', { triples, goal, beliefs: held, at })
        const signature = await db.episodeToSignature(id)
        expect(signature).toHaveLength(SIGNATURE_BYTES)
        const found = await db.signatureToEpisode(signature)
        expect(found.goal).toBe(goal)
        expect([...found.beliefs].sort()).toEqual([...held].sort())
        expect(found.day).toBe(new Date(at).toISOString().slice(0, 10))
        const subjects = (list: readonly { readonly subject: string }[]) => list.map(({ subject }) => subject).sort()
        expect(subjects(found.triples.map(({ triple }) => triple))).toEqual(subjects(triples))
        await db.remove(id)
      }),
      { seed: SEED, numRuns: 40 },
    )
  })

  test('has its text and what was perceived with it', async () => {
    const text = 'The lift in the lobby is broken.'
    const id = await db.observeMultimodal({ text, image: discs(3) }, { goal: goals[2], at: FIRST_DAY })
    const signature = await db.episodeToSignature(id)
    for (const modality of ['text', 'image'] as const) {
      const own = (await db.extractModalitySignature(id, modality))!
      expect(kernel.similarity(await db.signatureToModality(signature, modality), own)).toBeGreaterThan(0.6)
    }
    const audio = await db.signatureToModality(signature, 'audio')
    const seen = (await db.extractModalitySignature(id, 'image'))!
    expect(kernel.similarity(audio, seen)).toBeLessThan(0.55)
  })

  test('is more like that of an episode with the same goal on the same day than like another', async () => {
    const of = async (text: string, goal: number, day: number) => {
      const id = await db.observe(text, { goal: goals[goal], at: FIRST_DAY + day * DAY })
      return db.episodeToSignature(id)
    }
    const [one, same, other] = [await of('Rain fell.', 1, 3), await of('Nobody slept.', 1, 3), await of('A jar.', 2, 5)]
    expect(kernel.similarity(one, same)).toBeGreaterThan(kernel.similarity(one, other) + 0.1)
  })

  test('is the same in another memory that has the episode', async () => {
    const other = await openMemory({ extract: 'none' })
    const observed = { id: 'shared', at: NOW, triples: [{ subject: 'Ann', predicate: 'knows', object: 'Ben' }] }
    for (const memory of [db, other]) await memory.observe('Ann knows Ben.', observed)
    expect(await other.episodeToSignature('shared')).toEqual(await db.episodeToSignature('shared'))
  })
})

describe('what is not read back', () => {
  test('is anything of noise', async () => {
    for (let seed = 0; seed < 50; seed++)
      expect(await db.signatureToEpisode(kernel.fromName(`noise ${seed}`))).toEqual({ triples: [], beliefs: [] })
  })

  test('is a belief that was unlearned, which the signature has no more', async () => {
    const memory = await openMemory({ extract: 'none' })
    const belief = await memory.assertBelief({ claim: 'The harbour is near.' })
    const plain = await memory.observe('We left at dawn.')
    const id = await memory.observe('We left at dawn.', { beliefs: [belief] })
    const signature = await memory.episodeToSignature(id)
    expect((await memory.signatureToEpisode(signature)).beliefs).toEqual([belief])
    await memory.unlearn({ belief }, 'asked')
    expect(await memory.episodeToSignature(id)).toEqual(await memory.episodeToSignature(plain))
    expect((await memory.signatureToEpisode(signature)).beliefs).toEqual([])
  })
})

test('what is wrong is said', async () => {
  await expect(db.episodeToSignature('none')).rejects.toMatchObject({
    code: 'AGIDB_NOT_FOUND',
    message: 'there is no episode with the id "none"',
  })
  await expect(db.signatureToEpisode(new Uint8Array(3))).rejects.toThrow('has 3 bytes; expected a Uint8Array of 1024')
})

test('an episode that has expired has no signature', async () => {
  let now = NOW
  const memory = await openMemory({ extract: 'none', clock: () => now })
  const id = await memory.observe('The code is 4711.', { expiresAt: NOW + 1_000 })
  expect(await memory.episodeToSignature(id)).toHaveLength(SIGNATURE_BYTES)
  now += 2_000
  await expect(memory.episodeToSignature(id)).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
  await expect(memory.extractModalitySignature(id, 'text')).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
})
