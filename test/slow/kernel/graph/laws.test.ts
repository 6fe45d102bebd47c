import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ENTITY_TYPES, RELATION_TYPES } from '../../../../src/api/graph.js'
import { LEAST_WEIGHT, MAX_NEIGHBOURS, MAX_RELATIONS, NO_NODE } from '../../../../src/kernel/graph.js'
import { type AssociationGraph, type EntityGraph, nodeOfEntity } from '../../../../src/kernel/graph.js'
import type { CoActivation, TemporalChain } from '../../../../src/kernel/graph.js'
import { kernels, reference, wasm } from '../../../unit/kernel/kernels.js'
import { graphKernelOf } from '../../../../src/kernel/graphs.js'

const [expected, actual] = [graphKernelOf(reference), graphKernelOf(wasm)]

/** A call, which answers something that can be compared. */
type Call<G> = (graph: G) => unknown

/** Few slots, so that nodes get full and empty, on three pages. */
const slot = fc.oneof(fc.nat(25), fc.nat(25), fc.constantFrom(1023, 1024, 5000, 70_000))
const weight = fc.oneof(
  fc.constantFrom(0, LEAST_WEIGHT / 2, LEAST_WEIGHT, 0.1, 0.5, 1, 1, 1, 2, 3, 1e6),
  fc.float({ min: 0, max: 4, noNaN: true }),
)
const factor = fc.constantFrom(0.9, 0.5, 1, 0.1, 1 / 3)
const strengths = (count: number) =>
  fc
    .array(fc.float({ min: 0, max: 2, noNaN: true }), { minLength: count, maxLength: count })
    .map((all) => Float32Array.from(all))

/** What a call answers, or the message that it throws. */
function outcome<G>(call: Call<G>, graph: G): unknown {
  try {
    return call(graph)
  } catch (error) {
    return (error as Error).message
  }
}

/** Both kernels answer the same to each call of a history, and hold the same after it. */
function agree<G extends { save(): Uint8Array; load(bytes: Uint8Array): void; free(): void }>(
  make: (graphs: typeof expected) => G,
  calls: readonly Call<G>[],
): void {
  const [one, other] = [make(expected), make(actual)]
  for (const call of calls) expect(outcome(call, other)).toEqual(outcome(call, one))
  const bytes = one.save()
  expect(other.save()).toEqual(bytes)
  const loaded = make(actual)
  loaded.load(bytes)
  expect(loaded.save()).toEqual(bytes)
  for (const graph of [one, other, loaded]) graph.free()
}

const associationCall: fc.Arbitrary<Call<AssociationGraph>> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.tuple(slot, slot, weight).map(
      ([a, b, w]) =>
        (g: AssociationGraph) =>
          g.strengthen(a, b, w),
    ),
  },
  fc.tuple(slot, slot, weight).map(
    ([a, b, w]) =>
      (g: AssociationGraph) =>
        g.set(a, b, w),
  ),
  fc.tuple(slot, slot, weight).map(
    ([a, b, w]) =>
      (g: AssociationGraph) =>
        g.weaken(a, b, w),
  ),
  fc.tuple(slot, slot).map(
    ([a, b]) =>
      (g: AssociationGraph) =>
        g.removeEdge(a, b),
  ),
  slot.map((a) => (g: AssociationGraph) => g.remove(a)),
  slot.map((a) => (g: AssociationGraph) => [g.neighbours(a), g.degree(a), g.nodes, g.edges]),
  fc.tuple(factor, slot, slot).map(
    ([f, from, end]) =>
      (g: AssociationGraph) =>
        g.decay(f, from, from + end),
  ),
  factor.map((f) => (g: AssociationGraph) => g.decay(f)),
  fc
    .tuple(
      fc.array(slot, { minLength: 3, maxLength: 3 }),
      strengths(3),
      fc.integer({ min: 1, max: 4 }),
      fc.nat(30),
      factor,
    )
    .map(
      ([seeds, strengths, depth, most, attenuation]) =>
        (g: AssociationGraph) =>
          g.activate(Uint32Array.from(seeds), strengths, { depth, most, attenuation }),
    ),
)

const chainCall: fc.Arbitrary<Call<TemporalChain>> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(slot, fc.nat(1), fc.option(slot, { nil: NO_NODE }), fc.option(slot, { nil: NO_NODE, freq: 1 }))
      .map(
        ([at, session, previous, next]) =>
          (g: TemporalChain) =>
            g.insert(at, session, previous, next),
      ),
  },
  slot.map((at) => (g: TemporalChain) => g.insert(at, 1)),
  slot.map((at) => (g: TemporalChain) => g.remove(at)),
  fc.tuple(slot, fc.nat(9)).map(([at, most]) => (g: TemporalChain) => [
    g.forward(at, most),
    g.backward(at, most),
    g.session(at),
    g.nodes,
  ]),
)

const entityName = fc.nat(45).map((i) => `name ${i}`)
const relationType = fc.nat(2)
/** Calls by name, for numbers are known only after the calls before. */
const entityCall: fc.Arbitrary<Call<EntityGraph>> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(entityName, slot, fc.nat(ENTITY_TYPES.length - 1)).map(
      ([name, at, type]) =>
        (g: EntityGraph) =>
          g.link(g.add(name, type), at),
    ),
  },
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom('name 0', 'name 1'), entityName, relationType, weight, fc.boolean())
      .map(([hub, name, type, w, out]) => (g: EntityGraph) => {
        const [a, b] = [g.add(hub, 0), g.add(name, 1)]
        return out ? g.relate(a, b, type, w) : g.relate(b, a, type, w)
      }),
  },
  fc.tuple(entityName, slot).map(
    ([name, at]) =>
      (g: EntityGraph) =>
        g.unlink(g.find(name) ?? 99, at),
  ),
  slot.map((at) => (g: EntityGraph) => [g.unlinkSlot(at), g.episodes, g.links]),
  fc.tuple(entityName, entityName, relationType, fc.option(weight)).map(
    ([a, b, type, w]) =>
      (g: EntityGraph) =>
        g.unrelate(g.find(a) ?? 99, g.find(b) ?? 99, type, w ?? undefined),
  ),
  { weight: 1, arbitrary: entityName.map((name) => (g: EntityGraph) => g.remove(g.find(name) ?? 99)) },
  fc.tuple(entityName, slot).map(([name, at]) => (g: EntityGraph) => {
    const entity = g.find(name) ?? 99
    return [g.relations(entity), g.slots(entity, at, 5), g.specificity(entity), g.type(entity), g.entitiesOf(at)]
  }),
  fc
    .tuple(entityName, entityName, strengths(2), fc.nat(3), fc.nat(12), factor, fc.constantFrom(2, 1000))
    .chain((all) => fc.constantFrom('episodes', 'entities', 'both').map((answer) => [all, answer] as const))
    .map(
      ([[a, b, strengths, depth, most, attenuation, fan], answer]) =>
        (g: EntityGraph) =>
          g.activate(Uint32Array.of(g.find(a) ?? 99, g.find(b) ?? 99), strengths, {
            ...{ depth, most, attenuation, fan },
            answer: answer as 'both',
          }),
    ),
)

const tag = fc.nat(12).map((i) => `tag ${i}`)
const table = fc.constantFrom('pairs', 'edges')
const tagCall: fc.Arbitrary<Call<CoActivation>> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(table, tag, tag, fc.float({ min: -1, max: 1, noNaN: true }), fc.nat(99)).map(
      ([of, a, b, w, at]) =>
        (g: CoActivation) =>
          g[of as 'pairs'].add(a, b, w, at),
    ),
  },
  fc.tuple(table, tag, tag).map(
    ([of, a, b]) =>
      (g: CoActivation) =>
        g[of as 'pairs'].remove(a, b),
  ),
  tag.map((a) => (g: CoActivation) => g.remove(a)),
  factor.map((f) => (g: CoActivation) => g.decay(f)),
  fc.tuple(table, tag, tag, fc.nat(9)).map(([of, a, b, most]) => (g: CoActivation) => {
    const links = g[of as 'pairs']
    return [links.get(a, b), links.from(a, most), links.to(a, most), links.size]
  }),
)

const many = { maxLength: 150, size: 'max' } as const

test('both kernels agree on every history of an association graph', () => {
  fc.assert(fc.property(fc.array(associationCall, many), (calls) => agree((graphs) => graphs.associations(), calls)))
})

test('both kernels agree on every history of a temporal chain', () => {
  fc.assert(fc.property(fc.array(chainCall, many), (calls) => agree((graphs) => graphs.chain(), calls)))
})

test('both kernels agree on every history of an entity graph', () => {
  fc.assert(fc.property(fc.array(entityCall, many), (calls) => agree((graphs) => graphs.entities(), calls)))
})

test('both kernels agree on every history of co-activation', () => {
  fc.assert(fc.property(fc.array(tagCall, many), (calls) => agree((graphs) => graphs.coActivation(), calls)))
})

test('both kernels agree on personalised PageRank over all graphs', () => {
  const few = { maxLength: 60, size: 'max' } as const
  const options = fc.record({
    damping: fc.constantFrom(0, 0.5, 0.85, 1),
    iterations: fc.nat(30),
    hops: fc.nat(5),
    edges: fc.constantFrom(20, 200, 20_000),
    fan: fc.constantFrom(3, 1000),
    entity: weight,
    association: weight,
    forward: weight,
    most: fc.nat(70),
  })
  const histories = fc.tuple(fc.array(associationCall, few), fc.array(chainCall, few), fc.array(entityCall, few))
  fc.assert(
    fc.property(histories, fc.array(slot, { maxLength: 5 }), entityName, options, ([a, c, e], slots, name, options) => {
      const [one, other] = [expected, actual].map((graphs) => {
        const over = { associations: graphs.associations(), chain: graphs.chain(), entities: graphs.entities() }
        for (const call of a) outcome(call, over.associations)
        for (const call of c) outcome(call, over.chain)
        for (const call of e) outcome(call, over.entities)
        const entity = over.entities.find(name)
        const seeds = Uint32Array.from(entity === undefined ? slots : [...slots, nodeOfEntity(entity)])
        const strengths = Float32Array.from(seeds, (_, i) => 1 + i / 3)
        const reached = graphs.pageRank(over, seeds, strengths, { ...options, answer: 'both' })
        for (const held of Object.values(over)) held.free()
        return reached
      })
      expect(other).toEqual(one)
    }),
  )
})

describe.each(kernels)('laws of graphs, %s kernel', (_, kernel) => {
  test('edges are symmetric, not too many, and not too weak, after any history', () => {
    fc.assert(
      fc.property(fc.array(associationCall, many), slot, (calls, gone) => {
        const graph = graphKernelOf(kernel).associations()
        for (const call of calls) call(graph)
        graph.remove(gone)
        const slots = [...Array(26).keys(), 1023, 1024, 5000, 70_000]
        let ends = 0
        for (const a of slots) {
          const { slots: others, weights } = graph.neighbours(a)
          expect(others.length).toBeLessThanOrEqual(MAX_NEIGHBOURS)
          expect([...others]).toEqual([...new Set(others)].sort((x, y) => x - y))
          others.forEach((b, i) => {
            expect(b).not.toBe(gone)
            expect(weights[i]).toBeGreaterThanOrEqual(LEAST_WEIGHT)
            expect(graph.weight(b, a)).toBe(weights[i])
          })
          ends += others.length
        }
        expect(ends).toBe(2 * graph.edges)
        graph.free()
      }),
    )
  })

  test('without eviction a graph is what its edges are, in whatever order they came', () => {
    const edges = fc.uniqueArray(fc.tuple(fc.nat(9), fc.nat(9), fc.integer({ min: 1, max: 99 })), {
      selector: ([a, b]) => [Math.min(a, b), Math.max(a, b)].join(),
    })
    const twice = edges.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })))
    fc.assert(
      fc.property(twice, fc.nat(9), ([all, shuffled], gone) => {
        const [graph, twin] = [graphKernelOf(kernel).associations(), graphKernelOf(kernel).associations()]
        for (const [a, b, w] of all) graph.strengthen(a, b, w)
        graph.remove(gone)
        for (const [a, b, w] of shuffled) if (a !== gone && b !== gone) twin.strengthen(b, a, w)
        expect(graph.save()).toEqual(twin.save())
        for (const held of [graph, twin]) held.free()
      }),
    )
  })

  test('an entity graph without an episode answers as one that never had it', () => {
    const link = fc.tuple(fc.nat(6), fc.nat(20))
    fc.assert(
      fc.property(fc.array(link, many), fc.nat(20), (links, gone) => {
        const [graph, twin] = [graphKernelOf(kernel).entities(), graphKernelOf(kernel).entities()]
        for (const [name, at] of links) graph.link(graph.add(`e${name}`, 0), at)
        graph.unlinkSlot(gone)
        for (const [name, at] of links) if (at !== gone) twin.link(twin.add(`e${name}`, 0), at)
        expect([graph.entities, graph.links, graph.episodes]).toEqual([twin.entities, twin.links, twin.episodes])
        for (let name = 0; name <= 6; name++) {
          const [mine, its] = [graph.find(`e${name}`), twin.find(`e${name}`)]
          expect(mine === undefined).toBe(its === undefined)
          if (mine === undefined || its === undefined) continue
          expect(graph.slots(mine)).toEqual(twin.slots(its))
          const [one, other] = [
            graph.activate(Uint32Array.of(mine), Float32Array.of(1)),
            twin.activate(Uint32Array.of(its), Float32Array.of(1)),
          ]
          expect([one.nodes, one.activations]).toEqual([other.nodes, other.activations])
        }
        const [one, other] = [graph, twin].map((entities) =>
          graphKernelOf(kernel).pageRank({ entities }, Uint32Array.of(1, 2), Float32Array.of(1, 2)),
        )
        expect([one.nodes, one.activations]).toEqual([other.nodes, other.activations])
        for (const held of [graph, twin]) held.free()
      }),
    )
  })

  test('relations are the same from both ends, and not too many', () => {
    fc.assert(
      fc.property(fc.array(entityCall, many), (calls) => {
        const graph = graphKernelOf(kernel).entities()
        for (const call of calls) outcome(call, graph)
        let ends = 0
        for (let entity = 0; entity < 60; entity++) {
          if (!graph.has(entity)) continue
          const { entities, types, weights, outgoing } = graph.relations(entity)
          expect(entities.length).toBeLessThanOrEqual(MAX_RELATIONS)
          entities.forEach((other, i) => {
            const [from, to] = outgoing[i] ? [entity, other] : [other, entity]
            expect(graph.relation(from, to, types[i])).toBe(weights[i])
            expect(types[i]).toBeLessThan(RELATION_TYPES.length)
          })
          ends += entities.length
        }
        expect(ends).toBe(2 * graph.relationCount)
        graph.free()
      }),
    )
  })
})
