import { describe, expect, test } from 'vitest'
import { MAX_TAG_LINKS } from '../../../../src/kernel/graph.js'
import { hashName } from '../../../../src/kernel/graph/name-hash.js'
import { kernels } from '../kernels.js'
import { graphKernelOf } from '../../../../src/kernel/graphs.js'

test('the hash of a name is FNV-1a with 64 bits', () => {
  const hex = (name: string) => {
    const { high, low } = hashName(name)
    return [high, low].map((half) => half.toString(16).padStart(8, '0')).join('')
  }
  // From the test vectors of draft-eastlake-fnv.
  expect([hex(''), hex('a'), hex('foobar')]).toEqual(['cbf29ce484222325', 'af63dc4c8601ec8c', '85944171f73967e8'])
})

describe.each(kernels)('co-activation, %s kernel', (_, kernel) => {
  const made = () => graphKernelOf(kernel).coActivation()

  test('a pair has no order, an edge has one', () => {
    const graph = made()
    graph.pairs.add('tea', 'cup', 0.25, 5)
    expect(graph.pairs.add('cup', 'tea', 0.5, 7)).toBe(0.75)
    graph.edges.add('rain', 'wet', 0.5, 5)
    expect(graph.pairs.get('tea', 'cup')).toEqual({ weight: 0.75, count: 2, atMs: 7 })
    expect(graph.edges.get('wet', 'rain')).toBeUndefined()
    expect([graph.edges.from('rain', 9).tags, graph.edges.to('wet', 9).tags]).toEqual([['wet'], ['rain']])
    expect(graph.edges.from('wet', 9).tags).toEqual([])
    expect([graph.pairs.from('tea', 9).tags, graph.pairs.to('tea', 9).tags]).toEqual([['cup'], ['cup']])
  })

  test('weights stay from 0 to 1, and a link without weight is none', () => {
    const graph = made()
    expect(graph.edges.add('a', 'b', 0.75, 0)).toBe(0.75)
    expect(graph.edges.add('a', 'b', 0.75, 0)).toBe(1)
    expect(graph.edges.add('a', 'b', -1, 0)).toBe(0)
    expect([graph.edges.size, graph.edges.add('c', 'd', -0.5, 0)]).toEqual([0, 0])
    expect(() => graph.edges.add('a', 'b', 1.5, 0)).toThrow('weight must be a number from -1 to 1')
  })

  test('links come strongest first', () => {
    const graph = made()
    for (let i = 1; i <= 9; i++) graph.edges.add('cause', `effect ${i}`, i / 16, i)
    const { tags, weights } = graph.edges.from('cause', 3)
    expect([tags, [...weights]]).toEqual([
      ['effect 9', 'effect 8', 'effect 7'],
      [9 / 16, 8 / 16, 7 / 16],
    ])
  })

  test('a tag that is removed leaves no byte', () => {
    const [graph, twin] = [made(), made()]
    for (const of of [graph, twin]) of.pairs.add('a', 'b', 0.5, 1)
    graph.pairs.add('secret', 'a', 0.5, 2)
    graph.edges.add('b', 'secret', 0.5, 2)
    graph.edges.add('secret', 'other', 0.5, 2)
    expect(graph.remove('secret')).toBe(3)
    expect(graph.save()).toEqual(twin.save())
    expect(graph.pairs.remove('b', 'a')).toBe(true)
    expect(graph.save()).toEqual(made().save())
  })

  test('decay takes what is too weak, and its names', () => {
    const graph = made()
    graph.pairs.add('a', 'b', 1, 0)
    graph.edges.add('c', 'd', 0.001, 0)
    graph.decay(0.5)
    expect([graph.pairs.get('a', 'b')?.weight, graph.edges.size]).toEqual([0.5, 0])
    expect(new TextDecoder().decode(graph.save())).not.toMatch(/[cd]\0\0\0/)
  })

  test('when a table is full the weakest go', () => {
    const graph = made()
    for (let i = 0; i < MAX_TAG_LINKS; i++)
      graph.edges.set(`t${i % 300}`, `u${i}`, { weight: 1 - i / 2 ** 17, count: 1, atMs: 0 })
    expect(graph.edges.size).toBe(MAX_TAG_LINKS)
    graph.edges.add('t0', 'new', 0.25, 0)
    expect(graph.edges.size).toBe(MAX_TAG_LINKS - MAX_TAG_LINKS / 16 + 1)
    const i = MAX_TAG_LINKS - MAX_TAG_LINKS / 16
    expect(graph.edges.get(`t${i % 300}`, `u${i}`)).toBeUndefined()
    expect(graph.edges.get(`t${(i - 1) % 300}`, `u${i - 1}`)).toBeDefined()
    expect(graph.edges.get('t0', 'new')?.weight).toBe(0.25)
  })

  test('what was saved is what is loaded, and damaged bytes are refused', () => {
    const graph = made()
    graph.pairs.add('a', 'ß', 0.3, 1.5)
    graph.edges.add('a', 'c', 0.7, 2)
    const bytes = graph.save()
    const loaded = made()
    loaded.load(bytes)
    expect(loaded.save()).toEqual(bytes)
    expect(loaded.pairs.from('a', 1).tags).toEqual(['ß'])
    for (let at = 0; at < bytes.length; at++) {
      const damaged = bytes.slice()
      damaged[at] ^= 2
      const other = made()
      expect(() => other.load(damaged)).toThrow(/damaged/)
      expect([other.pairs.size, other.edges.size]).toEqual([0, 0])
    }
  })
})
