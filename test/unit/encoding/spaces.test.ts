import { expect, test } from 'vitest'
import { SPACES } from '../../../src/encoding/spaces/spaces.js'
import { ENCODED, KINDS } from '../../../src/storage/journal/changes.js'
import { FUSED_SIGNALS, OWN_SIGNALS } from '../../../src/recall/evidence/signals.js'

test('Signature spaces have the tags of the file format, in order and without gaps.', () => {
  expect(SPACES.map(({ kind, tag }) => [kind, tag])).toEqual([
    ['text', 1],
    ['structured', 2],
    ['latent', 3],
    ['sentence', 4],
    ['image', 5],
    ['audio', 6],
    ['video', 7],
    ['own.0', 8],
    ['own.1', 9],
    ['own.2', 10],
    ['own.3', 11],
  ])
  // Those of the application's own modalities are stored with that of the video, so that journals have no other kinds.
  expect(KINDS).toEqual(['text', 'structured', 'latent', 'sentence', 'image', 'audio', 'video'])
  expect([...ENCODED]).toEqual(['text', 'structured'])
})

test('Own evidence is summed in the order in which it always was, so that scores stay the same to the bit.', () => {
  expect(OWN_SIGNALS.map(({ name, weight }) => [name, weight])).toEqual([
    ['words', 0.6],
    ['text', 0.4],
    ['order', 0.3],
    ['meaning', 0.6],
    ['sentence', 0.4],
    ['image', 0.6],
    ['audio', 0.6],
    ['video', 0.6],
    ['own.0', 0.6],
    ['own.1', 0.6],
    ['own.2', 0.6],
    ['own.3', 0.6],
  ])
  expect(FUSED_SIGNALS.map(({ name }) => name)).toEqual([
    'words',
    'text',
    'meaning',
    'sentence',
    'image',
    'audio',
    'video',
    'own.0',
    'own.1',
    'own.2',
    'own.3',
    'order',
  ])
})
