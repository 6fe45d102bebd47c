import { describe, expect, test } from 'vitest'
import { nodeOfEntity, pathOf } from '../../../../src/kernel/graph.js'
import { kernels } from '../kernels.js'
import { graphKernelOf } from '../../../../src/kernel/graphs.js'

describe.each(kernels)('personalised PageRank, %s kernel', (_, kernel) => {
  const graphs = graphKernelOf(kernel)
  const one = Float32Array.of(1)

  test('rank comes back to the only seed of a graph without edges', () => {
    const { nodes, activations } = graphs.pageRank({}, Uint32Array.of(7), Float32Array.of(3))
    expect([[...nodes], [...activations]]).toEqual([[7], [1]])
  })

  test('ranks are those of the equations, and their sum is 1', () => {
    // 1 → 2 → 3 in a chain, each also back: with damping d and half of 2 to each side, r solves r = (1 − d) s + d Mᵀ r.
    const chain = graphs.chain()
    chain.insert(1, 0)
    chain.insert(2, 0, 1)
    chain.insert(3, 0, 2)
    const { nodes, activations } = graphs.pageRank({ chain }, Uint32Array.of(1), one, { iterations: 100, epsilon: 0 })
    expect([...nodes]).toEqual([1, 2, 3])
    for (const [i, rank] of [7 / 12, 4 / 12, 1 / 12].entries()) expect(activations[i]).toBeCloseTo(rank, 6)
  })

  test('an episode is reached over an entity that the seed names, and the path says so', () => {
    const entities = graphs.entities()
    const [anna, town] = [entities.add('Anna', 0), entities.add('town', 5)]
    for (const slot of [1, 8]) entities.link(anna, slot)
    for (const slot of [8, 30]) entities.link(town, slot)
    const reached = graphs.pageRank({ entities }, Uint32Array.of(1), one)
    expect([...reached.nodes]).toEqual([1, 8, 30])
    expect([...pathOf(reached, 2)]).toEqual([1, nodeOfEntity(anna), 8, nodeOfEntity(town), 30])
    const from = graphs.pageRank({ entities }, Uint32Array.of(nodeOfEntity(town)), one, { answer: 'both' })
    expect([...pathOf(from, 0)]).toEqual([nodeOfEntity(town)])
    expect([...from.nodes]).toContain(nodeOfEntity(anna))
    expect([...graphs.pageRank({ entities }, Uint32Array.of(1), one, { hops: 2 }).nodes]).toEqual([1, 8])
  })

  test('the stronger of two seeds ranks higher, and associations carry rank', () => {
    const associations = graphs.associations()
    associations.set(1, 10, 1)
    associations.set(2, 20, 1)
    const { nodes } = graphs.pageRank({ associations }, Uint32Array.of(1, 2), Float32Array.of(1, 2))
    expect([...nodes]).toEqual([2, 1, 20, 10])
  })

  test('an entity of too many episodes has no edges to them', () => {
    const entities = graphs.entities()
    const hub = entities.add('hub', 0)
    for (let slot = 0; slot < 20; slot++) entities.link(hub, slot)
    expect([...graphs.pageRank({ entities }, Uint32Array.of(3), one, { fan: 19 }).nodes]).toEqual([3])
    expect(graphs.pageRank({ entities }, Uint32Array.of(3), one, { fan: 20 }).nodes.length).toBe(20)
    expect(graphs.pageRank({ entities }, Uint32Array.of(3), one, { edges: 10 }).nodes.length).toBe(1)
  })

  test('what cannot be a seed is refused', () => {
    expect(() => graphs.pageRank({}, Uint32Array.of(0xffff_ffff), one)).toThrow('seeds must be slots')
    expect(() => graphs.pageRank({}, Uint32Array.of(nodeOfEntity(3)), one)).toThrow('seeds must be the number')
    expect(() => graphs.pageRank({}, Uint32Array.of(3), one, { damping: 2 })).toThrow('factor')
  })
})
