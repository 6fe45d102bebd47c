import { OpenedStore } from '../../../../src/storage/contract/opened-store.js'
import '../adapters/browser/browser-model.js'
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deleteIndexedDb, journalBytes } from '../../../../e2e/pages/storage-places.js'
import { Findings } from '../../../../src/api/findings.js'
import { browserStorage } from '../whole-browser-storage.js'
import { HEADER_BYTES } from '../../../../src/storage/journal/frame.js'
import { nodeStorage, verifyFolder } from '../../../../src/storage/adapters/node/node.js'
import type { VerifyVisitor, StoredCheckpoint } from '../../../../src/api/storage.js'
import { openInto, put } from '../../../../src/storage/contract/episodes.js'

/**
 * A journal that became shorter, or another one, behind the image of the indexes, which names a commit that it no
 * longer has.
 */

let folder: string
let journal: string
let store: OpenedStore
/** Where the journal ends after so many commits. */
let ends: number[]
let count = 0

/** Commits episodes one by one; their rows are other ones with another seed. */
async function fill(from: number, to: number, seed = 0): Promise<void> {
  for (let slot = from; slot < to; slot++) {
    await store.commit([put(slot, 40, seed + slot)])
    ends.push(readFileSync(journal).length)
  }
}

/** Opens, and answers the kinds and details of what is reported. */
async function reported(): Promise<unknown[]> {
  await openInto(store)
  const { opening } = await store.stats()
  return opening.map(({ kind, details }) => [kind, details])
}

const look = (findings: Findings): VerifyVisitor => ({ findings, digest: () => '', visit: () => {} })
const found = ({ problems }: Findings) => problems.map(({ code, harm, count }) => [code, harm, count])

async function verified(): Promise<unknown[]> {
  const findings = new Findings()
  await verifyFolder(folder, look(findings))
  return found(findings)
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agidb-'))
  journal = join(folder, 'journal.agidb')
  store = new OpenedStore(nodeStorage(folder))
  ends = [HEADER_BYTES]
  await openInto(store)
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('a journal in a folder', () => {
  test('that ends before the commit of its checkpoint is reported as commits-lost, a loss', async () => {
    await fill(0, 30)
    await store.parts.checkpoint!.write([])
    await store.close()
    truncateSync(journal, ends[10])
    expect(await verified()).toEqual([['commits-lost', 'loss', 20]])
    expect(await reported()).toEqual([['commits-lost', { file: journal, lsn: 30, journalLsn: 10 }]])
    const findings = new Findings()
    await store.parts.maintenance!.verify(look(findings))
    expect(found(findings)).toEqual([['commits-lost', 'loss', 20]])
  })

  test('that went on with other commits is reported until another image is kept', async () => {
    await fill(0, 30)
    await store.parts.checkpoint!.write([])
    await store.close()
    truncateSync(journal, ends[10])
    await openInto(store)
    await fill(10, 50, 1000)
    await store.close()
    expect(await verified()).toEqual([['commits-lost', 'loss', 1]])
    expect(await reported()).toEqual([['commits-lost', { file: journal, lsn: 30, journalLsn: expect.any(Number) }]])
    await store.parts.checkpoint!.write([])
    await store.close()
    expect(await verified()).toEqual([])
    expect(await reported()).toEqual([])
  })

  test('that was replaced by one from before two compactions is reported', async () => {
    await fill(0, 10)
    await store.flush()
    const [older, other] = [readFileSync(journal), readFileSync(join(folder, 'journal-2.agidb'))]
    await store.parts.maintenance!.compact()
    await store.parts.maintenance!.compact()
    await store.commit([put(10)])
    await store.parts.checkpoint!.write([])
    await store.close()
    writeFileSync(journal, older)
    writeFileSync(join(folder, 'journal-2.agidb'), other)
    expect(await verified()).toEqual([['commits-lost', 'loss', 3]])
    expect(await reported()).toMatchObject([['commits-lost', { journalLsn: 10 }]])
  })

  test('that was emptied is reported, and is not taken for a new one in silence', async () => {
    await fill(0, 30)
    await store.parts.checkpoint!.write([])
    await store.close()
    for (const length of [ends[0], 40, 0]) {
      truncateSync(journal, length)
      expect(await verified(), `${length} bytes`).toEqual([['commits-lost', 'loss', 30]])
    }
    expect(await reported()).toMatchObject([
      ['created', {}],
      ['commits-lost', { file: journal, lsn: 30, journalLsn: 0 }],
    ])
  })

  test('that was repaired after a loss is verified without one, and keeps what it has', async () => {
    await fill(0, 30)
    await store.parts.checkpoint!.write([])
    await store.close()
    truncateSync(journal, ends[10])
    await openInto(store)
    await store.parts.maintenance!.repair(['commits-lost'])
    await store.close()
    expect(await verified()).toEqual([])
    expect((await openInto(store)).kept.size).toBe(10)
  })

  test('that a crash cut in a commit after the image was kept has lost nothing that was acknowledged', async () => {
    await fill(0, 30)
    await store.parts.checkpoint!.write([])
    await fill(30, 31)
    await store.close()
    truncateSync(journal, ends[31] - 5)
    expect(await verified()).toEqual([['journal-torn', 'none', 1]])
    expect(await reported()).toMatchObject([['torn-tail', { found: 'cut-short' }]])
  })

  test('that was compacted or replaced as a whole after the image was kept has lost nothing', async () => {
    await fill(0, 30)
    await store.parts.checkpoint!.write([])
    await store.parts.maintenance!.compact()
    await store.parts.checkpoint!.write([])
    await store.replace(async (add) => add([put(0), put(1)]))
    await store.close()
    expect(await verified()).toEqual([])
    expect(await reported()).toEqual([])
  })
})

describe('a journal in a browser', () => {
  let name: string
  const shorten = async () => {
    const { read, write } = journalBytes(name)
    await write((await read()).slice(0, ends[10]))
  }

  beforeEach(async () => {
    await fill(0, 30)
    await store.close()
    name = `shortened ${count++}`
    store = new OpenedStore(browserStorage(name))
    await openInto(store)
    for (let slot = 0; slot < 30; slot++) await store.commit([put(slot)])
    await store.parts.checkpoint!.write([])
    await store.close()
  })

  test('that is shorter than its checkpoint is reported as commits-lost if the mirror is gone', async () => {
    await shorten()
    await deleteIndexedDb(name)
    expect(await reported()).toMatchObject([['commits-lost', { lsn: 30, journalLsn: 10 }]])
  })

  test('that lost commits after its image gets them from IndexedDB, and the image stays in use', async () => {
    name = `shortened after its image ${count++}`
    store = new OpenedStore(browserStorage(name))
    await openInto(store)
    for (let slot = 0; slot < 30; slot++) {
      await store.commit([put(slot)])
      if (slot === 4) await store.parts.checkpoint!.write([{ name: 'indexes', array: () => new Uint8Array(100) }])
    }
    await store.close()
    await shorten()
    const loaded: (number | undefined)[] = []
    const load = async (image: StoredCheckpoint) => {
      loaded.push((await image.parts('indexes')).get('indexes')?.length)
      return false
    }
    await store.open(() => {}, { load, reset: () => {}, change: () => {}, has: () => false })
    expect((await store.stats()).opening).toMatchObject([{ kind: 'journal-extended', details: { changes: 20 } }])
    expect(loaded).toEqual([100])
  })

  test('that is shorter than its checkpoint gets the missing commits from IndexedDB without a loss', async () => {
    await shorten()
    expect(await reported()).toMatchObject([['journal-extended', { changes: 20 }]])
    const findings = new Findings()
    await store.parts.maintenance!.verify(look(findings))
    expect(found(findings)).toEqual([])
    await store.close()
    expect(await reported()).toEqual([])
  })
})
