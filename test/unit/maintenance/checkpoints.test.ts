import { expect, test } from 'vitest'
import { Indexes } from '../../../src/indexes/indexes.js'
import { Checkpoints } from '../../../src/maintenance/checkpoints.js'
import { memoryStorage } from '../../../src/storage/adapters/memory.js'
import { Writer } from '../../../src/write/writer.js'
import { kernel } from '../encoding/kernel.js'

test('a checkpoint that waits while an import ends the writer is not kept, and fails for nobody', async () => {
  const { rows } = await memoryStorage().open(() => {})
  const indexes = new Indexes(kernel)
  const writer = new Writer(rows, indexes, 0)
  const written: unknown[] = []
  const store = { read: () => Promise.resolve(undefined), write: async (parts: unknown) => void written.push(parts) }
  const checkpoints = new Checkpoints(store as never, indexes, writer, 1, 1)
  let kept: Promise<void> | undefined
  await writer.still(async () => {
    kept = checkpoints.keep()
    await Promise.resolve()
    checkpoints.stop()
    writer.end()
  })
  await expect(kept).resolves.toBeUndefined()
  expect(written).toEqual([])
})
