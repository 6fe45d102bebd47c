import { expect, test } from 'vitest'
import type { CheckpointParts } from '../../../src/base/checkpoint-parts.js'
import { Entities } from '../../../src/indexes/graph/entities.js'
import { referenceGraphs } from '../../../src/kernel/reference/graph/kernel.js'

function entities(): Entities {
  const made = new Entities(referenceGraphs.entities())
  made.use({
    conceptNames: { names: { of: (slot: number) => [`Person ${slot}`] }, typeOf: () => undefined } as never,
    catalog: { slot: Number },
  })
  return made
}

/** What is counted for the entities themselves; tables of relations have other room for growth once loaded. */
const bytesOf = (made: Entities): number => made.bytes - made.relations.bytes

test('entities of a checkpoint count as much memory as those that were saved, also once they are gone', () => {
  const saved = entities()
  for (let slot = 0; slot < 50; slot++) saved.set(slot, { triples: [] })
  const parts: CheckpointParts = new Map()
  saved.save(parts, 'entities')
  const loaded = entities()
  loaded.load(parts, 'entities')
  expect(bytesOf(loaded)).toBe(bytesOf(saved))
  for (let slot = 0; slot < 50; slot++) for (const made of [loaded, saved]) made.remove(slot)
  expect(bytesOf(loaded)).toBe(bytesOf(saved))
})
