import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { lookAlongLinks, shared, type Surroundings } from '../../../../src/recall/graph/surroundings.js'
import { walk } from '../../../../src/recall/graph/walk.js'

/** Nodes with the hubs that each has, and which node comes after each, if any; edges of the same weight. */
function surroundings(has: readonly (readonly number[])[], next: readonly number[], backward = 0): Surroundings {
  const starts = [0]
  for (const hubs of has) starts.push(starts[starts.length - 1] + hubs.length)
  const weightOf = new Float64Array(8).fill(1)
  const previous = next.map((_, node) => next.indexOf(node))
  return {
    slots: next.map((_, node) => node),
    hub: (hub) => ({ kind: 'word', name: `w${hub}` }),
    ...shared({
      starts: Uint32Array.from(starts),
      hubOf: Uint32Array.from(has.flat()),
      weightOf,
      previous: Int32Array.from(previous),
      next: Int32Array.from(next),
      weights: { forward: 1, backward, association: 1 },
    }),
  }
}

test('What begins at one comes over a shared word to the other', () => {
  const { brought } = walk(surroundings([[0], [0], [1]], [-1, -1, -1]), Float64Array.of(1, 0, 0))
  expect(brought[1]).toBeGreaterThan(0.15)
  expect(brought[2]).toBe(0)
})

test('An edge that is followed one way leads one way', () => {
  const { brought } = walk(surroundings([[], []], [1, -1]), Float64Array.of(1, 0))
  expect([...brought]).toEqual([0, 0.25])
})

test('No rank comes from nowhere, and what is unreachable gets none', () => {
  const graph = fc.integer({ min: 1, max: 12 }).chain((nodes) =>
    fc.record({
      has: fc.array(fc.uniqueArray(fc.nat(7), { maxLength: 4 }), { minLength: nodes, maxLength: nodes }),
      cut: fc.array(fc.boolean(), { minLength: nodes, maxLength: nodes }),
      seeds: fc
        .array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: nodes, maxLength: nodes })
        .filter((seeds) => seeds.some((seed) => seed > 1e-6)),
    }),
  )
  void fc.assert(
    fc.property(graph, ({ has, cut, seeds }) => {
      const next = cut.map((isCut, node) => (isCut || node + 1 === cut.length ? -1 : node + 1))
      const { brought } = walk(surroundings(has, next), Float64Array.from(seeds))
      expect(brought.every((part) => part >= 0)).toBe(true)
      expect(brought.reduce((sum, part) => sum + part, 0)).toBeLessThanOrEqual(0.5 + 1e-12)
      const reached = new Set<number>(seeds.flatMap((seed, node) => (seed > 0 ? [node] : [])))
      for (let size = -1; size !== reached.size; ) {
        size = reached.size
        for (const node of [...reached]) {
          if (next[node] >= 0) reached.add(next[node])
          has.forEach((hubs, other) => hubs.some((hub) => has[node].includes(hub)) && reached.add(other))
        }
      }
      for (let node = 0; node < next.length; node++) if (!reached.has(node)) expect(brought[node]).toBe(0)
    }),
  )
})

test('An association takes its weight of what all other edges of a node take together', () => {
  const links = { starts: Uint32Array.of(0, 1, 2, 2), to: Uint32Array.of(1, 0), weights: Float64Array.of(2, 2) }
  const { linkShares, shares, nextShares } = shared({
    starts: Uint32Array.of(0, 2, 2, 2),
    hubOf: Uint32Array.of(0, 1),
    weightOf: Float64Array.of(3, 4),
    previous: Int32Array.of(-1, -1, -1),
    next: Int32Array.of(2, -1, -1),
    weights: { forward: 1, backward: 1, association: 0.25 },
    links,
  })
  expect(linkShares[0]).toBeCloseTo(0.5 / 1.5)
  expect(shares[0] + shares[1] + nextShares[0] + linkShares[0]).toBeCloseTo(1)
  expect(linkShares[1]).toBe(1) // it has no other edge
})

test('In a small memory associations that weigh less than 1 together take only so much', () => {
  const links = (weights: readonly number[]) => ({
    starts: Uint32Array.of(0, 2, 3, 4),
    to: Uint32Array.of(1, 2, 0, 0),
    weights: Float64Array.from([...weights, ...weights]),
  })
  const sharesOf = (...weights: number[]) => [...lookAlongLinks(Uint32Array.of(0, 1, 2), links(weights)).linkShares]
  expect(sharesOf(0.25, 0.5)).toEqual([0.25, 0.5, 0.25, 0.5])
  expect(sharesOf(1, 3)).toEqual([0.25, 0.75, 1, 1])
})
