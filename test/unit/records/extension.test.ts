import { expect, test } from 'vitest'
import { FIELD_LIMITS } from '../../../src/api/field-limits.js'
import type { StorageAdapter } from '../../../src/api/storage.js'
import type { Engine } from '../../../src/engine/engine.js'
import { openEngine } from '../../../src/engine/whole.js'
import { RECORD_KINDS } from '../../../src/records/registry.js'
import { memoryStorage } from '../../../src/storage/adapters/memory.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { kernel } from '../encoding/kernel.js'
import { NOW, openMemory, withFolder } from '../engine/open.js'
import { exported } from '../transfer/exported.js'
import { type Bookmarks, bookmarkKind, bookmarks } from './bookmark.js'

const caller = { writer: 'test', from: 'test' }

/** Opens a memory with the toy floor; `floor()` is that of what the memory holds now. */
async function openWithBookmarks(storage: StorageAdapter): Promise<{ db: Engine; floor: () => Bookmarks }> {
  let floor!: Bookmarks
  const extensions = [bookmarks((opened) => (floor = opened))]
  const db = await openEngine({ kernel, storage, clock: () => NOW, seed: 5, extensions })
  return { db, floor: () => floor }
}

test('a record of another kind comes back when the memory is opened again', () =>
  withFolder(async (path) => {
    const first = await openWithBookmarks(nodeStorage(path))
    await first.db.observe('The tea is ready.')
    const kept = await first.floor().put('Tom', 'where the tea is made', 0, caller)
    const removed = await first.floor().put('Tom', 'a slip', 0, caller)
    await first.floor().remove(removed, caller)
    await first.db.setGoal({ description: 'drink tea' })
    const before = first.floor().of('Tom')
    expect(before).toEqual([{ id: kept, reader: 'Tom', note: 'where the tea is made', upTo: 0 }])
    await first.db.close()

    const again = await openWithBookmarks(nodeStorage(path))
    expect(again.floor().of('Tom')).toEqual(before)
    expect((await again.db.activeGoals()).map(({ description }) => description)).toEqual(['drink tea'])
    expect((await again.db.verify()).ok).toBe(true)
    await again.db.close()
  }))

test('a record of another kind is exported and imported, with the slots that it names moved', async () => {
  const from = await openWithBookmarks(memoryStorage())
  const [first] = await from.db.observeMany([{ text: 'Forget this.' }, { text: 'The tea is ready.' }])
  const id = await from.floor().put('Tom', 'to here', 1, caller)
  await from.db.remove(first)
  const bytes = await exported(from.db, {})

  const to = await openWithBookmarks(memoryStorage())
  // The bookmark, and that something was forgotten.
  expect(await to.db.import(bytes)).toMatchObject({ episodes: 1, records: 2 })
  expect(to.floor().of('Tom')).toEqual([{ id, reader: 'Tom', note: 'to here', upTo: 0 }])
  await from.db.close()
  await to.db.close()
})

test('a memory without the extension refuses the records as those of a newer version, and keeps what it has', () =>
  withFolder(async (path) => {
    const written = await openWithBookmarks(nodeStorage(path))
    await written.floor().put('Tom', 'to here', -1, caller)
    const bytes = await exported(written.db, {})
    await written.db.close()
    const without = { kernel, clock: () => NOW, seed: 5 }
    const newer = { code: 'AGIDB_NEWER_FORMAT', details: { kind: 31 } }
    await expect(openEngine({ ...without, storage: nodeStorage(path) })).rejects.toMatchObject(newer)
    const other = await openMemory()
    await expect(other.import(bytes)).rejects.toMatchObject(newer)
    expect((await other.stats()).episodes).toBe(0)
    await other.close()
    const again = await openWithBookmarks(nodeStorage(path))
    expect(again.floor().of('Tom')).toHaveLength(1)
    await again.db.close()
  }))

test('an import refuses a record that its kind does not accept', async () => {
  const from = await openWithBookmarks(memoryStorage())
  await from.floor().put('', 'a reader has a name', -1, caller)
  const to = await openWithBookmarks(memoryStorage())
  await expect(to.db.import(await exported(from.db, {}))).rejects.toMatchObject({
    code: 'AGIDB_CORRUPT',
    message: expect.stringContaining('is no bookmark; nothing was imported') as string,
  })
  await from.db.close()
  await to.db.close()
})

test('two kinds with one tag, and a tag that is none, are refused before anything is opened', () => {
  expect(() => RECORD_KINDS.with({ ...bookmarkKind, tag: 1 })).toThrow('bookmark and learning event have the tag 1')
  expect(() => RECORD_KINDS.with({ ...bookmarkKind, tag: 'text' })).toThrow('bookmark and episode have no tag')
  for (const tag of [0, 32, 1.5])
    expect(() => RECORD_KINDS.with({ ...bookmarkKind, tag })).toThrow(`the tag of bookmark is ${tag}; expected 1 to 31`)
})

test('each section of the table of field limits belongs to one kind of record', () => {
  const sections = RECORD_KINDS.all.flatMap(({ limits }) => Object.entries(limits))
  expect(Object.fromEntries(sections)).toEqual(FIELD_LIMITS)
  expect(sections).toHaveLength(Object.keys(FIELD_LIMITS).length)
})
