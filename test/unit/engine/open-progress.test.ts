import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import type { OpenProgress } from '../../../src/api/open-progress.js'
import { readCodebook } from '../../../src/encoding/codebook/node.js'
import type { Codebook } from '../../../src/encoding/codebook/codebook.js'
import { loadCodebook } from '../../../src/encoding/codebook/load.js'
import { referenceKernel } from '../../../src/kernel/reference/kernel.js'
import { Agidb } from '../../../src/runtimes/node/index.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import type { EngineOptions } from '../../../src/engine/options.js'
import { countedKernel } from '../encoding/counted-kernel.js'
import { openMemory, withFolder } from './open.js'

let bytes: Uint8Array<ArrayBuffer>
let codebook: Codebook
beforeAll(async () => {
  bytes = await readCodebook()
  codebook = (await loadCodebook(bytes))!
})

const NOTES = Array.from({ length: 1_100 }, (_, i) => ({ text: `Note ${i} is about tea.` }))

/** A function that keeps what it is told. */
function told(): { readonly onProgress: (progress: OpenProgress) => void; readonly all: OpenProgress[] } {
  const all: OpenProgress[] = []
  return { onProgress: (progress) => void all.push(progress), all }
}

/** A memory in a folder with the notes, whose indexes are kept or not. */
async function stored(path: string, options: Partial<EngineOptions>): Promise<void> {
  const db = await openMemory({ storage: nodeStorage(path), ...options })
  await db.observeMany(NOTES)
  await db.close()
}

test('opening tells how many rows it has read, and when there are no more', async () => {
  await withFolder(async (path) => {
    await stored(path, { keepAfter: 1_000_000 })
    const { onProgress, all } = told()
    await (await openMemory({ storage: nodeStorage(path), onProgress })).close()
    expect(all[0]).toEqual({ what: 'indexes', done: 1_024 })
    const { done, of } = all.at(-1)!
    expect(all.at(-1)).toEqual({ what: 'indexes', done, of })
    expect(of).toBe(done)
    expect(done).toBeGreaterThanOrEqual(NOTES.length)
  })
})

test('an opening that is ended by who is told of it gives back what it took of the kernel', async () => {
  await withFolder(async (path) => {
    const db = await openMemory({ storage: nodeStorage(path) })
    await db.setGoal({ description: 'drink more tea' })
    await db.observeMany(NOTES)
    await db.close()
    for (const at of [1_024, undefined]) {
      const { kernel, held } = countedKernel()
      const onProgress = ({ done, of }: OpenProgress): void => {
        if (of !== undefined || done === at) throw new Error('no more')
      }
      await expect(openMemory({ storage: nodeStorage(path), kernel, onProgress })).rejects.toThrow('no more')
      expect(held()).toBe(0)
    }
  })
})

test('a new memory has nothing to tell of', async () => {
  const { onProgress, all } = told()
  await (await openMemory({ onProgress })).close()
  expect(all).toEqual([])
})

test('signatures that are loaded after opening are counted up to the last', async () => {
  const small = referenceKernel(64) // in blocks so small that these memories have several
  await withFolder(async (path) => {
    await stored(path, { keepAfter: 1, kernel: small })
    const { onProgress, all } = told()
    const db = await openMemory({ storage: nodeStorage(path), kernel: small, lateFrom: 32, onProgress })
    await db.recall('tea', { whole: true })
    const steps = all.filter(({ what }) => what === 'signatures')
    expect(steps.length).toBeGreaterThan(0)
    expect(steps.map(({ done }) => done)).toEqual(steps.map(({ done }) => done).sort((a, b) => a - b))
    expect(steps.at(-1)).toEqual({ what: 'signatures', done: NOTES.length, of: NOTES.length })
    await db.close()
  })
})

test('episodes that get signatures of a codebook that came later are counted', async () => {
  await withFolder(async (path) => {
    await stored(path, { keepAfter: 1 })
    const { onProgress, all } = told()
    const codebookComing = () => Promise.resolve(codebook)
    const db = await openMemory({ storage: nodeStorage(path), codebookComing, onProgress })
    await db.recall('tea', { whole: true })
    expect(all.filter(({ what }) => what === 'signatures').at(-1)).toEqual({
      what: 'signatures',
      done: NOTES.length,
      of: NOTES.length,
    })
    await db.close()
  })
})

test.each([
  ['with its length', true],
  ['without its length', false],
])('the bytes of a codebook that is fetched %s are counted', async (_, isKnown) => {
  const server = createServer((_, response) => {
    if (isKnown) response.setHeader('content-length', bytes.length)
    response.write(bytes)
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { onProgress, all } = told()
  try {
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/codebook.bin`)
    const db = await Agidb.open({ storage: 'memory', codebook: url, onProgress })
    expect((await db.stats()).codebook).toBe(codebook.id)
    await db.close()
  } finally {
    server.close()
  }
  expect(all[0]).toEqual({ what: 'codebook', done: all[0].done, ...(isKnown && { of: bytes.length }) })
  expect(all[0].done).toBeLessThan(bytes.length)
  expect(all.at(-1)).toEqual({ what: 'codebook', done: bytes.length, of: bytes.length })
})

test.each([
  [
    'throws',
    () => {
      throw new Error('no')
    },
  ],
  ['rejects', () => Promise.reject(new Error('no'))],
])('a function that %s does not keep a memory from being opened', async (_, onProgress: () => void) => {
  await withFolder(async (path) => {
    const options = { path, codebook: 'none', extract: 'none', onProgress } as const
    const db = await Agidb.open(options)
    await db.observe('Tea is ready.')
    await db.close()
    const again = await Agidb.open(options)
    expect((await again.stats()).episodes).toBe(1)
    await again.close()
  })
})

test('refuses what is no function', async () => {
  const opening = Agidb.open({ storage: 'memory', codebook: 'none', onProgress: 5 as never })
  await expect(opening).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT', message: /^onProgress / })
})
