import { expect, test, vi } from 'vitest'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { openMemory, withFolder } from './open.js'

// The registry with one more line.
vi.mock('../../../src/indexes/registered.js', async (original) => {
  const registry = await original<typeof import('../../../src/indexes/registered.js')>()
  const { markIndex } = await import('../toys/mark-index.js')
  return { ...registry, INDEXES: { ...registry.INDEXES, marks: markIndex } }
})

const WAVE = { id: 'wave', text: 'the long walk ※' }
const FILLERS = Array.from({ length: 1000 }, (_, i) => ({
  id: `filler-${i}`,
  text: `harbour number ${i}`,
  session: 'the harbour',
}))

const considers = async (db: Awaited<ReturnType<typeof openMemory>>, cue: string) => {
  const { attentionTrace } = await db.recall(cue, { k: 3, fold: false, traceAttention: true })
  return attentionTrace!.candidates.some(({ id }) => id === 'wave')
}

test('Recall considers the candidates of an added index, before and after opening a checkpoint.', async () => {
  await withFolder(async (path) => {
    const first = await openMemory({ storage: nodeStorage(path), keepAfter: 1 })
    await first.observeMany([WAVE, ...FILLERS])
    expect(await considers(first, 'harbour ※')).toBe(true)
    expect(await considers(first, 'harbour ‽')).toBe(false)
    await first.close()

    const second = await openMemory({ storage: nodeStorage(path), keepAfter: Infinity })
    expect(await considers(second, 'harbour ※')).toBe(true)
    await second.supersede('wave', 'filler-1')
    expect(await considers(second, 'harbour ※')).toBe(false)
    await second.remove('filler-1')
    expect(await considers(second, 'harbour ※')).toBe(true)
    await second.remove('wave')
    expect(await considers(second, 'harbour ※')).toBe(false)
    await second.close()
  })
})
