import { Tables } from '../../src/storage/indexeddb.js'
import type { Storage } from '../../src/storage/port.js'
import { listed, modelOf, noise, openInto, put, puts } from '../../test/contract/episodes.js'
import { assert, assertEqual } from '../../test/contract/expect.js'
import type { StorageCase } from '../../test/contract/case.js'
import { deleteIndexedDb, deleteOpfs, journalBytes } from './storage-places.js'

const edits = [
  { op: 'update' as const, slot: 4, id: 'ep_4', row: noise(44, 500) },
  { op: 'remove' as const, slot: 250, id: 'ep_250' },
  { op: 'remove' as const, slot: 299, id: 'ep_299' },
]
const commits = [puts(0, 300), edits]
const expected = listed(modelOf(...commits))

async function fill(store: Storage): Promise<string> {
  const { databaseId } = await openInto(store)
  for (const commit of commits) await store.commit(commit)
  await store.close()
  return databaseId
}

async function kinds(store: Storage): Promise<string[]> {
  return (await store.stats()).opening.map(({ kind }) => kind)
}

async function healed(storage: () => Storage, events: string[]): Promise<void> {
  const store = storage()
  assertEqual(listed((await openInto(store)).kept), expected, `episodes, ${events}`)
  assertEqual(await kinds(store), events, 'what opening reports')
  await store.close()
}

/** The names that the cases below give their databases, as the worker that runs them does. */
const database = (name: string): string => `opfs: ${name}`

function healing(name: string, damage: (database: string) => Promise<void>, event: string): StorageCase {
  return {
    name,
    async run({ storage }) {
      const databaseId = await fill(storage())
      await damage(database(name))
      const second = storage()
      const opened = await openInto(second)
      assertEqual(await kinds(second), [event], 'what opening reports')
      assertEqual(listed(opened.kept), expected, 'episodes')
      assertEqual([opened.databaseId, opened.nextSlot], [databaseId, 300], 'database id and next slot')
      await second.commit([put(300)])
      await second.close()
      const third = storage()
      assertEqual(listed((await openInto(third)).kept), listed(modelOf(...commits, [put(300)])), 'episodes when opened again')
      assertEqual(await kinds(third), [], 'what opening again reports')
      await third.close()
    },
  }
}

/** What holds for the browser's two copies, beyond the contract. */
export const browserCases: StorageCase[] = [
  healing('a wiped IndexedDB is rebuilt from the journal', deleteIndexedDb, 'mirror-wiped'),
  healing('a lost journal is rebuilt from IndexedDB', deleteOpfs, 'journal-rebuilt'),
  {
    name: 'each copy heals the other in turn',
    async run({ storage }) {
      const name = database(this.name)
      await fill(storage())
      for (const damage of [deleteIndexedDb, deleteOpfs, deleteOpfs, deleteIndexedDb]) {
        await damage(name)
        const store = storage()
        assertEqual(listed((await openInto(store)).kept), expected, 'episodes')
        await store.close()
      }
    },
  },
  {
    name: 'a rebuilding that was cut short starts over',
    async run({ storage }) {
      const name = database(this.name)
      await fill(storage())
      const tables = new Tables(`agidb:${name}`)
      const state = await tables.state()
      await tables.setState({ ...state!, rebuilding: true })
      await tables.close()
      const store = storage()
      assertEqual(listed((await openInto(store)).kept), expected, 'episodes')
      assertEqual(await kinds(store), ['journal-rebuilt'], 'what opening reports')
      await store.close()
    },
  },
  {
    name: 'an IndexedDB of another database is kept aside and not merged',
    async run({ storage }) {
      const name = database(this.name)
      const firstId = await fill(storage())
      const tables = new Tables(`agidb:${name}`)
      const otherId = 'ab'.repeat(16)
      await tables.setState({ ...(await tables.state())!, databaseId: otherId })
      for (let round = 0; round < 2; round++) {
        const store = storage()
        const opened = await openInto(store)
        assertEqual([opened.databaseId, listed(opened.kept)], [firstId, expected], 'the database of the journal')
        assertEqual(await kinds(store), ['mirror-foreign'], 'what opening reports')
        await store.close()
      }
      const kept = await tables.state()
      assertEqual([kept?.databaseId, kept?.quarantined], [otherId, true], 'the other database')
      assertEqual((await tables.episodes(-1, 1000)).length, 298, 'its episodes')
      await tables.close()
      await deleteOpfs(name)
      const store = storage()
      const opened = await openInto(store)
      assertEqual([opened.databaseId, listed(opened.kept)], [firstId, expected], 'the database rebuilt from its own IndexedDB')
      await store.close()
    },
  },
  {
    name: 'an IndexedDB that is behind is brought up to date',
    async run({ storage }) {
      await fill(storage())
      const tables = new Tables(`agidb:${database(this.name)}`)
      const state = (await tables.state())!
      // As after the first commit: a frame has 32 bytes before its body.
      const journal = await journalBytes(database(this.name)).read()
      const firstFrame = 32 + new DataView(journal.buffer).getUint32(64 + 8, true)
      await tables.setState({ ...state, appliedLsn: 1, appliedAt: 64 + firstFrame })
      await tables.close()
      await healed(storage, ['mirror-behind'])
      await deleteOpfs(database(this.name))
      await healed(storage, ['journal-rebuilt'])
    },
  },
  {
    name: 'an IndexedDB that does not fit the journal is rebuilt from it',
    async run({ storage }) {
      await fill(storage())
      const tables = new Tables(`agidb:${database(this.name)}`)
      const state = (await tables.state())!
      await tables.apply([put(7, 99)], 'strict', () => ({ ...state, appliedAt: state.appliedAt - 1 }))
      await tables.close()
      await healed(storage, ['mirror-diverged'])
      await deleteOpfs(database(this.name))
      await healed(storage, ['journal-rebuilt'])
    },
  },
  {
    name: 'without IndexedDB the journal serves alone, and the copy is made later',
    async run({ storage }) {
      await fill(storage())
      await deleteIndexedDb(database(this.name))
      const { open } = IDBFactory.prototype
      IDBFactory.prototype.open = () => {
        throw new DOMException('Internal error opening backing store', 'UnknownError')
      }
      try {
        await healed(storage, ['mirror-unavailable'])
      } finally {
        IDBFactory.prototype.open = open
      }
      await healed(storage, ['mirror-wiped'])
      await deleteOpfs(database(this.name))
      await healed(storage, ['journal-rebuilt'])
    },
  },
  {
    name: 'an IndexedDB that is deleted while the database is open comes back',
    async run({ storage }) {
      const name = database(this.name)
      const store = storage()
      await store.open(() => undefined)
      await store.commit(commits[0])
      await store.flush()
      await deleteIndexedDb(name)
      await store.commit(edits)
      await store.flush()
      assert((await kinds(store)).includes('mirror-wiped'), 'it is reported')
      await store.close()
      await deleteOpfs(name)
      const second = storage()
      assertEqual(listed((await openInto(second)).kept), expected, 'episodes out of IndexedDB')
      await second.close()
    },
  },
  {
    name: 'a database of IndexedDB alone gets a journal where OPFS works',
    async run({ storage }) {
      const name = database(this.name)
      const tables = new Tables(`agidb:${name}`)
      const databaseId = 'cd'.repeat(16)
      const state = { databaseId, createdAt: 0, role: 'only' as const, nextSlot: 300, appliedLsn: 2, appliedAt: 0, epoch: 0 }
      await tables.apply(commits.flat(), 'strict', () => state)
      await tables.close()
      const store = storage()
      const opened = await openInto(store)
      assertEqual([opened.databaseId, opened.nextSlot, listed(opened.kept)], [databaseId, 300, expected], 'the database')
      assertEqual((await store.stats()).durability, 'strict', 'durability')
      await store.close()
    },
  },
]
