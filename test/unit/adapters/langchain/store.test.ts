import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MemoryStore } from '../../../../src/adapters/langchain/index.js'
import { Agidb } from '../../../../src/runtimes/node/index.js'

let db: Awaited<ReturnType<typeof Agidb.open>>
let store: MemoryStore
beforeEach(async () => {
  db = await Agidb.open({ storage: 'memory', codebook: 'none' })
  store = new MemoryStore(db)
  await store.put(['a'], 'one', { n: 1 })
  await store.put(['a'], 'gone', { n: 1 })
})
afterEach(() => db.close())

const put = (key: string, value: Record<string, unknown> | null) => ({ namespace: ['a'], key, value })

describe('a batch that is refused', () => {
  test.each([
    ['a key that is too long', 'k'.repeat(17_000), 'AGIDB_TOO_LARGE'],
    ['a key with half of a surrogate pair', 'k\ud800', 'AGIDB_INVALID_TEXT'],
  ])('changes and deletes nothing: %s', async (_, key, code) => {
    const batch = store.batch([put('one', { n: 2 }), put('gone', null), put(key, { n: 3 })])
    await expect(batch).rejects.toMatchObject({ code })
    expect((await store.get(['a'], 'one'))?.value).toEqual({ n: 1 })
    expect((await store.get(['a'], 'gone'))?.value).toEqual({ n: 1 })
  })

  test('changes nothing when the memory takes shorter texts than others do', async () => {
    const small = await Agidb.open({ storage: 'memory', codebook: 'none', limits: { textBytes: 100 } })
    const store = new MemoryStore(small)
    await store.batch([put('one', { n: 1 }), put('gone', { n: 1 })])
    const batch = store.batch([put('one', { n: 2 }), put('gone', null), put('new', { text: 'word '.repeat(50) })])
    await expect(batch).rejects.toMatchObject({ code: 'AGIDB_TOO_LARGE' })
    expect((await store.get(['a'], 'one'))?.value).toEqual({ n: 1 })
    expect((await store.get(['a'], 'gone'))?.value).toEqual({ n: 1 })
    await small.close()
  })
})

test('a batch changes, deletes and adds items, long ones too', async () => {
  await store.batch([put('one', { n: 'x'.repeat(20_000) }), put('gone', null), put('new', { n: 'y'.repeat(20_000) })])
  expect((await store.get(['a'], 'one'))?.value).toEqual({ n: 'x'.repeat(20_000) })
  expect(await store.get(['a'], 'gone')).toBeNull()
  expect((await store.get(['a'], 'new'))?.value).toEqual({ n: 'y'.repeat(20_000) })
})

describe('an item with a long key', () => {
  const url = (length: number) => `https://example.org/${'p'.repeat(length - 20)}`

  test.each([
    ['of three bytes a character', '語'],
    ['of characters that are escaped', '"\\\u0001'],
    ['of pairs of surrogates', '😀'],
  ])('has room for a long value %s', async (_, characters) => {
    const value = { body: characters.repeat(8_000) }
    for (const key of ['short', url(1_320), url(12_000)]) {
      await store.put(['docs'], key, value)
      expect((await store.get(['docs'], key))?.value).toEqual(value)
    }
  })

  test('has room for a long value under a deep namespace', async () => {
    const namespace = Array.from({ length: 60 }, (_, i) => `label ${i} 語`)
    const value = { body: '語'.repeat(20_000) }
    await store.put(namespace, url(1_320), value)
    expect((await store.get(namespace, url(1_320)))?.value).toEqual(value)
  })
})

test('a long value that is put again with another index is found by what that says', async () => {
  const value = { text: `${'word '.repeat(3_000)}kettle` }
  await store.put(['docs'], 'long', value, false)
  await store.put(['docs'], 'long', value)
  expect((await store.get(['docs'], 'long'))?.value).toEqual(value)
  const { matches } = await db.recall('kettle', { k: 1 })
  expect(matches[0]?.text).toContain('kettle')
})

test('an index that names a member again and again makes no text that is too long', async () => {
  const value = { text: 'word '.repeat(900) }
  const index = new Array<string>(30).fill('text')
  await store.put(['docs'], 'often', value, index)
  expect((await store.get(['docs'], 'often'))?.value).toEqual(value)
})
