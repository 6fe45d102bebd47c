import { expect, test } from 'vitest'
import { graphIndexes, graphMemoryBytes } from '../../../src/indexes/graph/part.js'
import { Indexes } from '../../../src/indexes/indexes.js'
import { Checkpoints } from '../../../src/maintenance/checkpoints.js'
import { memoryStorage } from '../../../src/storage/adapters/memory.js'
import { Writer } from '../../../src/write/writer.js'
import { kernel } from '../encoding/kernel.js'

/** The checkpoints of an empty memory that lacks one change, and what of them was written. */
async function checkpointsAfter(least: number) {
  const { rows } = await memoryStorage().open(() => {})
  const indexes = new Indexes(kernel, undefined, undefined, undefined, {}, { graphIndexes, graphMemoryBytes })
  const writer = new Writer(rows, indexes, 0)
  const written: unknown[] = []
  const store = { read: () => Promise.resolve(undefined), write: async (parts: unknown) => void written.push(parts) }
  const checkpoints = new Checkpoints(store as never, indexes, writer, 1, least)
  return { checkpoints, indexes, writer, written }
}

test('a checkpoint that waits while an import ends the writer is not kept, and fails for nobody', async () => {
  const { checkpoints, writer, written } = await checkpointsAfter(1)
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

test('a checkpoint that waits for the graphs while the memory is closed is not kept after that', async () => {
  const { checkpoints, indexes, written } = await checkpointsAfter(1)
  let prepared = (): void => {}
  indexes.graphs.prepare = () => new Promise((resolve) => (prepared = resolve))
  const kept = checkpoints.keep()
  await checkpoints.close()
  expect(written).toHaveLength(1)
  prepared()
  await kept
  expect(written).toHaveLength(1)
})

test('no checkpoint is kept before as many changes as one takes, however many that are', async () => {
  for (const [least, isKept] of [
    [1, true],
    [Infinity, false],
  ] as const) {
    const { checkpoints, writer, written } = await checkpointsAfter(least)
    checkpoints.committed(40_000)
    checkpoints.committed(40_000)
    await new Promise((resolve) => setTimeout(resolve, 20))
    await writer.idle()
    expect(written.length > 0).toBe(isKept)
  }
})
