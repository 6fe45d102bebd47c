import { beforeAll, describe, expect, test } from 'vitest'
import { readCodebook } from '../../../src/encoding/codebook/node.js'
import type { Codebook } from '../../../src/encoding/codebook/codebook.js'
import { loadCodebook } from '../../../src/encoding/codebook/load.js'
import { openEngine } from '../../../src/engine/whole.js'
import type { EngineOptions } from '../../../src/engine/options.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { kernel } from '../encoding/kernel.js'
import { NOW, withFolder } from './open.js'

let codebook: Codebook
beforeAll(async () => {
  codebook = (await loadCodebook(await readCodebook()))!
})

const ITEMS = [
  { id: 'flat', text: 'The rent is due on Monday.', speaker: 'Tom', session: 's' },
  { id: 'car', text: 'My automobile broke down near the bridge.', speaker: 'Mia', session: 's' },
  { id: 'dog', text: 'We walked the puppy along the river.', speaker: 'Tom', session: 's' },
  { id: 'ate', text: 'Bawri serves the best noodles in town.', speaker: 'Mia', session: 's' },
]
const CUES = ['who had trouble with the car?', 'where is good food?', 'when do I pay for my flat?', 'the dog']

/** Opens a folder, remembers what is given, and answers the questions. */
async function answers(path: string, options: Partial<EngineOptions>, items: typeof ITEMS = []) {
  const db = await openEngine({ kernel, storage: nodeStorage(path), clock: () => NOW, seed: 1, ...options })
  await db.observeMany(items)
  const matches = []
  for (const cue of CUES) matches.push((await db.recall(cue)).matches)
  const { opening, codebook } = await db.stats()
  await db.close()
  const mended = opening.filter(({ kind }) => kind !== 'created').map(({ kind, details }) => [kind, details])
  return { matches, codebook, opening: mended }
}

describe('a memory that was written without the codebook', () => {
  test('answers with it as one that was written with it', async () => {
    await withFolder(async (path) => {
      const [before, after] = [ITEMS.slice(0, 2), ITEMS.slice(2)]
      const without = await answers(`${path}-late`, {}, before)
      expect(without).toMatchObject({ codebook: 'none', opening: [] })
      const late = await answers(`${path}-late`, { codebook }, after)
      expect(late).toMatchObject({ codebook: codebook.id, opening: [['re-encoded', { episodes: before.length }]] })
      expect(late.matches).toEqual((await answers(`${path}-always`, { codebook }, ITEMS)).matches)
      expect((await answers(`${path}-late`, { codebook })).matches).toEqual(late.matches)
    })
  })

  test('answers without it as before, whatever was written with it', async () => {
    await withFolder(async (path) => {
      const learned = await answers(`${path}-with`, { codebook }, ITEMS)
      const without = await answers(`${path}-with`, {})
      expect(without).toMatchObject({ codebook: 'none', opening: [] })
      expect(without.matches).toEqual((await answers(`${path}-never`, {}, ITEMS)).matches)
      expect(without.matches).not.toEqual(learned.matches)
    })
  })
})

test('signatures of another codebook are made again', async () => {
  await withFolder(async (path) => {
    const other: Codebook = {
      id: '0123456789abcdef',
      dimension: codebook.dimension,
      size: codebook.size,
      bytes: codebook.bytes,
      pieces: (text) => codebook.pieces(text),
      weight: (piece) => codebook.weight(piece),
      add: (piece, weight, into) => codebook.add(codebook.size - 1 - piece, weight, into),
      weighted: (pieces) => codebook.weighted(Array.from(pieces, (piece) => codebook.size - 1 - piece)),
    }
    await answers(path, { codebook: other }, ITEMS)
    const { matches, opening } = await answers(path, { codebook })
    expect(opening).toEqual([['re-encoded', { episodes: ITEMS.length }]])
    expect(matches).toEqual((await answers(`${path}-always`, { codebook }, ITEMS)).matches)
  })
})

test('an episode whose words the codebook does not know is no older for it', async () => {
  const unknown = '\u{12000}\u{12001}\u{12002}'
  expect(codebook.pieces(unknown)).toEqual([])
  await withFolder(async (path) => {
    await answers(path, { codebook }, [{ id: 'sumerian', text: unknown } as (typeof ITEMS)[number]])
    expect((await answers(path, { codebook })).opening).toEqual([])
  })
})
