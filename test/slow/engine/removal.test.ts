import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCodebook } from '../../../src/encoding/codebook/node.js'
import { parseCodebook } from '../../../src/encoding/codebook/codebook.js'
import type { Observation } from '../../../src/api/episode.js'
import type { Ranker } from '../../../src/api/ranker.js'
import type { RecallOptions } from '../../../src/api/recall.js'
import type { Engine } from '../../../src/engine/engine.js'
import { openEngine } from '../../../src/engine/whole.js'
import type { EngineOptions } from '../../../src/engine/options.js'
import { FEATURES } from '../../../src/recall/ranking/features.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { examplesOf } from '../../../src/training/examples.js'
import { trainModel } from '../../../src/training/train.js'
import { kernel } from '../../unit/encoding/kernel.js'
import { listed, NOW, openMemory, withFolder } from '../../unit/engine/open.js'

/** A database that can be set to a time. */
interface Timed {
  db: Engine
  now: number
}

type Step =
  | { readonly kind: 'observe'; readonly id: string; readonly item: Observation; readonly forgotten: boolean }
  | { readonly kind: 'supersede'; readonly id: string; readonly by: string }
  | { readonly kind: 'remove'; readonly id: string }

interface Question {
  readonly cue: string
  readonly options: RecallOptions
}

async function timed({ codebook, ranker }: Equipment, path?: string): Promise<Timed> {
  const self: Timed = { db: undefined as never, now: NOW }
  const options = { codebook, ranker, clock: () => self.now }
  self.db =
    path === undefined
      ? await openMemory(options)
      : await openEngine({ kernel, storage: nodeStorage(path), seed: 1, ...options })
  return self
}

/** By what a database ranks. */
type Equipment = Pick<EngineOptions, 'codebook' | 'ranker'>

const codebook = parseCodebook(await readCodebook())

/**
 * Some trees over all that a ranker sees, trained on the lines of a conversation, each asked for by half of its words.
 */
async function trained(): Promise<Ranker> {
  const db = await openMemory({ codebook })
  const lines = flight(1000, 1200)
  await db.observeMany(lines)
  const judgements = lines
    .filter((_, i) => i % 4 === 0)
    .map(({ id, text }) => ({
      ids: [id],
      cue: text
        .split(' ')
        .filter((_, word) => word % 2 === 0)
        .join(' '),
    }))
  const halves = [0, 1].map((group) =>
    examplesOf(
      db,
      judgements.filter((_, i) => i % 2 === group),
      String(group),
    ),
  )
  const examples = (await Promise.all(halves)).flat()
  await db.close()
  const model = trainModel(examples, { columns: FEATURES, folds: 2, boost: { trees: 20, leafRows: 20 } })
  return {
    format: 'agidb-ranker',
    version: 1,
    name: 'twin',
    trainedOn: 'Apollo 13',
    licence: 'public domain',
    models: { codebook: model },
  }
}

/** Lines of the Apollo 13 transcript. */
function flight(from: number, to: number): (Observation & { readonly id: string })[] {
  const lines = readFileSync(new URL('../../../demo/data/apollo13.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(from, to)
  return lines.map((line, i) => {
    const { at, speaker, text } = JSON.parse(line) as { at: string; speaker: string; text: string }
    return {
      id: `line ${i}`,
      at,
      speaker,
      text,
      session: `hour ${at.slice(0, 13)}`,
      triples: [{ subject: speaker, predicate: text.split(' ')[0], object: text.slice(-20) }],
    }
  })
}

const EQUIPMENT: readonly (readonly [string, Equipment])[] = [
  ['by the fusion alone', { ranker: 'fusion' }],
  ['by a codebook and a learned ranker', { codebook, ranker: await trained() }],
]

/** Takes one step; `blind` never sees what is forgotten. */
async function take(
  to: Timed,
  step: Step,
  index: number,
  forgotten: ReadonlySet<string>,
  blind: boolean,
): Promise<void> {
  to.now = NOW + index * 1000
  if (blind && (forgotten.has(step.id) || (step.kind === 'supersede' && forgotten.has(step.by)))) return
  if (step.kind === 'observe') await to.db.observe(step.item.text, { ...withoutText(step.item), id: step.id })
  else if (step.kind === 'supersede') await to.db.supersede(step.id, step.by)
  else await to.db.remove(step.id)
}

function withoutText({ text: _, ...context }: Observation): Omit<Observation, 'text'> {
  return context
}

/** All that a user can see of a database. */
async function seen(db: Engine, questions: readonly Question[]) {
  const answers = []
  for (const { cue, options } of questions) {
    const { id: _, elapsedMs: __, ...answer } = await db.recall(cue, { ...options, traceAttention: true })
    answers.push(answer)
  }
  const { episodes, sessions, speakers, concepts, terms } = await db.stats()
  return { answers, counts: { episodes, sessions, speakers, concepts, terms }, listing: await listed(db, { limit: 7 }) }
}

const DAY = 86_400_000
const words = [
  'yesterday',
  'today',
  'in 2021',
  'last week',
  'I',
  'you',
  'my',
  'fuel',
  'tank',
  'pump',
  'the',
  'is',
  'Bawri',
  'Sarah',
  'Tom',
  'Москва',
  '東京',
  '🚀',
  'pumping',
  "isn't",
  '…',
  'red',
  'valve',
]
const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 7 }).map((chosen) => chosen.join(' '))
/** Also what asks for a time, or for a time alone. */
const cue = fc.oneof(
  { weight: 3, arbitrary: text },
  fc.constantFrom('what did we talk about today?', 'what did I say in 2021?', 'what happened before yesterday?'),
  text.map((event) => `what happened a day after the ${event}?`),
)
const filler = fc.constantFrom('Sarah', 'sarah', 'Tom', 'fuel tank', '東京', 'Bawri')
const triple = fc.record({
  subject: filler,
  predicate: fc.constantFrom('likes', 'pumps', 'is', 'fuels', 'Москва', 'tank valve', 'reds', '🚀'),
  object: filler,
})
const session = fc.constantFrom('s', 't', 'u')
const speaker = fc.constantFrom('Sarah', 'Tom', 'Anna', 'user', 'assistant')
const source = fc.constantFrom('chat', 'mail')
const asOf = fc.integer({ min: NOW - 30_000, max: NOW + 30_000 })
const item: fc.Arbitrary<Observation> = fc.record(
  {
    text,
    speaker,
    session,
    source,
    at: fc.oneof(asOf, fc.constantFrom(NOW - DAY, NOW - 7 * DAY, Date.UTC(2021, 5))),
    triples: fc.array(triple, { maxLength: 3 }),
  },
  { requiredKeys: ['text'] },
)
const question: fc.Arbitrary<Question> = fc.record({
  cue,
  options: fc.record(
    {
      k: fc.integer({ min: 1, max: 40 }),
      session,
      speaker,
      source,
      validAsOf: asOf,
      transactionAsOf: asOf,
      recencyWindow: fc.integer({ min: 1, max: 60_000 }),
      tierFloor: fc.constantFrom('exact', 'similarity', 'gist', 'nearest'),
      fold: fc.boolean(),
      context: fc.integer({ min: 0, max: 10 }),
      budgetTokens: fc.integer({ min: 1, max: 400 }),
      goals: fc.array(text, { maxLength: 3 }),
      goalBias: fc.double({ min: 0, max: 1, noNaN: true }),
      asker: fc.constantFrom('Sarah', 'tom', 'Zoe'),
      structured: fc.record(
        { subject: filler, predicate: fc.constantFrom('likes', 'owns', 'fuels'), object: filler },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  ),
})

/**
 * Episodes of which some are superseded and some are forgotten, at any time; also what stays may be superseded by what
 * goes.
 */
const history: fc.Arbitrary<Step[]> = fc
  .array(fc.record({ item, forgotten: fc.boolean(), soon: fc.nat(12), by: fc.option(fc.nat(50)) }), {
    minLength: 1,
    maxLength: 18,
  })
  .map((plans) => {
    const steps: { at: number; step: Step }[] = []
    plans.forEach(({ item, forgotten, soon, by }, i) => {
      const id = `m${i}`
      steps.push({ at: i, step: { kind: 'observe', id, item, forgotten } })
      const other = by === null ? i : by % plans.length
      const later = Math.max(i, other)
      const removedAt = (index: number) => (plans[index].forgotten ? index + 0.5 + plans[index].soon : Infinity)
      // By a later one only: so there are no circles.
      if (other > i && later + 0.2 < Math.min(removedAt(i), removedAt(other))) {
        steps.push({ at: later + 0.2, step: { kind: 'supersede', id, by: `m${other}` } })
      }
      if (forgotten) steps.push({ at: i + 0.5 + soon, step: { kind: 'remove', id } })
    })
    return steps.sort((a, b) => a.at - b.at).map(({ step }) => step)
  })

const forgottenOf = (steps: readonly Step[]) =>
  new Set(steps.flatMap((step) => (step.kind === 'remove' ? [step.id] : [])))

test('the learned ranker of the twins ranks', async () => {
  const { db } = await timed(EQUIPMENT[1][1])
  await db.observe('The pump is red.', { id: 'pump' })
  expect(await db.stats()).toMatchObject({ ranker: 'twin', codebook: codebook.id })
  const { attentionTrace } = await db.recall('pump', { traceAttention: true })
  expect(attentionTrace!.candidates[0].signals.prior).not.toBe(0)
  expect(EQUIPMENT[1][1].ranker).toMatchObject({ models: { codebook: { trees: { length: 20 } } } })
  await db.close()
})

describe.each(EQUIPMENT)('a database that observed something and removed it, and ranks %s,', (_, equipment) => {
  test('answers every question as a twin that never saw it', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.array(question, { minLength: 1, maxLength: 5 }), async (steps, questions) => {
        const forgotten = forgottenOf(steps)
        const learned = await timed(equipment)
        const twin = await timed(equipment)
        for (const [i, step] of steps.entries()) {
          await take(learned, step, i, forgotten, false)
          await take(twin, step, i, forgotten, true)
        }
        expect(await seen(learned.db, questions)).toEqual(await seen(twin.db, questions))
        await learned.db.close()
        await twin.db.close()
      }),
      { numRuns: 40 },
    )
  })

  test('does so after it was closed and opened again, and again', async () => {
    await fc.assert(
      fc.asyncProperty(
        history,
        fc.array(question, { minLength: 1, maxLength: 3 }),
        fc.nat(),
        async (steps, questions, pick) => {
          await withFolder(async (path) => {
            const forgotten = forgottenOf(steps)
            let learned = await timed(equipment, path)
            const twin = await timed(equipment)
            const reopenAt = pick % steps.length
            for (const [i, step] of steps.entries()) {
              await take(learned, step, i, forgotten, false)
              await take(twin, step, i, forgotten, true)
              if (i === reopenAt) {
                await learned.db.close()
                learned = await timed(equipment, path)
              }
            }
            const expected = await seen(twin.db, questions)
            learned.now = twin.now = NOW + steps.length * 1000
            expect(await seen(learned.db, questions)).toEqual(await seen(twin.db, questions))
            await learned.db.close()
            learned = await timed(equipment, path)
            learned.now = twin.now
            expect(await seen(learned.db, questions)).toEqual(await seen(twin.db, questions))
            expect(expected.listing).toEqual((await seen(learned.db, [])).listing)
            await learned.db.close()
            await twin.db.close()
          })
        },
      ),
      { numRuns: 8 },
    )
  })

  test('removes it from traces of earlier recalls; traces of other times equal those of the twin', async () => {
    await fc.assert(
      fc.asyncProperty(history, question, async (steps, { cue, options }) => {
        const forgotten = forgottenOf(steps)
        const learned = await timed(equipment)
        const twin = await timed(equipment)
        const traces: { readonly ids: readonly string[]; readonly touched: boolean }[] = []
        const alive = new Set<string>()
        for (const [i, step] of steps.entries()) {
          await take(learned, step, i, forgotten, false)
          await take(twin, step, i, forgotten, true)
          twin.now = learned.now
          if (step.kind === 'observe') alive.add(step.id)
          if (step.kind === 'remove') alive.delete(step.id)
          const asked = { ...options, traceAttention: true }
          const ids = [(await learned.db.recall(cue, asked)).id, (await twin.db.recall(cue, asked)).id]
          traces.push({ ids, touched: [...forgotten].some((id) => alive.has(id)) })
        }
        for (const { ids, touched } of traces) {
          const [own, others] = [await learned.db.attentionTrace(ids[0]), await twin.db.attentionTrace(ids[1])]
          // The trace of a recall goes with what it answered.
          if (own === undefined) {
            expect(touched).toBe(true)
            continue
          }
          if (!touched) expect(own).toEqual(others)
          expect([own.cue, own.at]).toEqual([others!.cue, others!.at])
          expect(forgotten.has(own.time?.event ?? '')).toBe(false)
          for (const { id, foldedInto = id } of own.candidates)
            expect([forgotten.has(id), forgotten.has(foldedInto)]).toEqual([false, false])
        }
        await learned.db.close()
        await twin.db.close()
      }),
      { numRuns: 12 },
    )
  })

  test('does so with a real conversation, of which every third line is forgotten', async () => {
    const items = flight(5000, 5600)
    const stays = (_: unknown, i: number) => i % 3 !== 1
    const learned = await openMemory(equipment)
    await learned.observeMany(items)
    for (const [i, { id }] of items.entries()) if (!stays(id, i)) await learned.remove(id)
    const twin = await openMemory(equipment)
    await twin.observeMany(items.filter(stays))
    const cues = items.filter((_, i) => i % 60 === 0).map(({ text }) => text)
    const questions = [
      ...cues,
      'What is the pressure in the oxygen tank?',
      'Who says good night?',
      'and the',
      'What was said on 14 April 1970?',
      'What did they read back an hour after the explosion?',
    ].map((cue) => ({ cue, options: { k: 50, goals: ['save power'] } }))
    expect(await seen(learned, questions)).toEqual(await seen(twin, questions))
    await learned.close()
    await twin.close()
  })
})
