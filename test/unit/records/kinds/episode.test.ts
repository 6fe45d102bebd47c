import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Episode } from '../../../../src/api/episode.js'
import type { JsonObject } from '../../../../src/api/json.js'
import { decodeEpisode, encodeEpisode, encodeEpisodes } from '../../../../src/records/kinds/episode.js'

const AT = '2027-01-15T08:00:00.000Z'
const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 })
const episode = fc
  .record(
    {
      id: name,
      text: fc.oneof(name, fc.constantFrom('plain', 'naïve', '"quoted"')),
      speaker: name,
      session: name,
      source: name,
      superseded: fc.constant({ by: 'b', at: AT, recordedAt: AT }),
      triples: fc.array(fc.record({ subject: name, predicate: name, object: name }), { maxLength: 2 }),
      tags: fc.array(name, { minLength: 1, maxLength: 2 }),
      metadata: fc.constantFrom<JsonObject[]>({}, { a: { b: [1, 'é', null] } }),
      expiresAt: fc.constant(AT),
    },
    { requiredKeys: ['id', 'text', 'triples'] },
  )
  .map((some): Episode => {
    const { id, source, session } = some
    return {
      ...some,
      at: AT,
      recordedAt: AT,
      provenance: {
        ...(source !== undefined && { source }),
        ...(session !== undefined && { session }),
        writer: 'test',
        episodes: [id],
      },
    }
  })

test('an episode comes back from its row', () => {
  fc.assert(
    fc.property(episode, (episode) => {
      expect(decodeEpisode(encodeEpisode(episode))).toEqual(episode)
    }),
  )
})

test('rows that are made together are those that are made one by one', () => {
  fc.assert(
    fc.property(fc.array(episode, { maxLength: 5 }), (episodes) => {
      expect(encodeEpisodes(episodes)).toEqual(episodes.map((episode) => encodeEpisode(episode)))
    }),
  )
})

test('the row of an episode without tags, metadata and expiry has the bytes that it always had', () => {
  const row = encodeEpisode({
    id: 'a',
    text: 'one',
    session: 's',
    at: AT,
    recordedAt: AT,
    triples: [{ subject: 'x', predicate: 'y', object: 'z' }],
    provenance: { session: 's', writer: 'test', episodes: ['a'] },
  })
  expect(new TextDecoder().decode(row)).toBe(
    `{"id":"a","text":"one","session":"s","at":"${AT}","recordedAt":"${AT}",` +
      '"triples":[{"subject":"x","predicate":"y","object":"z"}],"writer":"test"}',
  )
})
