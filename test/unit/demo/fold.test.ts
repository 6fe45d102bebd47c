import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldCascade } from '../../../demo/forget/fold.js'
import type { CascadeGraph, CascadeNode } from '../../../src/api/forgetting.js'

const KINDS = ['frame', 'belief', 'atom', 'procedure', 'goal', 'recall'] as const

const episodes = (many: number): CascadeNode[] =>
  Array.from({ length: many }, (_, i) => ({ id: `ep_${i}`, kind: 'episode', becomes: 'removed' }))

const dependents = (many: number, kind: CascadeNode['kind'] = 'belief'): CascadeNode[] =>
  Array.from({ length: many }, (_, i) => ({ id: `${kind}_${i}`, kind, becomes: 'changed' }))

describe('foldCascade', () => {
  test('leaves what is few as it is', () => {
    const graph: CascadeGraph = {
      nodes: [...episodes(2), ...dependents(1)],
      edges: [
        { from: 'belief_0', to: 'ep_0' },
        { from: 'belief_0', to: 'ep_1' },
      ],
    }
    expect(foldCascade(graph)).toEqual({
      given: [
        { kind: 'episode', becomes: 'removed', ids: ['ep_0'] },
        { kind: 'episode', becomes: 'removed', ids: ['ep_1'] },
      ],
      dependents: [{ kind: 'belief', becomes: 'changed', ids: ['belief_0'] }],
      edges: [
        { dependent: 0, given: 0, edges: 1 },
        { dependent: 0, given: 1, edges: 1 },
      ],
    })
  })

  test('folds episodes on which the same rests, and puts those on which nothing does last', () => {
    const edges = Array.from({ length: 1000 }, (_, i) => i).flatMap((i) =>
      i < 300 ? [{ from: 'belief_0', to: `ep_${i}` }] : i < 500 ? [{ from: 'atom_0', to: `ep_${i}` }] : [],
    )
    const { given, edges: drawn } = foldCascade({
      nodes: [...episodes(1000), ...dependents(1), ...dependents(1, 'atom')],
      edges,
    })
    expect(given.map(({ ids }) => ids.length)).toEqual([300, 200, 500])
    expect(drawn).toEqual([
      { dependent: 0, given: 0, edges: 300 },
      { dependent: 1, given: 1, edges: 200 },
    ])
  })

  test('keeps those dependents single that rest on most, some of each kind', () => {
    const nodes = [...episodes(5), ...dependents(40), ...dependents(30, 'atom')]
    const edges = [
      ...nodes.filter(({ kind }) => kind !== 'episode').map(({ id }) => ({ from: id, to: 'ep_0' })),
      { from: 'belief_39', to: 'ep_1' },
      { from: 'atom_29', to: 'ep_2' },
    ]
    const { dependents: folds } = foldCascade({ nodes, edges })
    expect(folds.map(({ kind, ids }) => [kind, ids.length])).toEqual([
      ['belief', 1],
      ['belief', 1],
      ['belief', 1],
      ['belief', 37],
      ['atom', 1],
      ['atom', 1],
      ['atom', 1],
      ['atom', 27],
    ])
    expect([folds[0].ids, folds[4].ids]).toEqual([['belief_39'], ['atom_29']])
  })

  test('draws every node once and every edge within one, in at most 24 folds a side', () => {
    const graphs = fc
      .tuple(fc.integer({ min: 1, max: 60 }), fc.array(fc.constantFrom(...KINDS), { maxLength: 60 }))
      .chain(([many, kinds]) => {
        const others = kinds.map(
          (kind, i): CascadeNode => ({ id: `${kind}_${i}`, kind, becomes: i % 2 === 0 ? 'removed' : 'changed' }),
        )
        const nodes = [...episodes(many), ...others]
        const edge = fc.record({
          from: fc.constantFrom('ep_0', ...others.map(({ id }) => id)),
          to: fc.constantFrom(...episodes(many).map(({ id }) => id)),
        })
        return fc
          .uniqueArray(edge, { maxLength: 200, selector: ({ from, to }) => `${from} ${to}` })
          .map((edges): CascadeGraph => ({ nodes, edges: edges.filter(({ from }) => from !== 'ep_0') }))
      })
    fc.assert(
      fc.property(graphs, (graph) => {
        const { given, dependents: resting, edges } = foldCascade(graph)
        const ids = [...given, ...resting].flatMap((fold) => fold.ids)
        expect(ids.toSorted()).toEqual(graph.nodes.map(({ id }) => id).toSorted())
        expect(Math.max(given.length, resting.length)).toBeLessThanOrEqual(24)
        expect(edges.reduce((sum, edge) => sum + edge.edges, 0)).toBe(graph.edges.length)
        for (const edge of edges) {
          const from = new Set(resting[edge.dependent].ids)
          const to = new Set(given[edge.given].ids)
          expect(graph.edges.filter((one) => from.has(one.from) && to.has(one.to))).toHaveLength(edge.edges)
        }
      }),
    )
  })
})
