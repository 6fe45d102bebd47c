import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Difference, NewSensoryFrame, SurpriseProfile, WorkingState } from '../../../../src/api/sensory.js'
import type { Engine } from '../../../../src/engine/engine.js'
import { readCodebook } from '../../../../src/encoding/codebook/node.js'
import { loadCodebook } from '../../../../src/encoding/codebook/load.js'
import { openEngine } from '../../../../src/engine/whole.js'
import type { EngineOptions } from '../../../../src/engine/options.js'
import { nodeStorage } from '../../../../src/storage/adapters/node/node.js'
import { listed, NOW, openMemory, withFolder } from '../../engine/open.js'
import { kernel } from '../../encoding/kernel.js'
import { runs } from '../../../runs.js'

const RUNS = runs()
const say = (text: string): NewSensoryFrame => ({ modality: 'text', text })
const see = (...values: number[]): NewSensoryFrame => ({
  modality: 'image',
  latent: Float32Array.from(values),
  encoder: 'eye',
})
/** Remembers nothing of itself. */
const DULL = { surpriseThreshold: 1 }

/** A memory whose time the test sets. */
async function at(options: Partial<EngineOptions> = {}) {
  const time = { now: NOW }
  const db = await openMemory({ clock: () => time.now, ...options })
  return { db, time }
}
const counts = ({ observed, promoted, dropped, frames }: WorkingState) => [observed, promoted, dropped, frames.length]
const learned = async (db: Engine) => (await db.stats()).events

describe('observeSensory', () => {
  test('remembers what a frame states with its episode, and shows it in the buffer', async () => {
    const { db } = await at({ autoBelieve: 0.8 })
    const triples = [{ subject: 'the door', predicate: 'is', object: 'open' }]
    const image = { ...see(1, 2), triples }
    const { promotedTo } = await db.observeSensory({ ...image, source: 'camera' } as NewSensoryFrame)
    expect((await db.getEpisode(promotedTo!))!.triples).toEqual(triples)
    const heard: NewSensoryFrame = { modality: 'text', text: 'Someone left the door open!', source: 'hall', triples }
    await db.observeSensory(heard)
    expect((await db.workingState()).frames.map(({ triples }) => triples)).toEqual([triples, triples])
    expect((await db.recall('', { structured: { subject: 'the door' } })).matches).toHaveLength(2)
    expect((await db.whatDoIBelieve('the door')).map(({ claim }) => claim)).toEqual(['the door is open'])
  })

  test('keeps what a frame states until an observation is made of it, and refuses what is no statement', async () => {
    const { db } = await at(DULL)
    const triples = [{ subject: 'the door', predicate: 'is', object: 'open' }]
    const { id } = await db.observeSensory({ modality: 'text', text: 'The door is open.', triples })
    triples[0]!.object = 'shut'
    const episode = await db.observe('It is still open.', { frame: id })
    expect((await db.getEpisode(episode))!.triples).toEqual([{ ...triples[0], object: 'open' }])
    for (const wrong of [{}, [{ subject: 'a', predicate: 'b' }], [undefined]])
      await expect(db.observeSensory({ ...say('x'), triples: wrong } as never)).rejects.toMatchObject({
        code: 'AGIDB_INVALID_ARGUMENT',
      })
  })

  test('remembers what is new, with all that the frame says, and points to the episode', async () => {
    const { db } = await at()
    const observed = await db.observeSensory({
      modality: 'text',
      text: 'A bang and a shock.',
      speaker: 'Jim',
      session: 's',
      source: 'loop',
      at: '1970-04-13T03:07:53Z',
    })
    const {
      frames: [frame],
      ...rest
    } = await db.workingState()
    expect(frame).toEqual({
      id: observed.id,
      modality: 'text',
      text: 'A bang and a shock.',
      speaker: 'Jim',
      session: 's',
      source: 'loop',
      at: '1970-04-13T03:07:53.000Z',
      receivedAt: new Date(NOW).toISOString(),
      surprise: 1,
      goalRelevance: 0,
      promotedTo: expect.stringMatching(/^ep_/),
      promotedFor: 'surprise',
    })
    const { id } = observed
    expect(observed).toEqual({ id, surprise: 1, promotedTo: frame.promotedTo })
    expect(id).toMatch(/^sf_[0-9A-Z]{26}$/)
    expect(rest).toMatchObject({ capacity: 1000, windowMs: 60_000, observed: 1, promoted: 1, dropped: 0 })
    expect(await db.getEpisode(frame.promotedTo!)).toMatchObject({
      text: 'A bang and a shock.',
      speaker: 'Jim',
      session: 's',
      source: 'loop',
      at: '1970-04-13T03:07:53.000Z',
      provenance: { source: 'loop', session: 's' },
    })
    expect((await db.recall('the bang')).matches[0].id).toBe(frame.promotedTo)
    expect(await learned(db)).toBe(1)
  })

  test('lets go of what was said before', async () => {
    const { db } = await at()
    await db.observe('Roger, we copy the numbers.')
    await db.observeSensory(say('Roger, we copy the numbers.'))
    const state = await db.workingState()
    expect(state.frames[0]).not.toHaveProperty('promotedTo')
    expect(state.frames[0].surprise).toBeLessThan(0.1)
    expect(counts(state)).toEqual([1, 0, 0, 1])
    expect(await listed(db)).toHaveLength(1)
  })

  test('remembers a latent that is like none of its encoder, in words or by its modality', async () => {
    const { db } = await at()
    await db.observeSensory(see(1, 0, 0, 0))
    await db.observeSensory(see(1, 0.01, 0, 0))
    await db.observeSensory({ ...see(0, 0, 1, 0), text: 'A cloud of gas.' } as NewSensoryFrame)
    await db.observeSensory({ modality: 'audio', latent: Float32Array.of(1, 0, 0, 0), encoder: 'ear' })
    const { frames } = await db.workingState()
    expect(frames.map(({ promotedFor }) => promotedFor)).toEqual(['surprise', undefined, 'surprise', 'surprise'])
    expect(frames[1].surprise).toBeLessThan(0.1)
    expect((await listed(db)).map(({ text }) => text)).toEqual(['(image)', 'A cloud of gas.', '(audio)'])
    frames[0].latent!.fill(9)
    expect((await db.workingState()).frames[0].latent).toEqual(Float32Array.of(1, 0, 0, 0))
  })

  test('keeps a frame for 60 seconds, and counts what went without being remembered', async () => {
    const { db, time } = await at(DULL)
    const { id: first } = await db.observeSensory(say('One.'))
    time.now += 30_000
    await db.observeSensory(say('Two.'))
    time.now += 30_000
    expect(counts(await db.workingState())).toEqual([2, 0, 0, 2])
    await db.observe('The first.', { frame: first })
    time.now += 1
    expect(counts(await db.workingState())).toEqual([2, 1, 0, 1])
    time.now += 60_000
    expect(counts(await db.workingState())).toEqual([2, 1, 1, 0])
    await db.observeSensory(say('Three.'))
    expect(counts(await db.workingState())).toEqual([3, 1, 1, 1])
  })

  test('keeps 1,000 frames at most', async () => {
    const { db } = await at(DULL)
    const frames = await Promise.all(Array.from({ length: 1003 }, (_, i) => db.observeSensory(say(`Frame ${i}.`))))
    const ids = frames.map(({ id }) => id)
    const state = await db.workingState()
    expect(counts(state)).toEqual([1003, 0, 3, 1000])
    expect(state.frames.map(({ id }) => id)).toEqual(ids.slice(3))
  })

  test('remembers what bears on an active goal, however little it surprises', async () => {
    const { db } = await at(DULL)
    const heard = async (text: string) => {
      await db.observeSensory(say(text))
      const { goalRelevance, promotedFor } = (await db.workingState()).frames.at(-1)!
      return { goalRelevance, promotedFor }
    }
    const goal = await db.setGoal({ description: 'Find a Thai place for the team dinner' })
    const near = await heard('The Thai place on the corner has room for a team dinner.')
    expect(near.promotedFor).toBe('goal')
    expect(near.goalRelevance).toBeGreaterThan(0.2)
    expect(await heard('The cat sleeps on the sofa.')).toEqual({ goalRelevance: 0, promotedFor: undefined })
    await db.pauseGoal(goal)
    expect(await heard('The Thai place on the corner has room for a team dinner.')).toEqual({
      goalRelevance: 0,
      promotedFor: undefined,
    })
    expect(
      (await db.whatDidILearn(0, { kinds: ['sensoryFramePromoted'] })).map((event) => ({ ...event, id: '', at: '' })),
    ).toEqual([
      {
        id: '',
        at: '',
        kind: 'sensoryFramePromoted',
        frame: expect.stringMatching(/^sf_/),
        modality: 'text',
        episode: expect.stringMatching(/^ep_/),
        surprise: 1,
        reason: 'goal',
      },
    ])
  })

  test('is forgotten with the episode that it became', async () => {
    const { db } = await at()
    await db.observeSensory(say('A secret.'))
    const [{ promotedTo }] = (await db.workingState()).frames
    await db.remove(promotedTo!)
    expect(await db.workingState()).toMatchObject({ frames: [], observed: 0, promoted: 0, dropped: 0 })
  })

  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'AGIDB_INVALID_ARGUMENT'],
    ['a string', 'bang', 'AGIDB_INVALID_ARGUMENT'],
    ['an unknown key', { modality: 'text', text: 'x', mood: 1 }, 'AGIDB_UNKNOWN_OPTION'],
    ['no modality', { text: 'x' }, 'AGIDB_INVALID_ARGUMENT'],
    ['another modality', { modality: 'smell', text: 'x' }, 'AGIDB_INVALID_ARGUMENT'],
    ['no text', { modality: 'text' }, 'AGIDB_INVALID_ARGUMENT'],
    ['an empty text', { modality: 'text', text: ' ' }, 'AGIDB_INVALID_TEXT'],
    ['half a character', { modality: 'text', text: '\ud800' }, 'AGIDB_INVALID_TEXT'],
    ['a text that is too long', { modality: 'text', text: 'x'.repeat(70_000) }, 'AGIDB_TOO_LARGE'],
    ['a picture without latent', { modality: 'image', text: 'x' }, 'AGIDB_INVALID_ARGUMENT'],
    ['an array for a latent', { modality: 'image', latent: [1], encoder: 'e' }, 'AGIDB_INVALID_ARGUMENT'],
    ['an empty latent', { modality: 'image', latent: new Float32Array(), encoder: 'e' }, 'AGIDB_INVALID_ARGUMENT'],
    [
      'a latent that is too long',
      { modality: 'image', latent: new Float32Array(8193).fill(1), encoder: 'e' },
      'AGIDB_INVALID_ARGUMENT',
    ],
    ['a zero latent', { modality: 'image', latent: new Float32Array(3), encoder: 'e' }, 'AGIDB_INVALID_ARGUMENT'],
    [
      'a latent that is not finite',
      { modality: 'image', latent: Float32Array.of(1, NaN), encoder: 'e' },
      'AGIDB_INVALID_ARGUMENT',
    ],
    ['a latent of nobody', { modality: 'image', latent: Float32Array.of(1) }, 'AGIDB_INVALID_ARGUMENT'],
    ['an empty encoder', { modality: 'image', latent: Float32Array.of(1), encoder: '' }, 'AGIDB_INVALID_ARGUMENT'],
    ['an encoder without latent', { modality: 'text', text: 'x', encoder: 'e' }, 'AGIDB_INVALID_ARGUMENT'],
    ['a speaker that is none', { modality: 'text', text: 'x', speaker: 3 }, 'AGIDB_INVALID_ARGUMENT'],
    ['a bad time', { modality: 'text', text: 'x', at: 'soon' }, 'AGIDB_INVALID_TIME'],
  ])('refuses %s, as do the scores, and changes nothing', async (_, frame, code) => {
    const { db } = await at({ surpriseProfile: PROFILE })
    await expect(db.observeSensory(frame as never)).rejects.toMatchObject({ code })
    await expect(db.surpriseScore(frame as never)).rejects.toMatchObject({ code })
    await expect(db.surpriseScoreBrainCalibrated(frame as never)).rejects.toMatchObject({ code })
    expect(counts(await db.workingState())).toEqual([0, 0, 0, 0])
    expect((await db.stats()).episodes).toBe(0)
  })
})

describe('observe with a frame', () => {
  test('remembers it, with what the frame says and the observation does not', async () => {
    const { db } = await at(DULL)
    const { id: frame } = await db.observeSensory({
      modality: 'text',
      text: 'Hm.',
      speaker: 'Ann',
      session: 's',
      at: NOW - 5,
    })
    const id = await db.observe('Ann had doubts.', { frame, session: 't' })
    expect(await db.getEpisode(id)).toMatchObject({
      text: 'Ann had doubts.',
      speaker: 'Ann',
      session: 't',
      at: new Date(NOW - 5).toISOString(),
    })
    expect((await db.workingState()).frames[0]).toMatchObject({ promotedTo: id, promotedFor: 'observed' })
    await expect(db.observe('Again.', { frame })).rejects.toMatchObject({
      code: 'AGIDB_INVALID_ARGUMENT',
      message: expect.stringMatching(/already/),
    })
    expect((await db.stats()).episodes).toBe(1)
  })

  test('refuses one that is not there, and changes nothing', async () => {
    const { db, time } = await at(DULL)
    const { id: frame } = await db.observeSensory(say('Gone soon.'))
    time.now += 60_001
    for (const [bad, code] of [
      [frame, 'AGIDB_NOT_FOUND'],
      ['sf_none', 'AGIDB_NOT_FOUND'],
      ['', 'AGIDB_INVALID_ARGUMENT'],
      [7, 'AGIDB_INVALID_ARGUMENT'],
    ] as const) {
      await expect(db.observe('It.', { frame: bad as never })).rejects.toMatchObject({ code })
    }
    await expect(db.observe(' ', { frame: (await db.observeSensory(say('Here.'))).id })).rejects.toMatchObject({
      code: 'AGIDB_INVALID_TEXT',
    })
    expect([(await db.stats()).episodes, (await db.workingState()).promoted, await learned(db)]).toEqual([0, 0, 0])
  })

  test('takes an id of the caller once', async () => {
    const { db } = await at(DULL)
    const [{ id: one }, { id: two }] = [await db.observeSensory(say('One.')), await db.observeSensory(say('Two.'))]
    await db.observe('One.', { frame: one, id: 'mine' })
    await expect(db.observe('Two.', { frame: two, id: 'mine' })).rejects.toMatchObject({ code: 'AGIDB_DUPLICATE_ID' })
    await db.observe('Two.', { frame: two, id: 'other' })
    expect((await db.workingState()).promoted).toBe(2)
  })
})

const PROFILE: SurpriseProfile = { surprise: [0.2, 0.4, 0.8], expected: [0, 0.6, 1], threshold: 0.5 }

describe('surprise', () => {
  test('is 1 where nothing is remembered, falls with what is, and takes nothing in', async () => {
    const { db } = await at()
    const frame = say('The oxygen tank pressure is falling.')
    expect(await db.surpriseScore(frame)).toBe(1)
    await db.observe('We talked about the menu for dinner.')
    const unrelated = await db.surpriseScore(frame)
    await db.observe('The pressure in tank two is falling.')
    const related = await db.surpriseScore(frame)
    await db.observe('The oxygen tank pressure is falling.')
    const same = await db.surpriseScore(frame)
    expect(unrelated).toBeGreaterThan(0.9)
    expect(related).toBeLessThan(unrelated)
    expect(same).toBeLessThan(related)
    expect(counts(await db.workingState())).toEqual([0, 0, 0, 0])
  })

  test('falls with what is believed, and rises when it is not believed any more', async () => {
    const { db } = await at()
    await db.observe('We talked about the menu for dinner.')
    const frame = say('The oxygen tank is empty.')
    const before = await db.surpriseScore(frame)
    const belief = await db.assertBelief({ claim: 'The oxygen tank is empty.' })
    expect(await db.surpriseScore(frame)).toBeLessThan(0.1)
    await db.withdrawBelief(belief, 'It was refilled.')
    expect(await db.surpriseScore(frame)).toBe(before)
  })

  test('stays low for what was said before many other things', async () => {
    const { db } = await at()
    await db.observe('The oxygen tank is empty.')
    await db.observeMany(
      Array.from({ length: 50 }, (_, i) => ({ text: `Dinner number ${i} was served in the garden.` })),
    )
    expect(await db.surpriseScore(say('The oxygen tank is empty.'))).toBeLessThan(0.1)
  })

  test('stays low for what was believed before many other things', async () => {
    const { db } = await at()
    await db.assertBelief({ claim: 'The oxygen tank is empty.' })
    for (let i = 0; i < 20; i++) await db.assertBelief({ claim: `Guest ${i} likes the garden.` })
    expect(await db.surpriseScore(say('The oxygen tank is empty.'))).toBeLessThan(0.1)
  })

  test('is less with a codebook than without where a memory, a belief or a goal says it in other words', async () => {
    const codebook = (await loadCodebook(await readCodebook()))!
    const scores = async (options: Partial<EngineOptions>, tell: (db: Engine) => Promise<unknown>) => {
      const { db } = await at({ ...DULL, ...options })
      await tell(db)
      const score = await db.surpriseScore(say('The physicians examined a sick kid.'))
      await db.observeSensory(say('The physicians examined a sick kid.'))
      const relevance = (await db.workingState()).frames[0].goalRelevance
      await db.close()
      return { score, relevance }
    }
    const meant = 'A doctor looks after an ill child in hospital'
    for (const tell of [(db: Engine) => db.observe(meant), (db: Engine) => db.assertBelief({ claim: meant })]) {
      expect((await scores({ codebook }, tell)).score).toBeLessThan((await scores({}, tell)).score - 0.1)
    }
    const aimed = (db: Engine) => db.setGoal({ description: meant })
    expect((await scores({ codebook }, aimed)).relevance).toBeGreaterThan((await scores({}, aimed)).relevance + 0.1)
  })

  test('is the same after opening again', async () => {
    await withFolder(async (path) => {
      const open = () => openEngine({ kernel, storage: nodeStorage(path), clock: () => NOW, seed: 1 })
      const frames = [
        say('The oxygen tank is full.'),
        say('We need more oxygen for the crew.'),
        say('Dinner is served.'),
      ]
      const asked = async (db: Engine) => [
        await db.workingState(),
        await Promise.all(frames.map((frame) => db.surpriseScore(frame))),
      ]
      const one = await open()
      await one.observe('We talked about the menu for dinner.')
      await one.assertBelief({ claim: 'The oxygen tank is empty.' })
      await one.setGoal({ description: 'Get more oxygen for the crew' })
      for (const frame of frames) await one.observeSensory(frame)
      const before = await asked(one)
      await one.close()
      const other = await open()
      expect(await asked(other)).toEqual(before)
      await other.close()
    })
  })

  test('is that of a memory that never had what was removed', async () => {
    const { db } = await at()
    await db.observe('We talked about the menu for dinner.')
    const before = await db.surpriseScore(say('The oxygen tank is empty.'))
    await db.remove(await db.observe('The oxygen tank is empty.'))
    expect(await db.surpriseScore(say('The oxygen tank is empty.'))).toBe(before)
  })

  test('with a profile is read off its curve, and its threshold decides', async () => {
    const { db } = await at({ surpriseProfile: PROFILE })
    expect(await db.surpriseScoreBrainCalibrated(say('A bell rings.'))).toBe(1)
    await db.observe('The bell in the tower rings today.')
    for (const text of [
      'The bell in the tower.',
      'The bell in the tower rings today.',
      'Soup is served in the kitchen.',
    ]) {
      const raw = await db.surpriseScore(say(text))
      const wanted = raw <= 0.2 ? 0 : raw <= 0.4 ? (raw - 0.2) * 3 : raw <= 0.8 ? 0.6 + (raw - 0.4) : 1
      const given = await db.surpriseScoreBrainCalibrated(say(text))
      expect(given).toBeCloseTo(wanted, 12)
      const { id } = await db.observeSensory(say(text))
      const { frames, threshold } = await db.workingState()
      expect(threshold).toBe(0.5)
      expect(frames.find((frame) => frame.id === id)!.promotedFor).toBe(given > 0.5 ? 'surprise' : undefined)
    }
  })

  test('without a profile cannot be calibrated', async () => {
    const { db } = await at()
    await expect(db.surpriseScoreBrainCalibrated(say('x'))).rejects.toMatchObject({
      code: 'AGIDB_INVALID_ARGUMENT',
      message: expect.stringMatching(/fitSurpriseProfile/),
    })
  })

  test.each<[string, object, string]>([
    ['a threshold over 1', { surpriseThreshold: 1.1 }, 'AGIDB_INVALID_ARGUMENT'],
    ['a threshold that is none', { surpriseThreshold: '0.5' }, 'AGIDB_INVALID_ARGUMENT'],
    ['a profile that is none', { surpriseProfile: 0.4 }, 'AGIDB_INVALID_ARGUMENT'],
    ['an unknown key', { surpriseProfile: { ...PROFILE, curve: 1 } }, 'AGIDB_UNKNOWN_OPTION'],
    ['no threshold', { surpriseProfile: { ...PROFILE, threshold: undefined } }, 'AGIDB_INVALID_ARGUMENT'],
    ['no curve', { surpriseProfile: { threshold: 0.4 } }, 'AGIDB_INVALID_ARGUMENT'],
    ['one point', { surpriseProfile: { surprise: [0.4], expected: [0.4], threshold: 0.4 } }, 'AGIDB_INVALID_ARGUMENT'],
    ['points that do not pair', { surpriseProfile: { ...PROFILE, expected: [0, 1] } }, 'AGIDB_INVALID_ARGUMENT'],
    [
      'surprises that do not ascend',
      { surpriseProfile: { ...PROFILE, surprise: [0.2, 0.2, 0.8] } },
      'AGIDB_INVALID_ARGUMENT',
    ],
    ['a curve that falls', { surpriseProfile: { ...PROFILE, expected: [0, 0.6, 0.5] } }, 'AGIDB_INVALID_ARGUMENT'],
    ['a point that is no number', { surpriseProfile: { ...PROFILE, expected: [0, NaN, 1] } }, 'AGIDB_INVALID_ARGUMENT'],
    ['a point beyond 1', { surpriseProfile: { ...PROFILE, surprise: [0.2, 0.4, 1.5] } }, 'AGIDB_INVALID_ARGUMENT'],
  ])('refuses to open with %s', async (_, options, code) => {
    await expect(openMemory(options)).rejects.toMatchObject({ code })
  })
})

describe('what corrects a memory', () => {
  const before = async (memory: string, options: Partial<EngineOptions> = {}) => {
    const { db } = await at(options)
    const id = await db.observe(memory)
    return { db, id }
  }

  test.each<[string, string, Difference['kind']]>([
    ['I am allergic to peanuts', 'I am not allergic to peanuts', 'denial'],
    ['My phone number is 555-1234', 'My phone number is 555-9876', 'figure'],
    ['The review moved to 3 pm', 'The review moved to 5 pm', 'figure'],
    ['The deploy succeeded', 'The deploy failed', 'opposite'],
    ['Anna loves Ben', 'Ben loves Anna', 'roles'],
    ['My flight is on Monday', 'My flight is on Tuesday', 'time'],
    ['I work at Siemens', 'I work at Bosch', 'name'],
    ['Rex needs a walk', 'Rex needs a bath', 'word'],
    ['The booking stands', 'The booking was cancelled', 'change'],
  ])('surprises, is remembered and names what it differs from: %s / %s', async (memory, text, kind) => {
    const { db, id } = await before(memory)
    const { surprise, promotedTo } = await db.observeSensory(say(text))
    expect(surprise).toBeGreaterThan(0.6)
    expect(await db.getEpisode(promotedTo!)).toMatchObject({ text })
    const { differsFrom } = (await db.workingState()).frames[0]
    expect(differsFrom?.episode).toBe(id)
    expect(differsFrom?.parts.map((part) => part.kind)).toContain(kind)
    expect(await db.whatDidILearn(0, { kinds: ['sensoryFramePromoted'] })).toMatchObject([
      { episode: promotedTo, differsFrom: id },
    ])
  })

  test('differs in the parts that are said otherwise', async () => {
    const { db, id } = await before('My phone number is 555-1234')
    await db.observeSensory(say('My phone number is 555-9876'))
    expect((await db.workingState()).frames[0].differsFrom).toEqual({
      episode: id,
      parts: [{ kind: 'figure', here: '555-9876', there: '555-1234' }],
    })
    await db.remove(id)
    expect((await db.workingState()).frames[0]).not.toHaveProperty('differsFrom')
  })

  test('of a belief names the belief', async () => {
    const { db } = await at()
    const belief = await db.assertBelief({ claim: 'The gate is locked' })
    const { promotedTo } = await db.observeSensory(say('The gate is unlocked'))
    expect(promotedTo).toBeDefined()
    expect((await db.workingState()).frames[0].differsFrom).toEqual({
      belief,
      parts: [{ kind: 'opposite', here: 'unlocked', there: 'locked' }],
    })
  })

  test('is also what was so before, and is so again', async () => {
    const { db } = await before('The gate is open')
    expect((await db.observeSensory(say('The gate is open'))).promotedTo).toBeUndefined()
    expect((await db.observeSensory(say('The gate is closed'))).promotedTo).toBeDefined()
    expect((await db.observeSensory(say('The gate is closed'))).promotedTo).toBeUndefined()
    expect((await db.observeSensory(say('The gate is open'))).promotedTo).toBeDefined()
  })

  test('is also the same of another speaker', async () => {
    const { db } = await at()
    await db.observe('I grew up in Norway.', { speaker: 'Ann' })
    expect(
      (await db.observeSensory({ modality: 'text', text: 'I grew up in Norway.', speaker: 'Ann' })).promotedTo,
    ).toBeUndefined()
    expect(
      (await db.observeSensory({ modality: 'text', text: 'I grew up in Norway.', speaker: 'Bob' })).promotedTo,
    ).toBeDefined()
  })

  test('is compared with what holds now, not with what was replaced', async () => {
    const { db, id } = await before('The meeting room is Cedar')
    await db.supersede(id, await db.observe('We meet online from today on'))
    expect((await db.observeSensory(say('The meeting room is Cedar'))).promotedTo).toBeDefined()
  })

  test('keeps what it differs from after opening again, and in an export', async () => {
    await withFolder(async (path) => {
      const open = () => openEngine({ kernel, storage: nodeStorage(path), clock: () => NOW, seed: 1 })
      const one = await open()
      await one.observe('Anna loves Ben')
      await one.observeSensory(say('Ben loves Anna'))
      const state = await one.workingState()
      const { db: copy } = await at()
      await copy.import(await one.export())
      await one.close()
      const other = await open()
      expect(await other.workingState()).toEqual(state)
      expect(state.frames[0].differsFrom?.parts).toEqual([{ kind: 'roles', here: 'Ben … Anna', there: 'Anna … Ben' }])
      await other.close()
      expect((await copy.workingState()).frames[0].differsFrom).toEqual(state.frames[0].differsFrom)
    })
  })

  test.each<[string, string]>([
    ['The review is on Tuesday at 3 pm.', 'On Tuesday at 15:00 is the review.'],
    ['Anna loves Ben.', 'Ben is loved by Anna.'],
    ['Rex has to lose weight, the vet said.', 'The vet said that Rex must lose weight.'],
    ['The dog of our neighbours barks all night.', 'Our neighbours have a dog that barks all night long.'],
  ])('is not what says the same in other words: %s / %s', async (memory, text) => {
    const { db } = await before(memory)
    const { surprise, promotedTo } = await db.observeSensory(say(text))
    expect(surprise).toBeLessThan(0.6)
    expect(promotedTo).toBeUndefined()
  })
})

describe('small talk', () => {
  test.each([
    'Okay.',
    'hi',
    'Thanks a lot!',
    'How are you?',
    'Sounds good, see you later.',
    'Have a great weekend!',
  ])('surprises nobody, at the start of a memory and later: %s', async (text) => {
    const { db } = await at()
    expect(await db.observeSensory(say(text))).toEqual({ id: expect.stringMatching(/^sf_/), surprise: 0 })
    await db.observe('The oxygen tank is empty.')
    expect((await db.observeSensory(say(text))).surprise).toBe(0)
    expect(await listed(db)).toHaveLength(1)
  })
})

describe('a question', () => {
  const asking = ['How is the new house?', 'Anna, what does the doctor say?', 'And the oxygen tank?']

  test.each(asking)('is not remembered, as it states nothing: %s', async (text) => {
    const { db } = await at()
    await db.observe('The tent is green.')
    expect(await db.observeSensory(say(text))).toEqual({ id: expect.stringMatching(/^sf_/), surprise: 0 })
    expect(await listed(db)).toHaveLength(1)
  })

  const telling = ['Where is my inhaler?', 'Is the review on Friday?', 'Ada sold her boat. How is yours?']

  test.each(telling)('is remembered where something is stated with it: %s', async (text) => {
    const { db } = await at()
    await db.observe('The tent is green.')
    const { promotedTo } = await db.observeSensory(say(text))
    expect(await db.getEpisode(promotedTo!)).toMatchObject({ text })
  })
})

/** What may happen to a buffer, told to the memory and to a plain list of frames. */
type Step = { readonly do: 'perceive' | 'observe' | 'remove' | 'wait' | 'reopen'; readonly pick: number }
const TEXTS = [
  'Roger.',
  'Roger, we copy.',
  'We have a problem here.',
  'MAIN B undervolt.',
  'Oxygen tank two reads zero.',
  'Good night, crew.',
]

describe('the buffer', () => {
  test(
    'is what a plain list of frames says it is, opened again at any step',
    async () => {
      const step = fc.record({
        do: fc.constantFrom<Step['do'][]>(
          'perceive',
          'perceive',
          'perceive',
          'observe',
          'remove',
          'wait',
          'reopen',
        ) as fc.Arbitrary<Step['do']>,
        pick: fc.nat(1000),
      })
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) =>
          withFolder((path) => walk(path, steps)),
        ),
        { numRuns: RUNS },
      )
    },
    60_000 + 1_000 * RUNS,
  )
})

interface Modelled {
  readonly id: string
  readonly at: number
  episode?: string
}

async function walk(path: string, steps: readonly Step[]): Promise<void> {
  let now = NOW
  const open = () =>
    openEngine({ kernel, storage: nodeStorage(path), clock: () => now, seed: 1, surpriseThreshold: 0.6 })
  let db = await open()
  let all: Modelled[] = []
  for (const { do: action, pick } of steps) {
    if (action === 'wait') now += [1, 1000, 30_000, 60_000, 60_001][pick % 5]
    if (action === 'perceive') {
      const frame = pick % 4 === 3 ? see(1, pick % 7, pick % 3) : say(TEXTS[pick % TEXTS.length])
      const surprise = await db.surpriseScore(frame)
      const { id } = await db.observeSensory(frame)
      const seen = (await db.workingState()).frames.at(-1)!
      expect([seen.id, seen.surprise, seen.promotedFor]).toEqual([
        id,
        surprise,
        surprise > 0.6 ? 'surprise' : undefined,
      ])
      all.push({ id, at: now, ...(seen.promotedTo !== undefined && { episode: seen.promotedTo }) })
    }
    if (action === 'observe' && all.length > 0) {
      const one = all[pick % all.length]
      const answer = db.observe('Seen.', { frame: one.id })
      if (now - one.at > 60_000) await expect(answer).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
      else if (one.episode !== undefined) await expect(answer).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
      else one.episode = await answer
    }
    if (action === 'remove') {
      const live = all.flatMap(({ episode }) => episode ?? [])
      const one = live[pick % live.length]
      if (one !== undefined) {
        await db.remove(one)
        // Its frame was never seen.
        all = all.filter(({ episode }) => episode !== one)
      }
    }
    const state = await db.workingState()
    const fresh = all.filter((one) => now - one.at <= 60_000)
    const promoted = all.filter(({ episode }) => episode !== undefined).length
    const waiting = fresh.filter(({ episode }) => episode === undefined).length
    expect(counts(state)).toEqual([all.length, promoted, all.length - promoted - waiting, fresh.length])
    expect(state.frames.map(({ id, promotedTo }) => [id, promotedTo])).toEqual(
      fresh.map(({ id, episode }) => [id, episode]),
    )
    if (action === 'reopen') {
      const asked = async () => [
        await db.workingState(),
        await Promise.all([...TEXTS.map(say), see(1, 2, 1)].map((frame) => db.surpriseScore(frame))),
      ]
      const before = await asked()
      await db.close()
      db = await open()
      expect(await asked()).toEqual(before)
    }
  }
  await db.close()
}
