import { expect, test } from 'vitest'
import type { CheckpointArray, StoredCheckpoint } from '../../../../src/api/storage.js'
import { AgidbError } from '../../../../src/base/errors.js'
import { SealedCheckpoints } from '../../../../src/storage/crypto/sealed-checkpoint.js'
import { wasm } from '../../kernel/kernels.js'

const CONTEXT = new Uint8Array(16).fill(1)
const KEY = new Uint8Array(32).fill(2)
const NUMBERS = Uint32Array.from({ length: 40 }, (_, i) => i * i)

async function sealedPart(): Promise<Uint8Array> {
  const [part] = new SealedCheckpoints(wasm, CONTEXT, KEY).seal([{ name: 'index.a', array: () => NUMBERS }])
  return (await part.array()) as Uint8Array
}

/** A checkpoint of one part, which compares no checksum where that is not asked for. */
function stored(bytes: Uint8Array): StoredCheckpoint {
  return {
    async parts(_, isAuthenticated) {
      if (!isAuthenticated?.(bytes)) throw new AgidbError('AGIDB_CORRUPT', 'the checksum is another')
      return new Map([['index.a', bytes]])
    },
    marked: () => undefined,
    fill: () => Promise.reject(new Error('nothing is marked')),
  }
}

async function opened(bytes: Uint8Array): Promise<CheckpointArray | undefined> {
  const parts = await new SealedCheckpoints(wasm, CONTEXT, KEY).open(stored(bytes)).parts('index')
  return parts.get('index.a')
}

test('an encrypted part of a checkpoint comes back as it was', async () => {
  expect(await opened(await sealedPart())).toEqual(NUMBERS)
})

test('a flipped bit anywhere in an encrypted part is found without its checksum, or changes nothing', async () => {
  const sealed = await sealedPart()
  const silent: number[] = []
  for (let at = 0; at < sealed.length; at++) {
    const flipped = sealed.slice()
    flipped[at] ^= 1 << (at % 8)
    const part = await opened(flipped).catch((error: AgidbError) => error.code)
    if (part === 'AGIDB_CORRUPT') continue
    expect(part).toEqual(NUMBERS)
    silent.push(at)
  }
  // Bytes of the head that nobody reads in a part without a mark.
  expect(silent.every((at) => at === 9 || (at >= 12 && at < 32))).toBe(true)
})

test('a part that is cut short is damage', async () => {
  const sealed = await sealedPart()
  for (const length of [40, 59, sealed.length - 1])
    await expect(opened(sealed.slice(0, length))).rejects.toMatchObject({ code: 'AGIDB_CORRUPT' })
})
