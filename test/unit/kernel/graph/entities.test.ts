import { describe, expect, test } from 'vitest'
import { ENTITY_TYPES, RELATION_TYPES } from '../../../../src/api/graph.js'
import { nodeOfEntity, pathOf } from '../../../../src/kernel/graph.js'
import { kernels } from '../kernels.js'
import { graphKernelOf } from '../../../../src/kernel/graphs.js'

const PERSON = ENTITY_TYPES.indexOf('PERSON')
const PROJECT = ENTITY_TYPES.indexOf('PROJECT')
const MANAGES = RELATION_TYPES.indexOf('MANAGES')
const USES = RELATION_TYPES.indexOf('USES')

describe.each(kernels)('entity graph, %s kernel', (_, kernel) => {
  const made = () => graphKernelOf(kernel).entities()

  test('there are 22 types of entities and 21 of relations', () => {
    expect([ENTITY_TYPES.length, RELATION_TYPES.length]).toEqual([22, 21])
  })

  test('an entity is found by its name, with its episodes in ascending order', () => {
    const graph = made()
    const anna = graph.add('Anna', PERSON)
    expect(graph.add('Anna', PROJECT)).toBe(anna)
    for (const slot of [9, 2, 5000, 4, 3, 1, 7]) expect(graph.link(anna, slot)).toBe(true)
    expect(graph.link(anna, 5000)).toBe(false)
    expect([graph.find('Anna'), graph.find('Bo'), graph.type(anna)]).toEqual([anna, undefined, PERSON])
    expect([...graph.slots(anna)]).toEqual([1, 2, 3, 4, 7, 9, 5000])
    expect([...graph.slots(anna, 4, 2)]).toEqual([4, 7])
    expect([graph.links, graph.episodes, graph.references(anna)]).toEqual([7, 7, 7])
    expect([...graph.entitiesOf(5000)]).toEqual([anna])
  })

  test('an entity without an episode and a relation is gone, and its number is used again', () => {
    const graph = made()
    const [anna, bo] = [graph.add('Anna', PERSON), graph.add('Bo', PERSON)]
    graph.link(anna, 1)
    graph.relate(anna, bo, MANAGES)
    expect(graph.unlink(anna, 1)).toBe(true)
    expect(graph.has(anna)).toBe(true)
    expect(graph.unrelate(anna, bo, MANAGES)).toBe(0)
    expect([graph.has(anna), graph.has(bo), graph.entities, graph.find('Anna')]).toEqual([false, false, 0, undefined])
    expect(graph.add('Cleo', PERSON)).toBe(anna)
    expect(() => graph.link(bo, 3)).toThrow('entity must be the number of an entity that is there')
  })

  test('a relation is seen from both ends', () => {
    const graph = made()
    const [anna, apollo] = [graph.add('Anna', PERSON), graph.add('Apollo', PROJECT)]
    expect(graph.relate(anna, apollo, MANAGES)).toBe(1)
    expect(graph.relate(anna, apollo, MANAGES, 2)).toBe(3)
    expect(graph.relate(anna, anna, USES)).toBe(0)
    expect([graph.relation(anna, apollo, MANAGES), graph.relation(apollo, anna, MANAGES)]).toEqual([3, 0])
    expect(graph.relations(apollo)).toEqual({
      entities: Uint32Array.of(anna),
      types: Uint32Array.of(MANAGES),
      weights: Float32Array.of(3),
      outgoing: Uint8Array.of(0),
    })
    expect(graph.unrelate(anna, apollo, MANAGES, 1)).toBe(2)
  })

  test('the weakest of more than 32 relations goes, and with it an entity that had no other', () => {
    const graph = made()
    const hub = graph.add('hub', PERSON)
    for (let i = 0; i < 32; i++) graph.relate(graph.add(`e${i}`, PERSON), hub, USES, 2 + i)
    expect(graph.relate(hub, graph.add('late', PERSON), MANAGES, 5)).toBe(5)
    expect([graph.relationCount, graph.find('e0'), graph.relations(hub).types.length]).toEqual([32, undefined, 32])
    const weak = graph.add('weak', PERSON)
    expect(graph.relate(weak, hub, MANAGES, 0.5)).toBe(0)
  })

  test('an episode that is unlinked is named by no entity', () => {
    const [graph, twin] = [made(), made()]
    for (const name of ['a', 'b']) graph.link(graph.add(name, PERSON), 3)
    graph.link(graph.add('a', PERSON), 4)
    twin.link(twin.add('a', PERSON), 4)
    expect(graph.unlinkSlot(3)).toBe(2)
    expect(graph.save()).toEqual(twin.save())
  })

  test('an entity that is removed takes its links and relations with it', () => {
    const graph = made()
    const [a, b] = [graph.add('a', PERSON), graph.add('b', PERSON)]
    for (let slot = 0; slot < 100; slot++) graph.link(a, slot)
    graph.relate(a, b, USES)
    graph.link(b, 5)
    graph.remove(a)
    expect([graph.links, graph.relationCount, graph.episodes, graph.entities]).toEqual([1, 0, 1, 1])
    expect([...graph.entitiesOf(5)]).toEqual([b])
  })

  test('an entity of few episodes tells more than one of many', () => {
    const graph = made()
    const [rare, common] = [graph.add('rare', PERSON), graph.add('common', PERSON)]
    for (let slot = 0; slot < 7; slot++) graph.link(common, slot)
    graph.link(rare, 0)
    expect(graph.specificity(rare)).toBe(1)
    expect(graph.specificity(common)).toBe(Math.fround(1 / 3))
  })

  test('activation goes over relations to the episodes of related entities, and says by which path', () => {
    const graph = made()
    const [anna, apollo] = [graph.add('Anna', PERSON), graph.add('Apollo', PROJECT)]
    graph.relate(anna, apollo, MANAGES)
    graph.link(anna, 1)
    graph.link(apollo, 2)
    const seeds = [Uint32Array.of(anna), Float32Array.of(1)] as const
    const reached = graph.activate(...seeds)
    const specific = graph.specificity(anna)
    expect([...reached.nodes]).toEqual([1, 2])
    expect([...reached.activations]).toEqual([0.25, 0.0625].map((a) => Math.fround(a * specific)))
    expect([...pathOf(reached, 1)]).toEqual([nodeOfEntity(anna), nodeOfEntity(apollo), 2])
    expect([...graph.activate(...seeds, { answer: 'entities' }).nodes]).toEqual([nodeOfEntity(apollo)])
    expect([...graph.activate(...seeds, { depth: 0 }).nodes]).toEqual([1])
    expect([...graph.activate(...seeds, { fan: 0, answer: 'both' }).nodes]).toEqual([nodeOfEntity(apollo)])
  })

  test('what was saved is what is loaded, free numbers too', () => {
    const graph = made()
    for (const name of ['a', 'b', 'c', 'Ünïcode'])
      for (let slot = 0; slot < 30; slot++) graph.link(graph.add(name, 3), slot)
    graph.relate(graph.add('a', 0), graph.add('c', 0), USES, 0.5)
    graph.remove(graph.add('b', 0))
    const loaded = made()
    loaded.load(graph.save())
    expect(loaded.save()).toEqual(graph.save())
    expect([loaded.find('Ünïcode'), loaded.add('new', 0)]).toEqual([3, 1])
    expect([...loaded.slots(2)]).toEqual([...graph.slots(2)])
  })

  test('bytes of which one is another are refused, and the graph stays empty', () => {
    const graph = made()
    graph.link(graph.add('a', PERSON), 3)
    graph.relate(graph.add('a', 0), graph.add('b', 0), USES)
    const bytes = graph.save()
    for (let at = 0; at < bytes.length; at++) {
      const damaged = bytes.slice()
      damaged[at] ^= 128
      const other = made()
      expect(() => other.load(damaged)).toThrow(/damaged/)
      expect([other.entities, other.links]).toEqual([0, 0])
    }
  })
})
