import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Agidb } from '../../../../src/api/agidb.js'
import type { Observation } from '../../../../src/api/episode.js'
import type { RecallOptions } from '../../../../src/api/recall.js'
import { DEFAULT_LIMITS } from '../../../../src/api/check.js'
import type { LearningEvent } from '../../../../src/api/learning.js'
import { learningEventKind } from '../../../../src/records/kinds/learning-event.js'
import { ImportCheck } from '../../../../src/records/record-kind.js'
import { listed, NOW, openMemory } from '../../engine/open.js'

const CUE = 'what was said in Lisbon?'
const TEXT = 'In Lisbon the tram was full.'

let db: Agidb
let goal: string
let beliefs: string[]
let evidence: string

beforeEach(async () => {
  db = await openMemory()
  evidence = await db.observe('Karla was seen at the harbour.', { session: 'seen' })
  goal = await db.setGoal({ description: 'Book a hotel for Karla', session: 'plans' })
  const sure = await db.assertBelief({ claim: 'the hotel is closed', confidence: 0.9 })
  const seen = await db.assertBelief({ claim: 'Karla is here', confidence: 0.9, evidence: [evidence] })
  beliefs = [sure, seen]
})
afterEach(() => db.close())

const said = (text: string) => ({ text, session: 'talk' })
/** A frame that is not remembered by itself. */
const glimpsed = async () => {
  const { id, promotedTo } = await db.observeSensory({ modality: 'text', text: 'Okay.' })
  expect(promotedTo).toBeUndefined()
  return id
}
const learned = async () => db.whatDidILearn(0, { kinds: ['episodeLinked'] })
const shown = async (id: string) => {
  const { goal, beliefs } = (await db.getEpisode(id))!
  return { goal, beliefs }
}
const NOTHING = { goal: undefined, beliefs: undefined }

describe('an observation for a goal and with beliefs', () => {
  test('says so wherever the episode is shown', async () => {
    const id = await db.observe(TEXT, { goal, beliefs })
    expect(await db.getEpisode(id)).toMatchObject({ text: TEXT, goal, beliefs })
    expect(await listed(db)).toContainEqual(expect.objectContaining({ id, goal, beliefs }))
    const { matches } = await db.recall(CUE)
    expect(matches.find((match) => match.id === id)).toMatchObject({ goal, beliefs })
    expect(await db.update(id, { tags: ['tram'] })).toMatchObject({ goal, beliefs, tags: ['tram'] })
  })

  test('is an event for each link, which tells of its goal or belief', async () => {
    const id = await db.observe(TEXT, { goal, beliefs: [...beliefs, beliefs[0]] })
    const links = [{ goal }, { belief: beliefs[0] }, { belief: beliefs[1] }]
    expect(await learned()).toMatchObject(links.map((link) => ({ kind: 'episodeLinked', episode: id, ...link })))
    const about = await db.whatDidILearn(0, { subject: goal })
    expect(about.map(({ kind }) => kind)).toEqual(['goalSet', 'episodeLinked'])
    expect(about[1].at).toBe(new Date(NOW).toISOString())
  })

  test('without either is as any other', async () => {
    const id = await db.observe(TEXT, { goal: undefined, beliefs: [] })
    expect(await db.getEpisode(id)).not.toHaveProperty('goal')
    expect(await db.getEpisode(id)).not.toHaveProperty('beliefs')
    expect(await learned()).toEqual([])
  })

  test('may be one of many, made of a frame, or perceived', async () => {
    const many = await db.observeMany([said('One.'), { ...said('Two.'), goal }, { ...said('Three.'), beliefs }])
    expect(await Promise.all(many.map(shown))).toEqual([
      NOTHING,
      { goal, beliefs: undefined },
      { goal: undefined, beliefs },
    ])
    const frame = await glimpsed()
    expect(await shown(await db.observe('A bell rang.', { frame, goal }))).toMatchObject({ goal })
    const perceived = await db.observeMultimodal({ text: 'It rang again.' }, { goal, beliefs: beliefs.slice(1) })
    expect(await shown(perceived)).toEqual({ goal, beliefs: beliefs.slice(1) })
  })

  test('of a long list is linked in every commit', async () => {
    const items = Array.from({ length: 600 }, (_, i) => ({ ...said(`Number ${i}.`), goal }))
    const ids = await db.observeMany(items)
    expect(await learned()).toHaveLength(600)
    for (const id of [ids[0], ids[256], ids[599]]) expect(await shown(id)).toMatchObject({ goal })
  })

  test('may be for a goal that has ended, or with a belief that is withdrawn', async () => {
    await db.abandonGoal(goal, 'no time')
    await db.withdrawBelief(beliefs[0], 'it opened')
    expect(await shown(await db.observe(TEXT, { goal, beliefs }))).toEqual({ goal, beliefs })
  })

  test('keeps its links when the goal ends or changes, and a belief is revised or withdrawn', async () => {
    const id = await db.observe(TEXT, { goal, beliefs })
    await db.reviseGoal(goal, { description: 'Book a room' })
    await db.pauseGoal(goal)
    await db.resumeGoal(goal)
    await db.completeGoal(goal)
    await db.reviseBelief(beliefs[0], evidence)
    await db.withdrawBelief(beliefs[0], 'it opened')
    expect(await shown(id)).toEqual({ goal, beliefs })
  })
})

describe('what is not there is refused, and nothing is stored', () => {
  const refused = async (context: Omit<Observation, 'text'>, error: object) => {
    const { episodes, events } = await db.stats()
    await expect(db.observe(TEXT, context)).rejects.toMatchObject(error)
    await expect(db.observeMultimodal({ text: TEXT }, context)).rejects.toMatchObject(error)
    await expect(db.observe(TEXT, { ...context, frame: await glimpsed() })).rejects.toMatchObject(error)
    expect(await db.stats()).toMatchObject({ episodes, events })
  }

  test('a goal or belief that nobody knows', async () => {
    await refused(
      { goal: 'go_x' },
      { code: 'AGIDB_NOT_FOUND', message: 'goal: there is no goal with the id "go_x"', details: { id: 'go_x' } },
    )
    const message = 'beliefs[1]: there is no belief with the id "be_x"'
    await refused({ beliefs: [beliefs[0], 'be_x'] }, { code: 'AGIDB_NOT_FOUND', message })
  })

  test('an id of the other kind', async () => {
    const [belief] = beliefs
    const isBelief = `goal: there is no goal with the id "${belief}"; it is the id of a belief`
    await refused({ goal: belief }, { code: 'AGIDB_NOT_FOUND', message: isBelief })
    const isGoal = `beliefs[0]: there is no belief with the id "${goal}"; it is the id of a goal`
    await refused({ beliefs: [goal] }, { code: 'AGIDB_NOT_FOUND', message: isGoal })
    await refused({ goal: evidence }, { code: 'AGIDB_NOT_FOUND' })
  })

  test('what is no id, or too much', async () => {
    const wrong = (context: object, code: string) =>
      expect(db.observe(TEXT, context)).rejects.toMatchObject({ code: `AGIDB_${code}` })
    await wrong({ goal: 7 }, 'INVALID_ARGUMENT')
    await wrong({ goal: ' ' }, 'INVALID_ARGUMENT')
    await wrong({ beliefs: goal }, 'INVALID_ARGUMENT')
    await wrong({ beliefs: [undefined] }, 'INVALID_ARGUMENT')
    await wrong({ beliefs: Array.from({ length: 65 }, () => beliefs[0]) }, 'TOO_LARGE')
    await expect(db.update(evidence, { goal } as object)).rejects.toMatchObject({ code: 'AGIDB_UNKNOWN_OPTION' })
  })

  test('of many, one that is wrong refuses all, and no other call', async () => {
    const { episodes } = await db.stats()
    const items = Array.from({ length: 600 }, (_, i) => ({ ...said(`Number ${i}.`), goal }))
    items[500] = { ...items[500], goal: 'go_x' }
    const [other, many] = await Promise.allSettled([db.observe(TEXT, { goal }), db.observeMany(items)])
    expect(many).toMatchObject({
      reason: { code: 'AGIDB_NOT_FOUND', details: { what: 'items[500].goal', id: 'go_x', observed: 0 } },
    })
    expect(other.status).toBe('fulfilled')
    expect((await db.stats()).episodes).toBe(episodes + 1)
    await expect(db.observeMany([undefined as never])).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
  })

  test('a refused id can be observed again', async () => {
    await expect(db.observe(TEXT, { id: 'mine', goal: 'go_x' })).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
    expect(await db.observe(TEXT, { id: 'mine', goal })).toBe('mine')
  })

  test('what is forgotten by the time it is written', async () => {
    const forgetting = db.unlearn({ concept: 'Karla' }, 'asked for')
    const after = [db.observe('One.', { goal }), db.observeMultimodal({ text: 'Two.' }, { goal })]
    for (const one of after) await expect(one).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
    await db.restoreWithinWindow((await forgetting).auditId!)
    const before = await Promise.all([db.observe('Three.', { goal }), db.unlearn({ session: 'plans' }, 'asked for')])
    expect(await shown(before[0])).toEqual(NOTHING)
  })

  test('of a long list, the rest once its goal is forgotten meanwhile', async () => {
    const items = Array.from({ length: 600 }, (_, i) => ({ ...said(`Number ${i}.`), goal }))
    const forgets = { onProgress: () => void db.unlearn({ session: 'plans' }, 'asked for') }
    const stored = await db.observeMany(items, forgets).catch(({ code, details }) => ({ code, ...details }))
    expect(stored).toMatchObject({ code: 'AGIDB_NOT_FOUND', what: 'items[512].goal', observed: 512 })
    expect((await db.stats()).episodes).toBe(513)
  })
})

test('a memory that wants and believes nothing refuses every goal and belief', async () => {
  const empty = await openMemory()
  for (const context of [{ goal: 'go_x' }, { beliefs: ['be_x'] }]) {
    await expect(empty.observe(TEXT, context)).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
    await expect(empty.observeMany([{ text: TEXT, ...context }])).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
    await expect(empty.observeMultimodal({ text: TEXT }, context)).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
  }
  expect((await empty.stats()).episodes).toBe(0)
  await empty.close()
})

describe('recall', () => {
  const found = async (id: string, options?: RecallOptions) => {
    const { goalBiased, signals } = (await db.recall(CUE, options)).matches.find((match) => match.id === id)!
    return { goalBiased, goal: signals.goal }
  }

  test('lifts what was observed for an active goal as what is most like one', async () => {
    const own = await db.observe(TEXT, { goal })
    const other = await db.observe('In Lisbon the rain came down.')
    expect(await found(own)).toEqual({ goalBiased: true, goal: 0.3 })
    expect(await found(own, { goalBias: 1 })).toEqual({ goalBiased: true, goal: 1 })
    expect(await found(other)).toEqual({ goalBiased: false, goal: undefined })
    for (const none of [{ goals: [] }, { goalBias: 0 }, { goals: ['sleep well'] }])
      expect(await found(own, none)).toEqual({ goalBiased: false, goal: undefined })
  })

  test('lifts by it only while the goal is active', async () => {
    const id = await db.observe(TEXT, { goal })
    await db.setGoal({ description: 'xyzzy qwrtp' })
    await db.pauseGoal(goal)
    expect(await found(id)).toMatchObject({ goalBiased: false })
    await db.resumeGoal(goal)
    expect(await found(id)).toMatchObject({ goalBiased: true })
    await db.completeGoal(goal)
    expect(await found(id)).toMatchObject({ goalBiased: false })
  })

  test('does not lift what was observed with beliefs alone', async () => {
    expect(await found(await db.observe(TEXT, { beliefs }))).toMatchObject({ goalBiased: false })
  })
})

describe('forgetting', () => {
  test('an episode takes its links along, and brings them back', async () => {
    const id = await db.observe(TEXT, { goal, beliefs, session: 'talk' })
    const was = await db.whatDidILearn(0)
    const { auditId } = await db.unlearn({ session: 'talk' }, 'asked for')
    expect(await learned()).toEqual([])
    await db.restoreWithinWindow(auditId!)
    expect(await shown(id)).toEqual({ goal, beliefs })
    expect(await db.whatDidILearn(0, { kinds: was.map(({ kind }) => kind) })).toEqual(was)
  })

  test('another episode under the same id has no link of the first', async () => {
    await db.observe(TEXT, { id: 'mine', goal })
    await db.remove('mine')
    await db.observe(TEXT, { id: 'mine', beliefs })
    expect(await shown('mine')).toEqual({ goal: undefined, beliefs })
    await db.remove('mine')
    await db.observe(TEXT, { id: 'mine' })
    expect(await shown('mine')).toEqual(NOTHING)
  })

  test('a goal takes its links along, and what was said for it stays with its beliefs', async () => {
    const id = await db.observe(TEXT, { goal, beliefs })
    const { auditId, episodesRemoved } = await db.unlearn({ session: 'plans' }, 'asked for')
    expect(episodesRemoved).toBe(0)
    expect(await shown(id)).toEqual({ goal: undefined, beliefs })
    expect(await learned()).toHaveLength(2)
    await db.restoreWithinWindow(auditId!)
    expect(await shown(id)).toEqual({ goal, beliefs })
  })

  test('a belief takes its links along, and the others stay', async () => {
    const id = await db.observe(TEXT, { goal, beliefs })
    const { auditId } = await db.unlearn({ belief: beliefs[0] }, 'asked for')
    expect(await shown(id)).toEqual({ goal, beliefs: [beliefs[1]] })
    await db.restoreWithinWindow(auditId!)
    expect(await shown(id)).toEqual({ goal, beliefs })
    await db.unlearn({ all: true }, 'asked for')
    expect(await learned()).toEqual([])
  })

  test('a belief that lost all of its evidence is linked no more, until that is back', async () => {
    const id = await db.observe(TEXT, { goal, beliefs })
    const { auditId } = await db.remove(evidence)
    expect(await shown(id)).toEqual({ goal, beliefs: [beliefs[0]] })
    expect(await learned()).toHaveLength(2)
    await db.restoreWithinWindow(auditId!)
    expect(await shown(id)).toEqual({ goal, beliefs })
  })

  test('erasing leaves no link to it in the log', async () => {
    const id = await db.observe(TEXT, { goal, beliefs, session: 'talk' })
    await db.remove(evidence)
    await db.expire(NOW + 31 * 86_400_000)
    expect(await db.whatDidILearn(0, { subject: beliefs[1] })).toEqual([])
    expect(await shown(id)).toEqual({ goal, beliefs: [beliefs[0]] })
    await db.remove(id)
    await db.expire(NOW + 31 * 86_400_000)
    expect(await learned()).toEqual([])
    expect((await db.stats()).tombstones).toBe(0)
  })
})

test('a link to what the memory believes by itself goes with the evidence, and comes back with it', async () => {
  const own = await openMemory({ autoBelieve: 0.8 })
  const triples = [{ subject: 'Sarah', predicate: 'lives in', object: 'Porto' }]
  for (const speaker of ['Tom', 'Ann']) await own.observe(`${speaker} says so.`, { speaker, session: speaker, triples })
  const [{ id: belief }] = await own.whatDoIBelieve('Sarah')
  const id = await own.observe(TEXT, { beliefs: [belief] })
  const rain = await own.observe('It rained.')
  expect(await own.getEpisode(id)).toMatchObject({ beliefs: [belief] })
  const { auditId } = await own.unlearn({ session: 'Ann' }, 'asked for')
  expect(await own.getEpisode(id)).not.toHaveProperty('beliefs')
  await own.remove(rain)
  await own.restoreWithinWindow(auditId!)
  expect(await own.getEpisode(id)).toMatchObject({ beliefs: [belief] })
  await own.expire(NOW + 31 * 86_400_000)
  expect(await own.getEpisode(id)).toMatchObject({ beliefs: [belief] })
  await own.unlearn({ concept: 'Porto' }, 'asked for')
  await own.expire(NOW + 31 * 86_400_000)
  expect(await own.getEpisode(id)).not.toHaveProperty('beliefs')
  expect(await own.whatDidILearn(0, { kinds: ['episodeLinked', 'beliefAsserted'] })).toEqual([])
  await own.close()
})

describe('a link is stored', () => {
  const about = { id: 'ev_1', at: '2026-05-01T12:00:00.000Z', episode: 'ep_1' }
  const fault = (event: object, tag?: number) => {
    const row = learningEventKind.encode(event as LearningEvent)
    return learningEventKind.validate!(Uint8Array.of(tag ?? row[0], ...row.slice(1)), 'ev_1', check)
  }
  const check = new ImportCheck('row 1', DEFAULT_LIMITS)

  test('as a row that earlier versions refuse, since they do not know it', () => {
    const link = { ...about, kind: 'episodeLinked', goal: 'go_1' } as const
    expect(learningEventKind.encode(link)[0]).toBe(13)
    expect(learningEventKind.decode(learningEventKind.encode(link))).toEqual(link)
    expect(fault(link)).toBeUndefined()
    expect(fault(link, 1)).toBe('is no learning event')
    expect(fault({ ...about, kind: 'conceptsSplit', concept: 'c', names: [], from: [] }, 13)).toBeDefined()
  })

  test('with a goal or a belief', () => {
    expect(fault({ ...about, kind: 'episodeLinked', belief: 'be_1' })).toBeUndefined()
    for (const wrong of [{}, { goal: 7 }, { belief: '' }, { goal: 'go_1', episode: undefined }])
      expect(fault({ ...about, kind: 'episodeLinked', ...wrong })).toBe('is no learning event')
  })
})

describe('elsewhere', () => {
  const copied = async (options?: Parameters<Agidb['export']>[0]) => {
    const bytes = new Uint8Array(await new Response(await db.export(options)).arrayBuffer())
    const copy = await openMemory({ seed: 2 })
    await copy.import(bytes)
    return copy
  }

  test('an export brings the links, without those of what is gone', async () => {
    const id = await db.observe(TEXT, { goal, beliefs })
    const copy = await copied()
    expect(await copy.getEpisode(id)).toEqual(await db.getEpisode(id))
    expect(await copy.whatDidILearn(0)).toEqual(await db.whatDidILearn(0))
    await copy.close()
    await db.remove(evidence)
    const later = await copied()
    expect(await later.getEpisode(id)).toMatchObject({ goal, beliefs: [beliefs[0]] })
    expect((await later.stats()).events).toBe((await db.stats()).events)
    await later.close()
  })

  test('an export of some episodes has their links alone', async () => {
    const [first, second] = await db.observeMany([
      { ...said(TEXT), goal, beliefs },
      { ...said('It rained.'), session: 'other', goal },
    ])
    const copy = await copied({ filter: { session: 'talk' } })
    expect(await copy.getEpisode(first)).toMatchObject({ goal, beliefs: [beliefs[0]] })
    expect(await copy.getEpisode(second)).toBeUndefined()
    expect(await copy.whatDidILearn(0, { kinds: ['episodeLinked'] })).toHaveLength(2)
    await copy.close()
  })

  test('lines of JSON have episodes, and no links', async () => {
    await db.observe(TEXT, { goal })
    const lines = await new Response(await db.export({ format: 'jsonl' })).text()
    expect(lines).not.toContain(goal)
    const copy = await openMemory()
    await copy.import(new TextEncoder().encode(`{"text":"It rained.","goal":"${goal}"}\n`))
    expect((await listed(copy))[0]).not.toHaveProperty('goal')
    await copy.close()
  })

  test('another device gets the links, and loses them with what was unlearned', async () => {
    const other = await openMemory({ seed: 2, clock: () => NOW + 1000 })
    const give = async (from: Agidb, to: Agidb) => to.apply(await from.changes(await to.versionVector()))
    const id = await db.observe(TEXT, { goal, beliefs })
    await give(db, other)
    expect(await other.getEpisode(id)).toMatchObject({ goal, beliefs })
    const theirs = await other.observe('The harbour was empty.', { goal, beliefs })
    await give(other, db)
    expect(await shown(theirs)).toEqual({ goal, beliefs })
    await other.unlearn({ belief: beliefs[0] }, 'asked for')
    await give(other, db)
    expect(await shown(theirs)).toEqual({ goal, beliefs: [beliefs[1]] })
    await db.unlearn({ session: 'plans' }, 'asked for')
    const late = await other.observe('The harbour was closed.', { goal })
    await give(db, other)
    await give(other, db)
    for (const one of [db, other]) {
      expect(await one.getEpisode(theirs)).not.toHaveProperty('goal')
      expect(await one.getEpisode(late)).not.toHaveProperty('goal')
      expect(await one.whatDidILearn(0, { kinds: ['episodeLinked'] })).toHaveLength(2)
    }
    await other.close()
  })
})
