import { expect, test } from 'vitest'
import type { LearningEvent } from '../../../src/api/learning.js'
import { Associations } from '../../../src/indexes/graph/associations.js'
import type { AssociationGraph } from '../../../src/kernel/graph.js'
import { referenceGraphs } from '../../../src/kernel/reference/graph/kernel.js'
import type { Logged } from '../../../src/records/event-log.js'

const EPISODES = 4
const NOW = '2026-01-01T00:00:00.000Z'

/** Associations of four episodes of one session with two tags each, all of which one recall found. */
function associated(graphs = referenceGraphs): Associations {
  const event = {
    id: 'le_1',
    kind: 'recallsLearned',
    since: NOW,
    episodes: ['0', '1', '2', '3'],
    recalls: [[0, 0, 1, 2, 3]],
  }
  const log: Logged[] = [{ slot: EPISODES, event: event as unknown as LearningEvent }]
  const made = new Associations(graphs)
  made.use({
    catalog: {
      slot: Number,
      *slots(from = 0) {
        for (let slot = from; slot < EPISODES; slot++) yield slot
      },
      recordedAt: () => 0,
    },
    timeline: { previous: (slot) => slot - 1, moves: 0 },
    attributes: { tags: (slot) => [`tag ${slot}`, 'tea'] },
  })
  made.follow(() => log)
  return made
}

const edgesOf = (graph: AssociationGraph) =>
  Array.from({ length: EPISODES }, (_, slot) => {
    const { slots, weights } = graph.neighbours(slot)
    return [[...slots], [...weights]]
  })

test('an error while episodes and events are taken in counts none of them twice', () => {
  const whole = associated()
  const edges = edgesOf(whole.graph)
  const pairs = [...whole.tags.save()]
  const { associations, coActivation } = referenceGraphs
  let left = 0
  const failing = <A extends unknown[], R>(call: (...args: A) => R) => {
    return (...args: A): R => {
      if (left-- === 0) throw new Error('the kernel is full')
      return call(...args)
    }
  }
  const broken = {
    ...referenceGraphs,
    associations() {
      const graph = associations()
      graph.strengthen = failing(graph.strengthen.bind(graph))
      return graph
    },
    coActivation() {
      const tags = coActivation()
      tags.pairs.add = failing(tags.pairs.add.bind(tags.pairs))
      return tags
    },
  }
  let failures = 0
  for (let after = 0; after === failures; after++) {
    const made = associated(broken)
    left = after
    try {
      made.settle()
    } catch {
      failures++
    }
    left = Infinity
    made.settle()
    expect(edgesOf(made.graph), `after ${after} calls`).toEqual(edges)
    expect([...made.tags.save()], `after ${after} calls`).toEqual(pairs)
  }
  expect(failures).toBeGreaterThan(10)
})
