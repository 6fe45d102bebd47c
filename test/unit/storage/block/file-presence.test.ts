import { expect, test } from 'vitest'
import type { BlockFile } from '../../../../src/storage/block/block-file.js'
import { FilePresence } from '../../../../src/storage/block/file-presence.js'
import { MemoryFile } from '../memory-file.js'

/** A file whose lookups answer what is asked for, when it is asked for. */
function lookedUp(): { readonly file: BlockFile; readonly answer: (found: boolean) => void } {
  let answer!: (found: boolean) => void
  const found = new Promise<boolean>((resolve) => (answer = resolve))
  return { file: Object.assign(new MemoryFile(), { isLinked: () => found }), answer }
}

/** A journal that moves from one file to another while the first is being looked up. */
function movedWhileLookedUp() {
  const [old, next] = [lookedUp(), lookedUp()]
  let journal = old.file
  const told: string[] = []
  const presence = new FilePresence({
    name: 'memory',
    journal: () => journal,
    report: ({ kind }) => told.push(kind),
    freshMs: 0,
  })
  const looking = presence.isThere()
  journal = next.file
  return { presence, told, looking, old, next }
}

test('a lookup of the old journal file that fails while a compaction overwrites it is no deletion', async () => {
  const { presence, told, looking, old, next } = movedWhileLookedUp()
  old.answer(false)
  next.answer(true)
  expect(await looking).toBe(true)
  expect(() => presence.expect()).not.toThrow()
  expect(told).toEqual([])
  presence.close()
})

test('a new journal file that is not found either is a deletion', async () => {
  const { presence, told, looking, old, next } = movedWhileLookedUp()
  old.answer(false)
  next.answer(false)
  expect(await looking).toBe(false)
  expect(told).toEqual(['storage-deleted'])
  presence.close()
})
