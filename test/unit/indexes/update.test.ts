import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Episode } from '../../../src/api/episode.js'
import { DEFAULT_LIMITS } from '../../../src/api/check.js'
import { loadCodebook } from '../../../src/encoding/codebook/load.js'
import { readCodebook } from '../../../src/encoding/codebook/node.js'
import { checkFilter } from '../../../src/api/check-filter.js'
import type { Filter } from '../../../src/api/filter.js'
import { slotsOfFilter } from '../../../src/indexes/filter.js'
import type { CheckpointParts } from '../../../src/base/checkpoint-parts.js'
import { LateGraphs } from '../../../src/indexes/graph/late-graphs.js'
import * as graphs from '../../../src/indexes/graph/part.js'
import { Indexes } from '../../../src/indexes/indexes.js'
import { toQuestion } from '../../../src/recall/query/to-question.js'
import { consider } from '../../../src/recall/consider.js'
import { decodeEpisode, encodeEpisode } from '../../../src/records/kinds/episode.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { OpenedStore } from '../../../src/storage/contract/opened-store.js'
import { runs } from '../../runs.js'
import { openMemory, withFolder } from '../engine/open.js'
import { kernel } from '../encoding/kernel.js'

const codebook = (await loadCodebook(await readCodebook()))!
const NOW = Date.UTC(2026, 5, 1)
const DAY = 86_400_000
const NAMES = ['harbour', 'lantern', 'violin', 'orchard', 'granite', 'saddle']
const SLOTS = 12
const CUES = ['the harbour lantern', 'when was the violin played?', 'who likes the orchard in May 2024?']

const FILTERS: readonly Filter[] = [
  { tags: 'red' },
  { metadata: { size: { gte: 1, lt: 3 } } },
  { not: { metadata: { of: ['harbour', 'violin'] } } },
  { or: [{ speaker: ['Ann', 'Bob'] }, { expiresAt: { to: '2024-01-05' } }] },
  { session: ['s1', 's2'], metadata: { of: { gt: 'h' } } },
]

const name = fc.constantFrom(...NAMES)
const texts = fc
  .tuple(name, name, fc.constantFrom('', ' in May 2024', ' twice?', ' of the garden'))
  .map(([a, b, end]) => `the ${a} and the ${b}${end}`)
const fields = fc.record({
  text: texts,
  speaker: fc.option(fc.constantFrom('Ann', 'Bob'), { nil: undefined }),
  session: fc.option(fc.constantFrom('s1', 's2'), { nil: undefined }),
  source: fc.option(fc.constantFrom('chat', 'mail'), { nil: undefined }),
  at: fc.nat(100),
  ends: fc.option(fc.nat(400), { nil: undefined }),
  tags: fc.option(fc.subarray(['red', 'blue'], { minLength: 1 }), { nil: undefined }),
  metadata: fc.option(fc.record({ size: fc.nat(3), of: name }), { nil: undefined }),
  expiresAt: fc.option(
    fc.nat(9).map((days) => day(days)),
    { nil: undefined },
  ),
  superseded: fc.option(fc.record({ by: fc.nat(SLOTS - 1), at: fc.nat(400) }), { nil: undefined }),
  triples: fc.array(fc.record({ subject: name, predicate: fc.constantFrom('likes', 'met'), object: name }), {
    maxLength: 3,
  }),
})
const slot = fc.nat(SLOTS - 1)
const step = fc.oneof(
  fc.record({ op: fc.constant('put' as const), slot, fields }),
  fc.record({ op: fc.constant('put' as const), slot, fields }),
  fc.record({ op: fc.constant('end' as const), slot, at: fc.nat(400) }),
  fc.record({ op: fc.constant('remove' as const), slot }),
)

const day = (days: number) => new Date(Date.UTC(2024, 0, 1) + days * DAY).toISOString()

function toEpisode(
  slot: number,
  { at, ends, superseded, ...rest }: typeof fields extends fc.Arbitrary<infer F> ? F : never,
): Episode {
  return {
    ...rest,
    id: `e${slot}`,
    at: day(at),
    recordedAt: day(at + 1),
    validTo: ends === undefined ? undefined : day(at + ends),
    superseded: superseded && { by: `e${superseded.by}`, at: day(at + superseded.at), recordedAt: day(500) },
    provenance: { writer: 'test', episodes: [] },
  } as Episode
}

/** All that the indexes answer about the slots, and what recall sees of a few cues. */
async function answers(indexes: Indexes): Promise<unknown> {
  const { attributes, catalog, concepts, latents, mentions, postings, predicates, timeline, traits } = indexes
  const slots = [...catalog.slots()]
  const names = [...NAMES, 'likes', 'met']
  return {
    slots,
    episodes: slots.map((slot) => ({
      id: catalog.id(slot),
      speaker: catalog.speaker(slot),
      source: catalog.source(slot),
      session: catalog.sessions.name(catalog.session(slot)),
      times: [catalog.validFrom(slot), catalog.recordedAt(slot), catalog.validTo(slot), catalog.endKnownAt(slot)],
      supersedes: catalog.supersededBy(catalog.id(slot)!),
      before: timeline.previous(slot),
      after: timeline.next(slot),
      traits: [traits.bits(slot), traits.words(slot)],
      mayNameTime: mentions.mayName(slot),
      latent: latents!.latent(slot)?.slice(),
      signatures: indexes.signatures.arenas.map(({ arena }) => arena.get(slot)),
    })),
    passing: FILTERS.map((filter) => slotsOfFilter(indexes, checkFilter('filter', filter, DEFAULT_LIMITS))[0]),
    sizes: [
      attributes.size,
      catalog.size,
      postings.documents,
      postings.terms,
      concepts.size,
      predicates.size,
      catalog.speakers.size,
    ],
    last: ['s1', 's2'].map((session) => timeline.last(session)),
    names: names.map((name) => [concepts, predicates].map((all) => [...all.slots(name)].sort((a, b) => a - b))),
    found: names.map((name) => postings.search(new Map([[name.slice(0, 6), 1]]), SLOTS)),
    visible: [undefined, Date.UTC(2024, 2, 1)].map((validAsOf) => {
      const sees = catalog.seeing({ now: NOW, validAsOf })
      return slots.filter((slot) => sees(slot))
    }),
    considered: await Promise.all(
      CUES.map(async (cue) => {
        const { candidates, features } = await consider(indexes, toQuestion(cue, {}, NOW, DEFAULT_LIMITS))
        return [candidates.slots, candidates.own, features.values]
      }),
    ),
  }
}

const GRAPHS = ['chain', 'entities', 'associations'] as const

/** The graphs as a checkpoint has them; entities by name, since their numbers tell in which order they came. */
function graphsOf(late: LateGraphs): unknown {
  const parts: CheckpointParts = new Map()
  for (const name of GRAPHS) late.index(name).contents.save(parts, name)
  const { graph, key } = ((entities) => ({ graph: entities.graph, key: (n: number) => entities.key(n) }))(
    late.now.entities.contents,
  )
  return [
    ...['chain.TPCH', 'associations.HGPH', 'associations.COAX'].map((name) => parts.get(name)!.slice()),
    NAMES.map((name) => {
      const entity = graph.find(name)
      if (entity === undefined) return undefined
      const { entities, ...relations } = graph.relations(entity)
      return [graph.type(entity), graph.slots(entity), Array.from(entities, key), relations]
    }),
  ]
}

test('Indexes after updates and removals answer as indexes built from the current episodes.', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
      // Graphs that are there from the beginning, and others that come when all has happened.
      const changed = new Indexes(kernel, codebook, undefined, undefined, {}, graphs)
      const late = new LateGraphs(kernel, changed, async () => graphs)
      const lateIndexes = GRAPHS.map((name) => late.index(name))
      const live = new Map<number, Episode>()
      const update = (slot: number, episode: Episode) => {
        const before = live.get(slot)!
        const replacing = changed.replacing(slot, before, episode, changed.encode(before))
        changed.revise(slot, episode, replacing?.signatures)
        live.set(slot, episode)
        for (const index of lateIndexes) index.update(slot, episode, () => changed.read(episode))
      }
      for (const step of steps) {
        const before = live.get(step.slot)
        if (step.op === 'put') {
          const episode = toEpisode(step.slot, step.fields)
          if (before !== undefined) update(step.slot, episode)
          else {
            changed.add(step.slot, episode, changed.encode(episode).signatures)
            live.set(step.slot, episode)
            for (const index of lateIndexes) index.add(step.slot, episode, changed.read(episode))
          }
        } else if (before !== undefined && step.op === 'end') {
          update(step.slot, { ...before, superseded: { by: 'e0', at: day(step.at), recordedAt: day(500) } })
        } else if (before !== undefined) {
          changed.remove(step.slot, before)
          live.delete(step.slot)
          for (const index of lateIndexes) index.remove(step.slot, before)
        }
      }
      await late.get()
      const built = new Indexes(kernel, codebook)
      for (const [slot, episode] of [...live].sort(([a], [b]) => a - b))
        built.add(slot, episode, built.encode(episode).signatures)
      try {
        expect(await answers(changed)).toEqual(await answers(built))
        expect(graphsOf(late)).toEqual(graphsOf(changed.graphs))
      } finally {
        changed.free()
        for (const { contents } of lateIndexes) contents.free?.()
        built.free()
      }
    }),
    { numRuns: runs(60) },
  )
})

test('A row that was rewritten after the checkpoint is indexed as it is now when the memory is opened.', async () => {
  const observed = ['the harbour at night', 'a lantern in the orchard', 'granite and saddles'].map((text, i) => ({
    id: `e${i}`,
    text,
    at: day(i),
  }))
  const rewritten = 'a violin on the harbour wall'
  const found = async (path: string) => {
    const db = await openMemory({ storage: nodeStorage(path), keepAfter: Infinity })
    const answers = []
    for (const cue of ['violin wall', 'lantern orchard']) {
      const { matches } = await db.recall(cue, { k: 3 })
      answers.push(matches.map(({ id, text, confidence, signals }) => ({ id, text, confidence, signals })))
    }
    await db.close()
    return answers
  }
  await withFolder(async (path) => {
    const before = await openMemory({ storage: nodeStorage(path), keepAfter: 1 })
    await before.observeMany(observed)
    await before.close()
    const storage = new OpenedStore(nodeStorage(path))
    const rows = new Map<string, { readonly slot: number; readonly row: Uint8Array }>()
    await storage.open(({ slot, id, row }) => void rows.set(id, { slot, row: row.slice() }))
    const { slot, row } = rows.get('e1')!
    const episode = { ...decodeEpisode(row), text: rewritten }
    const indexes = new Indexes(kernel)
    await storage.commit([
      { op: 'update', slot, id: 'e1', row: encodeEpisode(episode) },
      { op: 'setSignatures', slot, id: 'e1', ...indexes.encode(episode) },
    ])
    indexes.free()
    await storage.close()

    const direct = await openMemory({ storage: nodeStorage(`${path}-direct`) })
    await direct.observeMany(observed.map((one) => (one.id === 'e1' ? { ...one, text: rewritten } : one)))
    await direct.close()
    const answers = await found(path)
    expect(answers).toEqual(await found(`${path}-direct`))
    expect(answers[0][0]).toMatchObject({ id: 'e1', text: rewritten })
  })
})
