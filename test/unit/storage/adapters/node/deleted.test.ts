import { OpenedStore } from '../../../../../src/storage/contract/opened-store.js'
import { cpSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AgidbError } from '../../../../../src/base/errors.js'
import { Findings } from '../../../../../src/api/findings.js'
import { nodeStorage } from '../../../../../src/storage/adapters/node/node.js'
import { openInto, put, puts } from '../../../../../src/storage/contract/episodes.js'

let folder: string
let path: string
let store: OpenedStore
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agidb-'))
  path = join(folder, 'memory')
  store = new OpenedStore(nodeStorage(path))
  await openInto(store)
  await store.commit(puts(0, 3))
})
afterEach(async () => {
  vi.useRealTimers()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    ({ code }: AgidbError) => code,
  )

/** What takes the files of an open database away. */
const losses: Readonly<Record<string, () => void>> = {
  'whose folder was deleted': () => rmSync(path, { recursive: true }),
  'whose folder was moved': () => renameSync(path, join(folder, 'elsewhere')),
  'whose journal was deleted': () => rmSync(join(path, 'journal.agidb')),
  'whose journal was replaced by a copy of itself': () => {
    cpSync(join(path, 'journal.agidb'), join(folder, 'copy'))
    renameSync(join(folder, 'copy'), join(path, 'journal.agidb'))
  },
  'whose folder was deleted and made anew by another program': () => {
    rmSync(path, { recursive: true })
    cpSync(__dirname, path, { recursive: true })
  },
}

for (const [what, lose] of Object.entries(losses)) {
  test(`an open database ${what} refuses every write with AGIDB_DELETED and still answers reads`, async () => {
    lose()
    expect(await outcome(store.commit([put(3)]))).toBe('AGIDB_DELETED')
    expect(await outcome(store.commit([put(4)]))).toBe('AGIDB_DELETED')
    expect(await outcome(store.parts.checkpoint!.write([]))).toBe('AGIDB_DELETED')
    expect(await outcome(store.parts.maintenance!.compact())).toBe('AGIDB_DELETED')
    expect(await outcome(store.replace(async () => undefined))).toBe('AGIDB_DELETED')
    expect((await store.read([0, 1, 2])).map(({ slot }) => slot)).toEqual([0, 1, 2])
  })
}

test('closing a database whose folder was deleted does not make the folder again', async () => {
  rmSync(path, { recursive: true })
  await store.close()
  expect(existsSync(path)).toBe(false)
})

test('a database that is made where one was deleted is left alone by whoever has the deleted one open', async () => {
  rmSync(path, { recursive: true })
  const other = new OpenedStore(nodeStorage(path))
  expect((await openInto(other)).kept.size).toBe(0)
  await other.commit(puts(0, 5))
  expect(await outcome(store.commit([put(3)]))).toBe('AGIDB_DELETED')
  await store.close()
  expect(existsSync(join(path, 'lock'))).toBe(true)
  await other.close()
  expect((await openInto(other)).kept.size).toBe(5)
  await other.close()
})

describe('a deletion that no write meets', () => {
  test('is told within five seconds, once', async () => {
    const told: string[] = []
    await store.close()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    await openInto(store)
    store.onDeleted(({ code }) => told.push(code))
    rmSync(path, { recursive: true })
    await vi.advanceTimersByTimeAsync(5000)
    expect(told).toEqual(['AGIDB_DELETED'])
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await outcome(store.commit([put(3)]))).toBe('AGIDB_DELETED')
    expect(told).toEqual(['AGIDB_DELETED'])
  })

  test('is told to whoever asks when it is known already, and stands in the statistics', async () => {
    rmSync(path, { recursive: true })
    await outcome(store.commit([put(3)]))
    const told: string[] = []
    store.onDeleted(({ code }) => told.push(code))
    expect(told).toEqual(['AGIDB_DELETED'])
    expect((await store.stats()).opening.map(({ kind }) => kind)).toContain('storage-deleted')
  })
})

test('verify counts a journal whose name leads elsewhere as a loss', async () => {
  rmSync(join(path, 'journal.agidb'))
  const findings = new Findings()
  await store.parts.maintenance!.verify({ findings, digest: () => '', visit: () => {} })
  expect(findings.problems.map(({ code, harm }) => [code, harm])).toEqual([['journal-missing', 'loss']])
})

test('a compaction stays where it is when the file into which it would move was deleted', async () => {
  await store.commit([{ op: 'remove', slot: 0, id: 'ep_0' }])
  rmSync(join(path, 'journal-2.agidb'))
  expect(await outcome(store.parts.maintenance!.compact())).toBe('AGIDB_STORAGE')
  await store.commit([put(3)])
  await store.close()
  const { kept } = await openInto(store)
  expect([...kept.keys()]).toEqual([1, 2, 3])
  await store.parts.maintenance!.compact()
  expect(readdirSync(path)).toContain('journal-2.agidb')
})
