import { expect, test } from 'vitest'
import type { LearningEvent } from '../../../src/api/learning.js'
import type { AttentionTrace } from '../../../src/api/recall.js'
import type { SensoryFrame } from '../../../src/api/sensory.js'
import { AtomTable } from '../../../src/memory/knowledge/projection.js'
import { AttentionTraces } from '../../../src/memory/self/attention-traces.js'
import { BeliefTable } from '../../../src/memory/beliefs/projection.js'
import { SensoryBuffer } from '../../../src/memory/sensory/buffer.js'
import { GoalTable } from '../../../src/memory/goals/projection.js'
import { LearningLog } from '../../../src/records/event-log.js'
import { ProcedureTable } from '../../../src/memory/procedures/projection.js'
import { SelfVector } from '../../../src/memory/self/self-vector.js'

const at = '2027-01-15T08:00:00.000Z'
const provenance = { writer: 'test', episodes: [] }
const COUNT = 2_000

const goals = Array.from(
  { length: COUNT },
  (_, i): LearningEvent => ({
    id: `ev_goal_${i}`,
    at,
    kind: 'goalSet',
    goal: `go_${i}`,
    description: `Look after the garden, part ${i}`,
    successCriteria: [],
    completion: 'all',
    provenance,
  }),
)
const beliefs = Array.from(
  { length: COUNT },
  (_, i): LearningEvent => ({
    id: `ev_belief_${i}`,
    at,
    kind: 'beliefAsserted',
    belief: `be_${i}`,
    claim: `garden number ${i} is green`,
    confidence: 0.6,
    evidence: [],
    validFrom: at,
    provenance,
  }),
)
const procedures = Array.from(
  { length: COUNT },
  (_, i): LearningEvent => ({
    id: `ev_procedure_${i}`,
    at,
    kind: 'procedureLearned',
    procedure: `pr_${i}`,
    name: `water garden ${i}`,
    trigger: 'when it is dry',
    steps: ['fill', 'pour'],
    preconditions: [],
    provenance,
  }),
)
const atoms = Array.from(
  { length: COUNT },
  (_, i): LearningEvent => ({
    id: `ev_atom_${i}`,
    at,
    kind: 'semanticAtomFormed',
    atom: `at_${i}`,
    statement: `garden ${i} is green`,
    episodes: [`ep_${2 * i}`, `ep_${2 * i + 1}`],
    upTo: 2 * i + 1,
  }),
)

/** What V8 cannot do with less: three words an object and one a property, and its place in a map. */
const tables = [
  { name: 'goals', table: () => new GoalTable(), events: goals, least: 24 + 8 * 14 + 32 + 48 + 2 * 26 },
  {
    name: 'beliefs',
    table: () => new BeliefTable({ fateOf: () => undefined, slotOf: () => undefined, hadEnded: () => false }),
    events: beliefs,
    least: 2 * (24 + 8 * 4) + 26,
  },
  { name: 'procedures', table: () => new ProcedureTable(), events: procedures, least: 24 + 8 * 10 + 2 * 26 },
  { name: 'atoms', table: () => new AtomTable(), events: atoms, least: 24 + 8 * 5 + 150 + 26 + 2 * (150 + 2 * 26) },
]

test.each(tables)('the table of $name counts what it keeps of each', ({ table, events, least }) => {
  const some = table()
  events.forEach((event, slot) => some.apply(event, slot))
  expect(some.bytes).toBeGreaterThan(COUNT * least)
  const half = table()
  events.slice(0, COUNT / 2).forEach((event, slot) => half.apply(event, slot))
  expect(half.bytes / some.bytes).toBeCloseTo(0.5, 1)
})

test('the log counts the words of events', () => {
  const log = new LearningLog()
  beliefs.forEach((event, slot) => log.apply(event, slot))
  const words = beliefs.reduce((sum, event) => sum + JSON.stringify(Object.values(event)).length, 0)
  expect(log.bytes).toBeGreaterThan(words)
  expect(log.bytes).toBeLessThan(6 * words)
})

test('traces count as long as they are kept', () => {
  const live = new Map<string, number>()
  const traces = new AttentionTraces({ slot: (id) => (live.get(id) === -1 ? undefined : 0) }, 2)
  const trace = (count: number) =>
    ({
      candidates: Array.from({ length: count }, (_, i) => ({ id: `ep_${String(i).padStart(26, '0')}`, score: 0.5 })),
    }) as unknown as AttentionTrace
  expect(traces.bytes).toBe(0)
  traces.keep('rc_1', trace(100))
  const one = traces.bytes
  expect(one).toBeGreaterThan(100 * (24 + 2 * 8 + 29 + 16))
  traces.keep('rc_2', trace(100))
  expect(traces.bytes).toBe(2 * one)
  traces.keep('rc_3', trace(100))
  expect(traces.bytes).toBe(2 * one)
  live.set('ep_00000000000000000000000007', -1)
  traces.forgetGone()
  expect(traces.bytes).toBeLessThan(2 * one)
})

test('frames count with their latents, and epochs with their bundles', () => {
  const buffer = new SensoryBuffer()
  for (let i = 0; i < 100; i++) {
    const frame: SensoryFrame = {
      id: `sf_${i}`,
      modality: 'audio',
      latent: new Float32Array(384),
      encoder: 'sines',
      at,
      receivedAt: at,
      surprise: 0.5,
      goalRelevance: 0,
    }
    buffer.apply({ frame, number: i + 1 }, i)
  }
  expect(buffer.bytes).toBeGreaterThan(100 * 4 * 384)
  for (let i = 0; i < 100; i++) buffer.remove(`sf_${i}`)
  expect(buffer.bytes).toBe(0)
  const sensed = { surprise: 0.5, encoder: 'sines', latent: new Float32Array(384) }
  const parts = [
    { ...sensed, modality: 'image' as const },
    { ...sensed, modality: 'audio' as const },
  ]
  const several: SensoryFrame = {
    ...{ id: 'sf_several', at, receivedAt: at, surprise: 0.5, goalRelevance: 0 },
    modality: 'multimodal',
    parts,
  }
  buffer.apply({ frame: several, number: 101 }, 101)
  const before = buffer.bytes
  expect(before).toBeGreaterThan(2 * 4 * 384)
  for (const { modality } of [...parts, ...parts]) buffer.signature('sf_several', modality, () => new Uint8Array(1024))
  expect(buffer.bytes - before).toBeGreaterThan(2 * 1024)
  expect(buffer.bytes - before).toBeLessThan(3 * 1024)
  buffer.remove('sf_several')
  expect(buffer.bytes).toBe(0)
  const self = new SelfVector(new Uint8Array(1024))
  const empty = self.bytes
  expect(empty).toBeGreaterThanOrEqual(4 * 8192)
  self.take(new Uint8Array(1024), 0)
  expect(self.bytes - empty).toBeGreaterThanOrEqual(2 * 1024)
})
