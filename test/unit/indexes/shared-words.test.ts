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

test('indexes that share a word table make the same signatures, do not count its bytes and do not free it', () => {
  const kernel = referenceKernel()
  const [owner, alone] = [new Indexes(kernel), new Indexes(kernel)]
  const sharing = new Indexes(kernel, undefined, undefined, undefined, owner.words)
  const before = sharing.bytes
  for (const text of texts)
    expect(sharing.encode(episode(text)).signatures).toEqual(alone.encode(episode(text)).signatures)
  expect(sharing.bytes).toBe(before)
  const known = owner.words.bytes
  expect(known).toBeGreaterThan(1000)
  sharing.free()
  expect(owner.words.bytes).toBe(known)
  for (const text of texts)
    expect(owner.encode(episode(text)).signatures).toEqual(alone.encode(episode(text)).signatures)
  owner.free()
  expect(owner.words.bytes).toBeLessThan(known)
  alone.free()
})
