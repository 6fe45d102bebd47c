import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LearningEvent } from '../../../src/api/learning.js'
import { StrengthenedAssociations } from '../../../src/indexes/graph/strengthened-associations.js'
import type { AssociationGraph } from '../../../src/kernel/graph.js'
import { referenceGraphs } from '../../../src/kernel/reference/graph/kernel.js'
import type { Logged } from '../../../src/records/event-log.js'

const NOW = Date.UTC(2026, 0, 1)
const EPISODES = 6

/** What happens to a memory, one thing after the other. */
type Happening =
  | { readonly do: 'strengthen' | 'forget'; readonly a: number; readonly b: number }
  | { readonly do: 'recall'; readonly found: readonly number[]; readonly later: number }
  | { readonly do: 'consolidate' | 'ask' }
  | { readonly do: 'leave' | 'return' | 'retract'; readonly at: number }

const episode = fc.nat(EPISODES - 1)
const happenings = fc.array(
  fc.oneof<fc.Arbitrary<Happening>[]>(
    fc.record({ do: fc.constantFrom('strengthen', 'forget'), a: episode, b: episode }),
    fc.record({
      do: fc.constant('recall'),
      found: fc.uniqueArray(episode, { minLength: 1 }),
      later: fc.nat(200_000),
    }),
    fc.record({ do: fc.constantFrom('consolidate', 'ask') }),
    fc.record({ do: fc.constantFrom('leave', 'return'), at: episode }),
    fc.record({ do: fc.constant('retract'), at: fc.nat(20) }),
  ),
  { maxLength: 30 },
)

/** A memory with episodes in the first slots, and events after them. */
class Memory {
  readonly there = new Set(Array.from({ length: EPISODES }, (_, i) => i))
  log: Logged[] = []
  #slot = EPISODES
  #now = NOW
  readonly strengthened = this.fresh()

  /** What is made of all there is now. */
  fresh(): StrengthenedAssociations {
    const strengthened = new StrengthenedAssociations(referenceGraphs)
    const slot = (id: string) => (this.there.has(Number(id)) ? Number(id) : undefined)
    strengthened.use({ catalog: { slot } })
    strengthened.follow(() => this.log)
    return strengthened
  }

  async happens(one: Happening): Promise<void> {
    switch (one.do) {
      case 'strengthen':
        if (one.a !== one.b) this.#tell({ kind: 'episodesAssociated', episodes: [`${one.a}`, `${one.b}`], weight: 0.5 })
        return
      case 'forget':
        return this.#tell({ kind: 'edgesForgotten', episodes: [`${one.a}`, `${one.b}`], evidence: [] })
      case 'recall': {
        this.#now += one.later
        const since = new Date(this.#now).toISOString()
        const recalls = [[0, ...one.found.keys()]]
        return this.#tell({ kind: 'recallsLearned', since, episodes: one.found.map(String), recalls })
      }
      case 'consolidate':
        return this.#tell({ kind: 'consolidationRun' })
      case 'ask':
        return void (await this.strengthened.settled(async () => {}))
      case 'leave':
        if (this.there.delete(one.at)) this.strengthened.left(one.at)
        return
      case 'return':
        if (this.there.has(one.at)) return
        this.there.add(one.at)
        this.strengthened.entered(one.at)
        return
      case 'retract': {
        const [gone] = this.log.slice(one.at, one.at + 1)
        this.log = this.log.filter((logged) => logged !== gone)
        if (gone !== undefined) this.strengthened.went([gone.event])
      }
    }
  }

  #tell(event: object): void {
    const logged = { slot: this.#slot++, event: { id: `le_${this.#slot}`, ...event } as unknown as LearningEvent }
    this.log.push(logged)
    this.strengthened.came(logged.event, logged.slot)
  }
}

const edgesOf = (graph: Pick<AssociationGraph, 'neighbours'> | undefined) =>
  Array.from({ length: EPISODES }, (_, slot) => {
    const { slots, weights } = graph?.neighbours(slot) ?? { slots: [], weights: [] }
    return [[...slots], [...weights]]
  })

test('what was strengthened is a function of the events and of the episodes that are there', async () => {
  await fc.assert(
    fc.asyncProperty(happenings, async (all) => {
      const memory = new Memory()
      for (const one of all) await memory.happens(one)
      const strengthened = await memory.strengthened.settled(async () => {})
      const again = await memory.fresh().settled(async () => {})
      expect(edgesOf(strengthened)).toEqual(edgesOf(again))
    }),
  )
})

test('an error while events are taken in counts none of them twice', async () => {
  const memory = new Memory()
  for (const [a, b] of [
    [0, 1],
    [1, 2],
    [0, 2],
  ])
    await memory.happens({ do: 'strengthen', a, b })
  const whole = edgesOf(await memory.fresh().settled(async () => {}))
  const { associations } = referenceGraphs
  let calls = 0
  const broken = new StrengthenedAssociations({
    ...referenceGraphs,
    associations: () => {
      const graph = associations()
      const strengthen = graph.strengthen.bind(graph)
      graph.strengthen = (a, b, weight) => {
        if (calls++ === 1) throw new Error('broken')
        return strengthen(a, b, weight)
      }
      return graph
    },
  })
  broken.use({ catalog: { slot: Number } })
  broken.follow(() => memory.log)
  await expect(broken.settled(async () => {})).rejects.toThrow('broken')
  expect(edgesOf(await broken.settled(async () => {}))).toEqual(whole)
})

test('who asks it goes on asking while it is made anew', async () => {
  const memory = new Memory()
  await memory.happens({ do: 'strengthen', a: 0, b: 1 })
  await memory.happens({ do: 'strengthen', a: 0, b: 2 })
  const asked = (await memory.strengthened.settled(async () => {}))!
  await memory.happens({ do: 'leave', at: 1 })
  await memory.happens({ do: 'ask' })
  expect([...asked.neighbours(0).slots]).toEqual([2])
})

test('it is empty once its memory was given back', async () => {
  const memory = new Memory()
  await memory.happens({ do: 'strengthen', a: 0, b: 1 })
  expect((await memory.strengthened.settled(async () => {}))?.edges).toBe(1)
  memory.strengthened.free()
  expect(await memory.strengthened.settled(async () => {})).toBeUndefined()
})
