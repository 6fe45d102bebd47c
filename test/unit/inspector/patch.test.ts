import { expect, test } from 'vitest'
import { groupsOf } from '../../../src/inspector/forget/cascade.js'
import { formOf, patchBetween, patchOf } from '../../../src/inspector/record/patch.js'
import { leads } from '../../../src/inspector/record/path.js'
import { Agidb } from '../../../src/runtimes/node/index.js'

test('a form changes what was changed in it, and nothing else', async () => {
  const db = await Agidb.open({ storage: 'memory' })
  const id = await db.observe('One', {
    speaker: 'Ann',
    at: '2026-05-01T10:00:00.123Z',
    tags: ['a'],
    metadata: { n: 1 },
  })
  const episode = (await db.getEpisode(id))!
  const form = formOf(episode)
  expect(patchOf(episode, form)).toEqual({})
  expect(
    patchOf(episode, { ...form, speaker: ' ', tags: 'a, b,', metadata: '', validTo: '2026-06-01T00:00:00' }),
  ).toEqual({
    speaker: null,
    tags: ['a', 'b'],
    metadata: null,
    validTo: new Date('2026-06-01T00:00:00'),
  })
  for (const wrong of [{ metadata: '{' }, { metadata: '[]' }, { at: '' }])
    expect(() => patchOf(episode, { ...form, ...wrong })).toThrow(
      expect.objectContaining({ code: 'AGIDB_INVALID_ARGUMENT' }),
    )
  await db.close()
})

test('a tag that has a comma stays whole when other tags are changed', async () => {
  const db = await Agidb.open({ storage: 'memory', codebook: 'none', extract: 'none' })
  const id = await db.observe('One', { tags: ['Paris, France', 'trip'] })
  const episode = (await db.getEpisode(id))!
  const changed = (tags: string) => patchOf(episode, { ...formOf(episode), tags }).tags
  expect(changed('Paris, France, trip, food')).toEqual(['Paris, France', 'trip', 'food'])
  expect(changed('trip')).toEqual(['trip'])
  expect(changed('Paris, trip')).toEqual(['Paris', 'trip'])
  await db.close()
})

test('going back to a version makes an episode say what it said', async () => {
  const db = await Agidb.open({ storage: 'memory', extract: 'rules' })
  const triples = [{ subject: 'Ann', predicate: 'likes', object: 'tea' }]
  const id = await db.observe('Ann likes tea.', { speaker: 'Ann', tags: ['a'], triples })
  await db.update(id, { text: 'Tom likes rum.', speaker: null, tags: ['b'], triples: null, source: 'mail' })
  const [first] = await db.history(id)
  const back = await db.update(id, patchBetween((await db.getEpisode(id))!, first.episode))
  const { text, speaker, tags, source, at } = back
  expect({ text, speaker, tags, source, at }).toEqual({
    ...{ text: 'Ann likes tea.', speaker: 'Ann', tags: ['a'], source: undefined, at: first.episode.at },
  })
  expect(back.triples[0]).toEqual(triples[0])
  await db.close()
})

test('a cascade is told by kind, what is forgotten itself first', () => {
  const nodes = [
    { id: 'b1', kind: 'belief', becomes: 'removed' },
    { id: 'e1', kind: 'episode', becomes: 'removed' },
    { id: 'e2', kind: 'episode', becomes: 'removed' },
    { id: 'b2', kind: 'belief', becomes: 'changed' },
  ] as const
  const edges = [
    { from: 'b1', to: 'e1' },
    { from: 'b2', to: 'e2' },
  ]
  expect(groupsOf({ nodes, edges })).toEqual([
    { kind: 'episode', becomes: 'removed', ids: ['e1', 'e2'], isDependent: false },
    { kind: 'belief', becomes: 'removed', ids: ['b1'], isDependent: true },
    { kind: 'belief', becomes: 'changed', ids: ['b2'], isDependent: true },
  ])
})

test('a way from memory to memory is told in words', () => {
  const isEpisode = (id: string) => id.startsWith('ep_')
  const step = (from: string, edge: string, to: string) => ({ from, edge, to, weight: 1 })
  expect(leads([step('ep_1', 'forward', 'ep_2')], isEpisode)).toBe('came next')
  expect(leads([step('ep_1', 'entity', 'Bawri'), step('Bawri', 'entity', 'ep_2')], isEpisode)).toBe('both name Bawri')
})
