import { afterAll, beforeAll, expect, test } from 'vitest'
import { AgidbError } from '../../../src/base/errors.js'
import type { Engine } from '../../../src/engine/engine.js'
import { openMemory } from './open.js'

const cyclic: Record<string, unknown> = {}
cyclic['self'] = cyclic
const ownPrototype: unknown = JSON.parse('{"__proto__": {"k": 1}, "constructor": 1}')

/** What is wrong for each kind of input. Absent ones are optional everywhere but where a kind says otherwise. */
const WRONG = {
  text: [undefined, null, 7, NaN, {}, [], cyclic, '', ' ', '\ud800', 'x'.repeat(70_000)],
  name: [null, 7, Infinity, {}, [], '', ' ', '\udc00', 'x'.repeat(1_025)],
  id: [undefined, null, 7, {}, [], '', '\ud800', 'x'.repeat(1_025)],
  whole: [null, NaN, Infinity, -1, 1.5, 1e300, '3', {}, [1], true],
  share: [null, NaN, Infinity, -0.1, 1.1, '0.5', {}, []],
  time: [null, NaN, Infinity, 'yesterday-ish', {}, [], new Date(NaN), 9e15, true],
  flag: [null, 0, 1, 'true', {}, []],
  list: [null, 7, 'x', {}, cyclic, Array.from({ length: 2_000_000 }, () => 'x')],
  json: [
    null,
    7,
    'x',
    [],
    cyclic,
    ownPrototype,
    { a: NaN },
    { a: undefined },
    { a: new Date() },
    { a: 'x'.repeat(17_000) },
  ],
  options: [null, 7, 'x', [], { noSuchOption: 1 }, cyclic, ownPrototype],
} as const
type Kind = keyof typeof WRONG

/** An input of a method: how to call it with a value there, of what kind it is, and what the refusal must name. */
type Input = readonly [call: (db: Engine, value: never) => Promise<unknown>, kind: Kind, named: string]

const INPUTS: Readonly<Record<string, readonly Input[]>> = {
  observe: [
    [(db, value) => db.observe(value), 'text', 'text'],
    [(db, value) => db.observe('x', value), 'options', ''],
    ...(['id', 'speaker', 'session', 'source'] as const).map(
      (key): Input => [(db, value) => db.observe('x', { [key]: value }), 'name', key],
    ),
    [(db, value) => db.observe('x', { at: value }), 'time', 'at'],
    [(db, value) => db.observe('x', { triples: value }), 'list', 'triples'],
    [(db, value) => db.observe('x', { triples: [{ subject: value, predicate: 'p', object: 'o' }] }), 'id', 'subject'],
    [(db, value) => db.observe('x', { triples: [value] }), 'options', 'triples[0]'],
    [(db, value) => db.observe('x', { tags: value }), 'list', 'tags'],
    [(db, value) => db.observe('x', { tags: ['first', value] }), 'id', 'tags[1]'],
    [(db, value) => db.observe('x', { metadata: value }), 'json', 'metadata'],
    [(db, value) => db.observe('x', { expiresAt: value }), 'time', 'expiresAt'],
  ],
  observeMany: [
    [(db, value) => db.observeMany(value), 'list', 'items'],
    [(db, value) => db.observeMany([{ text: 'x' }, value]), 'options', 'items[1]'],
    [(db, value) => db.observeMany([{ text: 'x' }, { text: value }]), 'text', 'items[1].text'],
    [(db, value) => db.observeMany([{ text: 'x' }], value), 'options', ''],
  ],
  getEpisode: [[(db, value) => db.getEpisode(value), 'id', 'id']],
  supersede: [
    [(db, value) => db.supersede(value, 'b'), 'id', 'id'],
    [(db, value) => db.supersede('a', value), 'id', 'byId'],
    [(db, value) => db.supersede('a', 'b', value), 'time', 'at'],
  ],
  recall: [
    [(db, value) => db.recall(value), 'text', 'cue'],
    [(db, value) => db.recall('x', value), 'options', ''],
    ...(['k', 'context', 'budgetTokens'] as const).map(
      (key): Input => [(db, value) => db.recall('x', { [key]: value }), 'whole', key],
    ),
    ...(['session', 'speaker', 'source'] as const).map(
      (key): Input => [(db, value) => db.recall('x', { [key]: value }), 'name', key],
    ),
    [(db, value) => db.recall('x', { at: value }), 'options', 'at'],
    [(db, value) => db.recall('x', { filter: value }), 'options', 'filter'],
    [(db, value) => db.recall('x', { at: { from: value } }), 'time', 'at.from'],
    [(db, value) => db.recall('x', { minConfidence: value }), 'share', 'minConfidence'],
    ...(['validAsOf', 'transactionAsOf'] as const).map(
      (key): Input => [(db, value) => db.recall('x', { [key]: value }), 'time', key],
    ),
  ],
  episodes: [
    [(db, value) => db.page({ limit: value }), 'whole', 'limit'],
    [(db, value) => db.page(value), 'options', ''],
    [(db, value) => db.page({ session: value }), 'name', 'session'],
    [(db, value) => db.page({ filter: { speaker: value } }), 'name', 'filter.speaker'],
    [(db, value) => db.count(value), 'options', 'filter'],
    [(db, value) => db.page({ at: { to: value } }), 'time', 'at.to'],
  ],
  attentionTrace: [[(db, value) => db.attentionTrace(value), 'id', 'recallId']],
  verify: [
    [(db, value) => db.verify({ repair: value }), 'flag', 'repair'],
    [(db, value) => db.verify(value), 'options', ''],
  ],
  export: [
    [(db, value) => db.export(value), 'options', ''],
    [(db, value) => db.export({ filter: value }), 'options', 'filter'],
  ],
  import: [
    [(db, value) => db.import(new Uint8Array(), { replace: value }), 'flag', 'replace'],
    [(db, value) => db.import(new Uint8Array(), value), 'options', ''],
  ],
  setGoal: [
    [(db, value) => db.setGoal(value), 'options', ''],
    [(db, value) => db.setGoal({ description: value }), 'text', 'description'],
    [(db, value) => db.setGoal({ description: 'x', successCriteria: value }), 'list', 'successCriteria'],
    [(db, value) => db.setGoal({ description: 'x', deadline: value }), 'time', 'deadline'],
  ],
  goals: (['pauseGoal', 'resumeGoal', 'abandonGoal', 'getGoal', 'goalTree'] as const).map(
    (method): Input => [
      (db, value) => (db[method] as (id: string, reason: string) => Promise<unknown>).call(db, value, 'r'),
      'id',
      '',
    ],
  ),
  assertBelief: [
    [(db, value) => db.assertBelief(value), 'options', ''],
    [(db, value) => db.assertBelief({ claim: value }), 'text', 'claim'],
    [(db, value) => db.assertBelief({ claim: 'x', confidence: value }), 'share', 'confidence'],
    [(db, value) => db.assertBelief({ claim: 'x', evidence: value }), 'list', 'evidence'],
    [(db, value) => db.assertBelief({ claim: 'x', validFrom: value }), 'time', 'validFrom'],
  ],
  beliefs: (['reviseBelief', 'withdrawBelief', 'getBelief', 'beliefHistory'] as const).map(
    (method): Input => [
      (db, value) => (db[method] as (id: string, other: string) => Promise<unknown>).call(db, value, 'r'),
      'id',
      '',
    ],
  ),
  learnProcedure: [
    [(db, value) => db.learnProcedure(value), 'options', ''],
    [(db, value) => db.learnProcedure({ name: 'n', trigger: value, steps: ['s'] }), 'text', 'trigger'],
    [(db, value) => db.learnProcedure({ name: 'n', trigger: 't', steps: value }), 'list', 'steps'],
  ],
  recordExecution: [[(db, value) => db.recordExecution('x', value), 'options', '']],
  observeSensory: [
    [(db, value) => db.observeSensory(value), 'options', ''],
    [(db, value) => db.observeSensory({ modality: 'text', text: value }), 'text', 'text'],
    [(db, value) => db.observeSensory({ modality: 'multimodal', text: value }), 'text', 'text'],
  ],
  consolidate: [
    [(db, value) => db.consolidate(value), 'options', ''],
    [(db, value) => db.consolidate({ minSupport: value }), 'whole', 'minSupport'],
  ],
  whatDidILearn: [
    [(db, value) => db.whatDidILearn(value), 'time', 'since'],
    [(db, value) => db.whatDidILearn(0, { limit: value }), 'whole', 'limit'],
  ],
  selfVectorAt: [[(db, value) => db.selfVectorAt(value), 'time', '']],
}

let db: Engine
beforeAll(async () => {
  db = await openMemory()
  await db.observe('It was said first.', { id: 'a' })
  await db.observe('It was said then.', { id: 'b' })
})
afterAll(() => db.close())

/** A value, for the message of a failing test. */
const shown = (value: unknown): string =>
  Array.isArray(value)
    ? `a list of ${value.length}`
    : typeof value === 'object' && value !== null
      ? Object.prototype.toString.call(value)
      : String(value).slice(0, 20)

for (const [method, inputs] of Object.entries(INPUTS)) {
  test(`${method} refuses whatever is wrong by a code, names it, and writes nothing`, async () => {
    const before = [await db.stats(), await db.whatDidILearn(0)]
    const faults: string[] = []
    for (const [i, [call, kind, named]] of inputs.entries()) {
      for (const value of WRONG[kind]) {
        const where = `input ${i} (${kind} ${named}) with ${shown(value)}`
        try {
          await call(db, value as never)
          faults.push(`${where} was accepted`)
        } catch (error) {
          const { code, message } = error as AgidbError
          if (!(error instanceof AgidbError) || code === 'AGIDB_INTERNAL')
            faults.push(`${where} threw ${String(error)}`)
          else if (!message.includes(named) || message.length < 20) faults.push(`${where} says: ${message}`)
        }
      }
    }
    expect(faults).toEqual([])
    expect([await db.stats(), await db.whatDidILearn(0)]).toEqual(before)
    expect(({} as Record<string, unknown>)['k'], 'a prototype was changed').toBeUndefined()
  })
}
