import { expect, test } from 'vitest'
import type { Equipment, Model, Ranker } from '../../../../src/api/ranker.js'
import { forestFor, type RankedBy } from '../../../../src/recall/ranking/rankers.js'
import { unpack } from '../../../../src/recall/ranking/packed.js'
import { free } from '../../../../src/recall/ranking/tables/free.js'

const plain = unpack(free.plain)
const NOTHING: RankedBy = { codebook: false }
const CODEBOOK: RankedBy = { codebook: true, encoder: false }
const BOTH: RankedBy = { codebook: true, encoder: true }

/** A ranker whose models are told apart by their scales. */
function rankerOf(scales: Partial<Record<Equipment, number>>): Ranker {
  const models = Object.fromEntries(
    Object.entries(scales).map(([equipment, scale]): [string, Model] => [equipment, { ...plain, scale }]),
  )
  return { format: 'agidb-ranker', version: 1, name: 'own', trainedOn: 'nothing', licence: 'CC0-1.0', models }
}

test.each<[Partial<Record<Equipment, number>>, RankedBy, number]>([
  [{ plain: 1, codebook: 2, encoder: 3 }, NOTHING, 1],
  [{ plain: 1, codebook: 2, encoder: 3 }, CODEBOOK, 2],
  [{ plain: 1, codebook: 2, encoder: 3 }, BOTH, 3],
  [{ plain: 1, codebook: 2 }, BOTH, 2],
  [{ plain: 1, encoder: 3 }, CODEBOOK, 1],
  [{ plain: 1 }, BOTH, 1],
  [{ codebook: 2, encoder: 3 }, NOTHING, 2],
  [{ encoder: 3 }, NOTHING, 3],
  [{ encoder: 3 }, CODEBOOK, 3],
  // The model for an encoder needs the codebook, too.
  [{ plain: 1, encoder: 3 }, { codebook: false, encoder: true }, 1],
])('of the models %o, %o is ranked by %d', (scales, by, scale) => {
  expect(forestFor(rankerOf(scales), by)!.model.scale).toBe(scale)
})

test('the ranker free takes a late model that can be had', () => {
  const late = (scales: Partial<Record<Equipment, number>>, by: RankedBy) =>
    forestFor('free', by, (equipment) => rankerOf(scales).models[equipment])!.model.scale
  expect(late({ codebook: 2, encoder: 3 }, BOTH)).toBe(3)
  expect(late({ codebook: 2, encoder: 3 }, CODEBOOK)).toBe(2)
  expect(late({ codebook: 2, encoder: 3 }, NOTHING)).toBe(plain.scale)
  expect(late({ codebook: 2 }, BOTH)).toBe(2)
  expect(late({}, BOTH)).toBe(plain.scale)
  expect(forestFor('free', BOTH)!.model.scale).toBe(plain.scale)
})
