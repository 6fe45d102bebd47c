import { describe, expect, test } from 'vitest'
import { LEAST_WEIGHT, MAX_NEIGHBOURS, MOST_WEIGHT, pathOf } from '../../../../src/kernel/graph.js'
import { kernels } from '../kernels.js'
import { graphKernelOf } from '../../../../src/kernel/graphs.js'

describe.each(kernels)('association graph, %s kernel', (_, kernel) => {
  const made = () => graphKernelOf(kernel).associations()
  const star = (degree: number) => {
    const graph = made()
    for (let i = 1; i <= degree; i++) graph.strengthen(0, i, i)
    return graph
  }

  test('an edge is the same from both ends, and grows with each strengthening', () => {
    const graph = made()
    expect(graph.strengthen(5, 3000, 1)).toBe(1)
    expect(graph.strengthen(3000, 5, 0.5)).toBe(1.5)
    expect([graph.weight(5, 3000), graph.weight(3000, 5), graph.weight(5, 6)]).toEqual([1.5, 1.5, 0])
    expect(graph.neighbours(3000)).toEqual({ slots: Uint32Array.of(5), weights: Float32Array.of(1.5) })
    expect([graph.nodes, graph.edges, graph.degree(5)]).toEqual([2, 1, 1])
  })

  test('an edge that is weakened to nothing is gone from both ends', () => {
    const graph = made()
    graph.strengthen(1, 2, 2)
    expect(graph.weaken(2, 1, 0.5)).toBe(1.5)
    expect(graph.weaken(1, 2, 1.5)).toBe(0)
    expect([graph.nodes, graph.edges, graph.degree(1), graph.degree(2)]).toEqual([0, 0, 0, 0])
    expect(graph.removeEdge(1, 2)).toBe(false)
  })

  test('the weakest edge makes room in a full node, at both of its ends', () => {
    const graph = star(MAX_NEIGHBOURS)
    expect(graph.strengthen(0, 99, 5)).toBe(5)
    expect([graph.degree(0), graph.degree(1), graph.weight(0, 1), graph.weight(0, 99)]).toEqual([20, 0, 0, 5])
    expect(graph.edges).toBe(MAX_NEIGHBOURS)
  })

  test('a new edge weaker than all others of a full node does not stay, nor does another go for it', () => {
    const graph = star(MAX_NEIGHBOURS)
    expect(graph.strengthen(99, 0, 0.5)).toBe(0)
    expect([graph.degree(0), graph.degree(99), graph.weight(0, 1)]).toEqual([20, 0, 1])
  })

  test('of edges of the same weight the one to the highest slot goes', () => {
    const graph = made()
    for (let i = 1; i <= MAX_NEIGHBOURS; i++) graph.set(50, i + 100, 1)
    expect(graph.set(50, 7, 1)).toBe(1)
    expect(graph.weight(50, 120)).toBe(0)
    expect(graph.set(50, 900, 1)).toBe(0)
  })

  test('decay multiplies all weights, and what is too weak goes', () => {
    const graph = made()
    graph.set(1, 2, 1)
    graph.set(2, 3, LEAST_WEIGHT)
    graph.decay(0.9)
    expect(graph.weight(1, 2)).toBe(Math.fround(0.9))
    expect([graph.edges, graph.degree(3)]).toEqual([1, 0])
    graph.decay(0.5, 2)
    expect(graph.weight(1, 2)).toBe(Math.fround(0.9))
    graph.decay(0)
    expect(graph.nodes).toBe(0)
  })

  test('a removed slot leaves no edge, and the graph is as if it had never been there', () => {
    const [graph, twin] = [made(), made()]
    for (const [a, b] of [
      [1, 2],
      [2, 3],
      [3, 1],
      [3, 2000],
    ]) {
      graph.strengthen(a, b, 1)
      if (a !== 3 && b !== 3) twin.strengthen(a, b, 1)
    }
    expect(graph.remove(3)).toBe(3)
    expect(graph.save()).toEqual(twin.save())
  })

  test('activation is divided by the weights of the edges that it leaves by', () => {
    const graph = made()
    graph.set(1, 2, 3)
    graph.set(1, 3, 1)
    graph.set(2, 4, 1)
    const reached = graph.activate(Uint32Array.of(1), Float32Array.of(1))
    expect([...reached.nodes]).toEqual([2, 3, 4])
    expect([...reached.activations]).toEqual([0.75, 0.25, 0.1875])
    expect([...reached.hops]).toEqual([1, 1, 2])
    expect([...pathOf(reached, 2)]).toEqual([1, 2, 4])
  })

  test('activations from several seeds add up, and the path leads from the one that gave most', () => {
    const graph = made()
    graph.set(1, 9, 1)
    graph.set(2, 9, 1)
    const reached = graph.activate(Uint32Array.of(1, 2), Float32Array.of(0.25, 0.5), { depth: 1, attenuation: 0.5 })
    expect([[...reached.nodes], [...reached.activations], [...pathOf(reached, 0)]]).toEqual([[9], [0.375], [2, 9]])
  })

  test('what was saved is what is loaded', () => {
    const graph = star(7)
    graph.set(4000, 5000, 0.125)
    const loaded = made()
    loaded.load(graph.save())
    expect(loaded.save()).toEqual(graph.save())
    expect(new TextDecoder().decode(graph.save().subarray(0, 4))).toBe('HGPH')
    expect([loaded.nodes, loaded.edges, loaded.weight(5000, 4000)]).toEqual([10, 8, 0.125])
  })

  test('bytes of which one is another are refused, and the graph stays empty', () => {
    const bytes = star(3).save()
    for (let at = 0; at < bytes.length; at++) {
      const damaged = bytes.slice()
      damaged[at] ^= 1
      const graph = made()
      expect(() => graph.load(damaged)).toThrow(/damaged/)
      expect([graph.nodes, graph.edges]).toEqual([0, 0])
    }
  })

  test('an edge from a slot to itself is none, and a weight stays finite', () => {
    const graph = made()
    expect(graph.strengthen(3, 3, 1)).toBe(0)
    expect(graph.nodes).toBe(0)
    for (let i = 0; i < 3; i++) graph.strengthen(1, 2, MOST_WEIGHT)
    expect(graph.weight(1, 2)).toBe(MOST_WEIGHT)
    expect(() => graph.strengthen(1, 2, NaN)).toThrow('weight must be a number from 0 to 1048576, not NaN')
    expect(() => graph.strengthen(-1, 2, 1)).toThrow('a must be an integer')
  })
})
