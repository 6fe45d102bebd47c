import { expect, test } from 'vitest'
import { readCodebook } from '../../../src/encoding/codebook/node.js'
import { loadCodebook } from '../../../src/encoding/codebook/load.js'
import { openEngine } from '../../../src/engine/whole.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { withFolder } from '../engine/open.js'
import { kernel } from '../encoding/kernel.js'

const NOW = 1_800_000_000_000
const WORDS = ['tank', 'pump', 'valve', 'orbit', 'crew', 'radio', 'signal', 'burn', 'noodles', 'river']
const ITEMS = Array.from({ length: 120 }, (_, i) => ({
  text: i % 17 === 0 ? '…' : `The ${WORDS[i % 10]} and the ${WORDS[(i * 7) % 9]} were checked ${i} times`,
  id: `m${i}`,
  session: `s${i % 4}`,
  speaker: i % 2 ? 'Ann' : 'Bob',
}))
const CUES = ['Was the pump checked?', 'the crew and the radio', 'where was good food?', 'checked 33 times']

test('answers are the same whether signatures are kept in rows or read from the journal', async () => {
  const codebook = await loadCodebook(await readCodebook())
  await withFolder(async (path) => {
    const answers = async (memoryBudget?: number, first = false) => {
      const db = await openEngine({
        kernel,
        codebook,
        storage: nodeStorage(path),
        clock: () => NOW,
        seed: 1,
        ...(memoryBudget !== undefined && { memoryBudget }),
      })
      if (first) {
        await db.observeMany(ITEMS)
        await db.supersede('m3', 'm40')
        for (const id of ['m5', 'm50', 'm51']) await db.remove(id)
      }
      const found = []
      for (const options of [{}, { session: 's1' }])
        for (const cue of CUES) found.push((await db.recall(cue, { k: 20, ...options })).matches)
      await db.close()
      return found
    }
    const kept = await answers(undefined, true)
    expect(kept.every((matches) => matches.length > 0)).toBe(true)
    expect(await answers(0)).toEqual(kept)
    expect(await answers()).toEqual(kept)
  })
})
