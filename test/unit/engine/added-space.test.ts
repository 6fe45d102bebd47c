import { expect, test, vi } from 'vitest'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { threads, filled } from '../pools/scan/threads.js'
import { openMemory, withFolder } from './open.js'

// The registry with one more line.
vi.mock('../../../src/encoding/spaces/spaces.js', async (original) => {
  const registry = await original<typeof import('../../../src/encoding/spaces/spaces.js')>()
  const { consonantSpace } = await import('../toys/consonant-space.js')
  return { ...registry, SPACES: [...registry.SPACES, consonantSpace] }
})

const WORDS = ['granite', 'saddle', 'teapot', 'glacier', 'ribbon', 'compass', 'walnut', 'feather']
const FILLERS = Array.from({ length: 300 }, (_, i) => ({
  id: `filler-${i}`,
  text: `a ${WORDS[i % 8]} beside the ${WORDS[(i * 3 + 1) % 8]}, number ${i}`,
}))
const BEES = { id: 'bees', text: 'Miriam keeps wild bees' }
/** The same consonants, and no vowel where it was. */
const CUE = 'maraam kops wuld bos'

const best = async (db: Awaited<ReturnType<typeof openMemory>>) => {
  const { matches } = await db.recall(CUE, { k: 3 })
  const [{ id, signals }] = matches
  return { id, hasSignal: Object.entries(signals).some(([name, value]) => name === 'consonants' && value > 0) }
}

test('Recall finds by an added signature space in memory, from checkpoint and journal, and with threads.', async () => {
  await withFolder(async (path) => {
    const first = await openMemory({ storage: nodeStorage(path), keepAfter: 1 })
    await first.observeMany([...FILLERS.slice(0, 150), BEES, ...FILLERS.slice(150)])
    expect(await best(first)).toEqual({ id: 'bees', hasSignal: true })
    await first.close()

    const fromCheckpoint = await openMemory({ storage: nodeStorage(path), keepAfter: Infinity })
    expect(await best(fromCheckpoint)).toEqual({ id: 'bees', hasSignal: true })
    await fromCheckpoint.close()

    // Without room for rows, the candidates' signatures are read from the journal.
    const fromJournal = await openMemory({ storage: nodeStorage(path), memoryBudget: 0 })
    expect(await best(fromJournal)).toEqual({ id: 'bees', hasSignal: true })
    await fromJournal.close()

    const withThreads = await openMemory({ storage: nodeStorage(path), shardThreads: await threads() })
    await filled(withThreads)
    expect(await best(withThreads)).toEqual({ id: 'bees', hasSignal: true })
    await withThreads.remove('bees')
    expect((await best(withThreads)).id).not.toBe('bees')
    await withThreads.close()
  })
})
