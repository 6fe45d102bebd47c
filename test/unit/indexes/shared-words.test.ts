import { expect, test } from 'vitest'
import { Indexes } from '../../../src/indexes/indexes.js'
import { referenceKernel } from '../../../src/kernel/reference/kernel.js'
import { noise } from '../../../src/storage/contract/episodes.js'

const id = `ep_${'0'.repeat(26)}`
const episode = (text: string) => ({
  id,
  text,
  at: '2026-01-01T00:00:00.000Z',
  recordedAt: '2026-01-01T00:00:00.000Z',
  triples: [],
  provenance: { writer: '', episodes: [] },
})
const texts = Array.from({ length: 50 }, (_, i) => `${[...noise(i, 6)].join(' turns ')} of the pump`)

test('indexes on one kernel share its words, make the same signatures, and the last one frees them', () => {
  const kernel = referenceKernel()
  const [first, second] = [new Indexes(kernel), new Indexes(kernel)]
  const alone = new Indexes(referenceKernel())
  expect(first.words).toBe(second.words)
  expect(alone.words).not.toBe(first.words)
  for (const indexes of [first, second, alone])
    for (const text of texts)
      expect(indexes.encode(episode(text)).signatures).toEqual(alone.encode(episode(text)).signatures)
  const known = alone.words.bytes
  expect(known).toBeGreaterThan(1000)
  expect(first.words.bytes).toBe(known)
  expect(first.words.share).toBe(known / 2)
  second.free()
  expect(first.words.share).toBe(known)
  for (const text of texts)
    expect(first.encode(episode(text)).signatures).toEqual(alone.encode(episode(text)).signatures)
  const { words } = first
  first.free()
  expect(words.bytes).toBeLessThan(known)
  const next = new Indexes(kernel)
  expect(next.words).not.toBe(words)
  next.free()
  alone.free()
})
