import { describe, expect, test } from 'vitest'
import { DEFAULT_LIMITS } from '../../../../src/api/check.js'
import type { Observation } from '../../../../src/api/episode.js'
import type { RecallOptions } from '../../../../src/api/recall.js'
import type { AgidbError } from '../../../../src/base/errors.js'
import { Indexes } from '../../../../src/indexes/indexes.js'
import { readKernel } from '../../../../src/kernel/node.js'
import type { AssociationGraph } from '../../../../src/kernel/graph.js'
import { loadKernel } from '../../../../src/kernel/load.js'
import { referenceGraphs } from '../../../../src/kernel/reference/graph/kernel.js'
import { arenaSearch } from '../../../../src/recall/candidates/vector-search.js'
import { toQuestion } from '../../../../src/recall/query/to-question.js'
import { recall } from '../../../../src/recall/recall.js'
import { toEpisode } from '../../../../src/records/observation.js'

const NOW = Date.UTC(2026, 0, 1)
const kernel = await loadKernel({ kernel: await readKernel() })

const PLACES = ['harbour', 'market', 'station', 'library', 'garden', 'bakery', 'theatre', 'museum']
const DOINGS = ['walked', 'waited', 'slept', 'painted', 'cooked', 'danced', 'argued', 'laughed', 'fished', 'read']

/** Turns that have little to do with each other, each in a session of its own. */
const TURNS: Observation[] = Array.from({ length: 200 }, (_, i) => ({
  text: `${DOINGS[i % 10]} number ${i} near the ${PLACES[(i * 7) % 8]} on day ${i % 31}`,
  session: `s${i}`,
}))
/** What the cue finds, what that leads to by a word that the cue does not have, and what nothing leads to. */
const FOUND = 60
const LED = 140
TURNS[FOUND] = { text: 'Marta bought a second-hand zeppelin workshop with her savings', session: 'found' }
TURNS[LED] = { text: 'We must buy helium and a new rudder for the zeppelin before it flies', session: 'led' }
for (let i = 20; i < 30; i++) TURNS[i] = { text: `We must buy bread, ${DOINGS[i - 20]} or not`, session: `s${i}` }

/** @param strengthened loads associations. Default: there are none. */
function memory(turns: readonly (Observation | undefined)[], strengthened?: () => Promise<AssociationGraph>) {
  const indexes = new Indexes(kernel)
  const episodes = turns.map((turn, slot) => turn && toEpisode(turn, `ep_${slot}`, NOW, 'graph'))
  episodes.forEach((episode, slot) => {
    if (episode !== undefined) indexes.add(slot, episode, indexes.encode(episode).signatures)
  })
  const told: AgidbError[] = []
  const deps = {
    fetch: async (slots: readonly number[]) => slots.map((slot) => episodes[slot]),
    time: () => import('../../../../src/extraction/time/reader.js'),
    walk: () => import('../../../../src/recall/graph/part.js'),
    vectors: arenaSearch(indexes),
    graphFailed: (error: AgidbError) => void told.push(error),
    ...(strengthened && { strengthened }),
  }
  const ask = async (cue: string, options: RecallOptions = {}) =>
    (await recall(indexes, deps, undefined, toQuestion(cue, { k: 50, ...options }, NOW, DEFAULT_LIMITS))).matches
  return { indexes, episodes, ask, told }
}

const CUE = 'What did Marta buy with her savings?'
const rankOf = (matches: readonly { readonly id: string }[], slot: number) =>
  matches.findIndex(({ id }) => id === `ep_${slot}`)

test('A memory that shares a rare word with the best one ranks higher, and says by which path', async () => {
  const { ask } = memory(TURNS)
  const [without, withGraph] = [await ask(CUE, { graph: false }), await ask(CUE)]
  expect(rankOf(withGraph, FOUND)).toBe(0)
  expect(rankOf(withGraph, LED)).toBe(1)
  expect(rankOf(without, LED)).toBeGreaterThan(1)
  const match = withGraph[1]
  expect(match.signals.graph).toBeGreaterThan(0)
  expect(match.why?.map(({ from, edge, to }) => [from, edge, to])).toEqual([
    [`ep_${FOUND}`, 'word', 'zeppelin'],
    ['zeppelin', 'word', `ep_${LED}`],
  ])
  for (const { weight } of match.why ?? []) {
    expect(weight).toBeGreaterThan(0)
    expect(weight).toBeLessThanOrEqual(1)
  }
})

test('Without graphs no match has their signal or a path', async () => {
  const { ask } = memory(TURNS)
  const off = await ask(CUE, { graph: false })
  expect(off.some(({ signals, why }) => signals.graph !== undefined || why !== undefined)).toBe(false)
  expect(await ask(CUE, { graph: { pageRank: 0 } })).toEqual(off)
})

test('A small memory is ranked as without graphs', async () => {
  const small = TURNS.slice(FOUND - 20, FOUND + 30)
  const { ask } = memory(small)
  expect(await ask(CUE)).toEqual(await ask(CUE, { graph: false }))
})

test('Graphs that fail at any call leave the answer as it is without them, and are told', async () => {
  const { indexes, ask, told } = memory(TURNS)
  const off = await ask(CUE, { graph: false })
  const { postings } = indexes
  const usesOf = postings.usesOf.bind(postings)
  let calls = 0
  postings.usesOf = (term) => (calls++, usesOf(term))
  const on = await ask(CUE)
  expect(on).not.toEqual(off)
  const all = calls
  expect(all).toBeGreaterThan(10)
  for (let failing = 0; failing < all; failing += 7) {
    let call = 0
    told.length = 0
    postings.usesOf = (term) => {
      if (call++ === failing) throw new Error('broken')
      return usesOf(term)
    }
    expect(await ask(CUE)).toEqual(off)
    expect(told.map(({ code, details }) => [code, details['spe']])).toEqual([['AGIDB_GRAPH_ENTITY', 'SPE-310-008']])
  }
  postings.usesOf = usesOf
  expect(await ask(CUE)).toEqual(on)
})

/** Associations of what the cue finds with a turn that no word leads to, and of that with a third one. */
function associated(found: number, other: number, third: number): AssociationGraph {
  const graph = referenceGraphs.associations()
  graph.strengthen(found, other, 2)
  graph.strengthen(other, third, 1)
  return graph
}

describe.each([
  ['a large memory', TURNS],
  ['a small memory', TURNS.slice(0, FOUND + 1).filter((_, i) => i > 12 || i === 5)],
])('associations in %s', (_, turns) => {
  const found = turns.indexOf(TURNS[FOUND])
  const other = turns.indexOf(TURNS[5])
  test('that fail at any call leave the answer as it is without them, and are told', async () => {
    let failing = -1
    let calls = 0
    const broken = associated(found, other, turns.length - 3)
    const neighbours = broken.neighbours.bind(broken)
    broken.neighbours = (slot) => {
      if (calls++ === failing) throw new Error('broken')
      return neighbours(slot)
    }
    const { ask, told } = memory(turns, async () => broken)
    const off = await ask(CUE, { graph: { association: 0 } })
    calls = 0
    const on = await ask(CUE)
    expect(on.find(({ id }) => id === `ep_${other}`)?.why).toMatchObject([
      { from: `ep_${found}`, edge: 'association', to: `ep_${other}` },
    ])
    const all = calls
    expect(all).toBeGreaterThan(10)
    for (failing = 0; failing < all; failing += failing < 12 ? 1 : 5) {
      calls = 0
      told.length = 0
      expect(await ask(CUE)).toEqual(off)
      expect(told.map(({ code, message }) => [code, message])).toEqual([
        ['AGIDB_GRAPH_ASSOCIATION', 'the graph (association) failed: broken'],
      ])
    }
  })

  test('that cannot be loaded leave the answer as it is without them, and are told', async () => {
    const { ask, told } = memory(turns, async () => {
      throw new Error('offline')
    })
    const off = await ask(CUE, { graph: { association: 0 } })
    expect(told).toEqual([])
    expect(await ask(CUE)).toEqual(off)
    expect(told.map(({ code, details }) => [code, details['spe']])).toEqual([
      ['AGIDB_GRAPH_ASSOCIATION', 'SPE-310-006'],
    ])
  })
})

test('What associations brought does not stay where another graph fails', async () => {
  const { indexes, ask, told } = memory(TURNS, async () => associated(FOUND, 5, 190))
  const off = await ask(CUE, { graph: false })
  expect(await ask(CUE)).not.toEqual(off)
  indexes.postings.usesOf = () => {
    throw new Error('broken')
  }
  expect(await ask(CUE)).toEqual(off)
  expect(told.map(({ code }) => code)).toEqual(['AGIDB_GRAPH_ENTITY'])
})

test('A memory that forgot episodes walks as one that never had them', async () => {
  const gone = (slot: number) => slot % 5 === 1
  const { indexes, episodes, ask } = memory(TURNS)
  episodes.forEach((episode, slot) => gone(slot) && indexes.remove(slot, episode!))
  const twin = memory(TURNS.map((turn, slot) => (gone(slot) ? undefined : turn)))
  expect(await ask(CUE)).toEqual(await twin.ask(CUE))
})

test('Signals add up to the score that orders the matches', async () => {
  const { ask } = memory(TURNS)
  const sums = (await ask(CUE)).map(({ signals }) => Object.values(signals).reduce((sum, part) => sum + part, 0))
  for (let i = 1; i < sums.length; i++) expect(sums[i]).toBeLessThanOrEqual(sums[i - 1] + 1e-9)
})

test.each([{ pageRank: 2 }, { entity: -1 }, { walk: 1 }])('A wrong weight is refused: %o', async (graph) => {
  const { ask } = memory(TURNS)
  await expect(ask(CUE, { graph: graph as never })).rejects.toMatchObject({
    code: expect.stringMatching(/^AGIDB_(INVALID_ARGUMENT|UNKNOWN_OPTION)$/),
  })
})
