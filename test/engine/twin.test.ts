import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Observation } from '../../src/core/episode.js'
import type { RecallOptions } from '../../src/core/recall.js'
import { openEngine, type Engine } from '../../src/engine.js'
import { nodeStorage } from '../../src/storage/node.js'
import { kernel } from '../hdc/kernel.js'
import { listed, NOW, openMemory, withFolder } from './open.js'

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

async function timed(path?: string): Promise<Timed> {
  const self: Timed = { db: undefined as never, now: NOW }
  const clock = () => self.now
  self.db = path === undefined ? await openMemory({ clock }) : await openEngine({ kernel, storage: nodeStorage(path), clock, seed: 1 })
  return self
}

/** Takes one step; `blind` never sees what is forgotten. */
async function take(to: Timed, step: Step, index: number, forgotten: ReadonlySet<string>, blind: boolean): Promise<void> {
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

const words = ['I', 'you', 'my', 'fuel', 'tank', 'pump', 'the', 'is', 'Bawri', 'Sarah', 'Tom', 'Москва', '東京', '🚀', 'pumping', "isn't", '…', 'red', 'valve']
const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 7 }).map((chosen) => chosen.join(' '))
const filler = fc.constantFrom('Sarah', 'sarah', 'Tom', 'fuel tank', '東京', 'Bawri')
const triple = fc.record({ subject: filler, predicate: fc.constantFrom('likes', 'pumps', 'is', 'fuels', 'Москва', 'tank valve', 'reds', '🚀'), object: filler })
const session = fc.constantFrom('s', 't', 'u')
const speaker = fc.constantFrom('Sarah', 'Tom', 'Anna', 'user', 'assistant')
const source = fc.constantFrom('chat', 'mail')
const item: fc.Arbitrary<Observation> = fc.record(
  { text, speaker, session, source, at: fc.integer({ min: NOW - 30_000, max: NOW + 30_000 }), triples: fc.array(triple, { maxLength: 3 }) },
  { requiredKeys: ['text'] },
)
const asOf = fc.integer({ min: NOW - 30_000, max: NOW + 30_000 })
const question: fc.Arbitrary<Question> = fc.record({
  cue: text,
  options: fc.record(
    {
      k: fc.integer({ min: 1, max: 40 }), session, speaker, source, validAsOf: asOf, transactionAsOf: asOf,
      recencyWindow: fc.integer({ min: 1, max: 60_000 }), tierFloor: fc.constantFrom('exact', 'similarity', 'gist', 'nearest'),
      fold: fc.boolean(), context: fc.integer({ min: 0, max: 10 }), budgetTokens: fc.integer({ min: 1, max: 400 }),
      goals: fc.array(text, { maxLength: 3 }), goalBias: fc.double({ min: 0, max: 1, noNaN: true }), asker: fc.constantFrom('Sarah', 'tom', 'Zoe'),
      structured: fc.record({ subject: filler, predicate: fc.constantFrom('likes', 'owns', 'fuels'), object: filler }, { requiredKeys: [] }),
    },
    { requiredKeys: [] },
  ),
})

/** Episodes of which some are superseded and some are forgotten, at any time; also what stays may be superseded by what goes. */
const history: fc.Arbitrary<Step[]> = fc
  .array(fc.record({ item, forgotten: fc.boolean(), soon: fc.nat(12), by: fc.option(fc.nat(50)) }), { minLength: 1, maxLength: 18 })
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

const forgottenOf = (steps: readonly Step[]) => new Set(steps.flatMap((step) => (step.kind === 'remove' ? [step.id] : [])))

describe('a database that observed something and removed it', () => {
  test('answers every question as a twin that never saw it', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.array(question, { minLength: 1, maxLength: 5 }), async (steps, questions) => {
        const forgotten = forgottenOf(steps)
        const learned = await timed()
        const twin = await timed()
        for (const [i, step] of steps.entries()) {
          await take(learned, step, i, forgotten, false)
          await take(twin, step, i, forgotten, true)
        }
        expect(await seen(learned.db, questions)).toEqual(await seen(twin.db, questions))
        await learned.db.close()
        await twin.db.close()
      }),
      { numRuns: 150 },
    )
  })

  test('does so after it was closed and opened again, and again', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.array(question, { minLength: 1, maxLength: 3 }), fc.nat(), async (steps, questions, pick) => {
        await withFolder(async (path) => {
          const forgotten = forgottenOf(steps)
          let learned = await timed(path)
          const twin = await timed()
          const reopenAt = pick % steps.length
          for (const [i, step] of steps.entries()) {
            await take(learned, step, i, forgotten, false)
            await take(twin, step, i, forgotten, true)
            if (i === reopenAt) {
              await learned.db.close()
              learned = await timed(path)
            }
          }
          const expected = await seen(twin.db, questions)
          learned.now = twin.now = NOW + steps.length * 1000
          expect(await seen(learned.db, questions)).toEqual(await seen(twin.db, questions))
          await learned.db.close()
          learned = await timed(path)
          learned.now = twin.now
          expect(await seen(learned.db, questions)).toEqual(await seen(twin.db, questions))
          expect(expected.listing).toEqual((await seen(learned.db, [])).listing)
          await learned.db.close()
          await twin.db.close()
        })
      }),
      { numRuns: 20 },
    )
  })

  test('shows nothing of it in the traces of recalls from before; those from when it was not there are as the twin has them', async () => {
    await fc.assert(
      fc.asyncProperty(history, question, async (steps, { cue, options }) => {
        const forgotten = forgottenOf(steps)
        const learned = await timed()
        const twin = await timed()
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
          expect(own).toBeDefined()
          if (!touched) expect(own).toEqual(others)
          expect([own!.cue, own!.at]).toEqual([others!.cue, others!.at])
          for (const { id, foldedInto = id } of own!.candidates) expect([forgotten.has(id), forgotten.has(foldedInto)]).toEqual([false, false])
        }
        await learned.db.close()
        await twin.db.close()
      }),
      { numRuns: 60 },
    )
  })

  test('does so with a real conversation, of which every third line is forgotten', async () => {
    const lines = readFileSync(new URL('../../demo/data/apollo13.jsonl', import.meta.url), 'utf8').trim().split('\n').slice(5000, 5900)
    const items: Observation[] = lines.map((line, i) => {
      const { at, speaker, text } = JSON.parse(line) as { at: string; speaker: string; text: string }
      return { id: `line ${i}`, at, speaker, text, session: `hour ${at.slice(0, 13)}`, triples: [{ subject: speaker, predicate: text.split(' ')[0], object: text.slice(-20) }] }
    })
    const stays = (_: unknown, i: number) => i % 3 !== 1
    const learned = await openMemory()
    await learned.observeMany(items)
    for (const [i, { id }] of items.entries()) if (!stays(id, i)) await learned.remove(id!)
    const twin = await openMemory()
    await twin.observeMany(items.filter(stays))
    const cues = items.filter((_, i) => i % 45 === 0).map(({ text }) => text)
    const questions = [...cues, 'What is the pressure in the oxygen tank?', 'Who says good night?', 'and the'].map((cue) => ({ cue, options: { k: 50 } }))
    expect(await seen(learned, questions)).toEqual(await seen(twin, questions))
    await learned.close()
    await twin.close()
  })
})
