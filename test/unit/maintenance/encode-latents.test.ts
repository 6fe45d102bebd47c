import { expect, test } from 'vitest'
import { LatentEncoding } from '../../../src/maintenance/encode-latents.js'

test('An encoder that takes no empty list goes on when all episodes of a batch went away.', async () => {
  const encoder = {
    id: 'strict',
    dimension: 1,
    async encode(texts: readonly string[]) {
      if (texts.length === 0) throw new Error('there is nothing to encode')
      return texts.map(() => new Float32Array(1))
    },
  }
  let slots = [0]
  const encoding = new LatentEncoding({
    encoder,
    indexes: { catalog: { slots: () => slots, size: 0 }, signatures: { get: () => ({ arena: { has: () => false } }) } },
    writer: { still: (work: () => Promise<void>) => work(), setSignaturesNow: async () => {} },
    async fetch() {
      slots = []
      return [undefined]
    },
  } as never)
  encoding.wake()
  await expect.poll(() => slots).toEqual([])
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect(encoding.stats).not.toHaveProperty('error')
})
