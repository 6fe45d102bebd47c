import { describe, expect, test } from 'vitest'
import type { Agidb } from '../../../src/api/agidb.js'
import type { Limits } from '../../../src/api/open-options.js'
import type { Triple } from '../../../src/api/episode.js'
import { AgidbError } from '../../../src/base/errors.js'
import type { ExecutionOutcome } from '../../../src/api/procedure.js'
import { openMemory } from '../engine/open.js'
import { exported } from './exported.js'

const small: Partial<Limits> = { textBytes: 600, cueBytes: 300, nameBytes: 200, triples: 3 }
const generous: Partial<Limits> = { textBytes: 1 << 20, cueBytes: 1 << 20, nameBytes: 60_000, triples: 1_000 }

/** A text or name of exactly so many bytes, some of them in characters of two bytes. */
const sized = (bytes: number): string => 'é'.repeat(8) + 'x'.repeat(bytes - 16)
const triple = { subject: 'Sarah', predicate: 'likes', object: 'tea' }
const goal = { description: 'book a table' }
const belief = { claim: 'She likes tea.', ...triple, confidence: 0.5 }
const procedure = { name: 'book', trigger: 'a table is wanted', steps: ['call'] }

const tripleOf = (part: Partial<Triple>) => ({ triples: [{ ...triple, ...part }] })
const latent = Float32Array.of(1, 2)

type Write = (db: Agidb, size: number) => Promise<unknown>

/** Each field that a caller can fill, the size that the small limits allow, and a call that fills it. */
const fields: readonly (readonly [string, number, Write])[] = [
  ['the id of an episode', 200, (db, n) => db.observe('It rains.', { id: sized(n) })],
  ['the text of an episode', 600, (db, n) => db.observe(sized(n))],
  ['a speaker', 200, (db, n) => db.observe('It rains.', { speaker: sized(n) })],
  ['a session', 200, (db, n) => db.observe('It rains.', { session: sized(n) })],
  ['a source', 200, (db, n) => db.observe('It rains.', { source: sized(n) })],
  ['a subject', 200, (db, n) => db.observe('It rains.', tripleOf({ subject: sized(n) }))],
  ['an object', 200, (db, n) => db.observe('It rains.', tripleOf({ object: sized(n) }))],
  ['the triples of an episode', 3, (db, n) => db.observe('It rains.', { triples: Array(n).fill(triple) })],
  ['the text of a frame', 600, (db, n) => db.observeSensory({ modality: 'text', text: sized(n) })],
  [
    'the text of a frame of several senses',
    600,
    (db, n) => db.observeSensory({ modality: 'multimodal', text: sized(n) }),
  ],
  ['the encoder of a frame', 200, (db, n) => db.observeSensory({ modality: 'audio', latent, encoder: sized(n) })],
  ['the description of a goal', 300, (db, n) => db.setGoal({ description: sized(n) })],
  ['a success criterion', 300, (db, n) => db.setGoal({ ...goal, successCriteria: [sized(n)] })],
  ['a changed goal', 300, async (db, n) => db.reviseGoal(await db.setGoal(goal), { description: sized(n) })],
  ['the reason for a pause', 300, async (db, n) => db.pauseGoal(await db.setGoal(goal), sized(n))],
  ['the reason for abandoning', 300, async (db, n) => db.abandonGoal(await db.setGoal(goal), sized(n))],
  ['a claim', 600, (db, n) => db.assertBelief({ claim: sized(n), confidence: 0.5 })],
  ['the object of a belief', 200, (db, n) => db.assertBelief({ ...belief, object: sized(n) })],
  ['the name of a procedure', 200, (db, n) => db.learnProcedure({ ...procedure, name: sized(n) })],
  ['the trigger of a procedure', 300, (db, n) => db.learnProcedure({ ...procedure, trigger: sized(n) })],
  ['a step', 300, (db, n) => db.learnProcedure({ ...procedure, steps: [sized(n)] })],
  ['a precondition', 300, (db, n) => db.learnProcedure({ ...procedure, preconditions: [sized(n)] })],
  ['a note', 600, (db, n) => execute(db, { success: true, note: sized(n) })],
  ['a line of a trace', 300, (db, n) => execute(db, { success: true, trace: [sized(n)] })],
  ['the cue of a traced recall', 300, (db, n) => db.recall(sized(n), { traceAttention: true })],
]

async function execute(db: Agidb, outcome: ExecutionOutcome): Promise<unknown> {
  return db.recordExecution(await db.learnProcedure(procedure), outcome)
}

/** The export of a memory with generous limits in which this was written. */
async function written(write: Write, size: number): Promise<Uint8Array> {
  const db = await openMemory({ limits: generous })
  await write(db, size)
  const bytes = await exported(db)
  await db.close()
  return bytes
}

describe('a field of the largest size', () => {
  test.each(fields)('is taken by its method and by an import: %s', async (_, most, write) => {
    const db = await openMemory({ limits: small })
    await write(db, most)
    await db.close()
    const other = await openMemory({ limits: small })
    await other.import(await written(write, most))
    await other.close()
  })
})

describe('a field over its limit', () => {
  test.each(fields)('is refused by its method and by an import, which name it: %s', async (_, most, write) => {
    const db = await openMemory({ limits: small })
    await expect(write(db, most + 1)).rejects.toMatchObject({ code: 'AGIDB_TOO_LARGE' })
    await db.observe('It was here before.', { id: 'before' })
    const bytes = await written(write, most + 1)
    const error = await db.import(bytes, { replace: true }).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(error).toBeInstanceOf(AgidbError)
    expect(error).toMatchObject({ code: 'AGIDB_TOO_LARGE', message: expect.stringMatching(/^row \d+, .* at most \d+/) })
    expect((await db.getEpisode('before'))?.text).toBe('It was here before.')
    await db.close()
  })
})

test('what agidb composes of the largest fields is imported under the same limits', async () => {
  const db = await openMemory({ limits: small })
  const long = { subject: sized(200), predicate: sized(200), object: `o${sized(198)}` }
  for (let i = 0; i < 4; i++) await db.observe(sized(600), { triples: [long], session: `s${i}` })
  await db.consolidate()
  const belief = await db.assertBelief({ claim: sized(600), ...long, confidence: 0.5 })
  for (const object of [long.object, `p${sized(198)}`]) {
    await db.reviseBelief(belief, await db.observe(sized(600), { triples: [{ ...long, object }] }))
  }
  expect(await db.semanticAtoms()).not.toEqual([])
  const other = await openMemory({ limits: small })
  expect(await other.import(await exported(db))).toMatchObject({ episodes: 6 })
  for (const each of [db, other]) await each.close()
})
