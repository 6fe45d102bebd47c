import type { OpenedStore } from '../../src/storage/contract/opened-store.js'
import { openDB } from 'idb'
import { AgidbError } from '../../src/base/errors.js'
import { Findings } from '../../src/api/findings.js'
import { decodeHeader, encodeHeader } from '../../src/storage/journal/frame.js'
import { Tables } from '../../src/storage/mirror/indexeddb.js'
import type { StorageChange } from '../../src/api/storage.js'
import { listed, modelOf, noise, openInto, put, puts, sign } from '../../src/storage/contract/episodes.js'
import { assert, assertEqual, assertRefused } from '../../src/storage/contract/assert.js'
import type { PlaceCase } from '../../test/contract/case.js'
import { closeIndexedDb, dieAfter, failToClose, freezeTables } from './storage-faults.js'
import {
  deleteIndexedDb,
  deleteOpfs,
  deleteOpfsFile,
  downgradeIndexedDb,
  halfConvertIndexedDb,
  journalBytes,
  opfsBytes,
} from './storage-places.js'

const edits: StorageChange[] = [
  sign(7, { latent: noise(71, 1032) }),
  sign(4, { latent: noise(41, 1032), sentence: noise(42, 1032) }),
  { op: 'update', slot: 4, id: 'ep_4', row: noise(44, 500) },
  { op: 'remove', slot: 250, id: 'ep_250' },
  { op: 'remove', slot: 299, id: 'ep_299' },
  sign(4, { text: noise(43, 1024), latent: noise(45, 1032) }, 2),
]
const commits = [puts(0, 300), edits]
const expected = listed(modelOf(...commits))

async function fill(store: OpenedStore): Promise<string> {
  const { databaseId } = await openInto(store)
  for (const commit of commits) await store.commit(commit)
  await store.close()
  return databaseId
}

/** What verifying finds, mildest first. */
async function problems(store: OpenedStore): Promise<[code: string, harm: string, count: number][]> {
  const findings = new Findings()
  let rows = 0
  await store.parts.maintenance!.verify({ findings, digest: () => '', visit: () => rows++ })
  assertEqual(findings.checked.rows, rows, 'rows that were visited')
  return findings.problems.map(({ code, harm, count }) => [code, harm, count])
}

async function kinds(store: OpenedStore): Promise<string[]> {
  return (await store.stats()).opening.map(({ kind }) => kind)
}

async function healed(storage: () => OpenedStore, events: string[]): Promise<void> {
  const store = storage()
  assertEqual(listed((await openInto(store)).kept), expected, `episodes, ${events}`)
  assertEqual(await kinds(store), events, 'what opening reports')
  await store.close()
}

/** The names that the cases below give their databases, as the worker that runs them does. */
const database = (name: string): string => `opfs: ${name}`

function healing(name: string, damage: (database: string) => Promise<void>, event: string): PlaceCase {
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
      assertEqual(
        listed((await openInto(third)).kept),
        listed(modelOf(...commits, [put(300)])),
        'episodes when opened again',
      )
      assertEqual(await kinds(third), [], 'what opening again reports')
      await third.close()
    },
  }
}

/** Length of a frame of a journal. */
function frameBytes(journal: Uint8Array, at: number): number {
  // A frame has 32 bytes before its body.
  return 32 + new DataView(journal.buffer).getUint32(at + 8, true)
}

async function change(database: string, edit: (journal: Uint8Array) => Uint8Array): Promise<void> {
  const journal = journalBytes(database)
  await journal.write(edit(await journal.read()))
}

const flip =
  (at: number) =>
  (journal: Uint8Array): Uint8Array =>
    journal.with(at, journal[at] ^ 1)

/** The last commit is in the journal alone, and the first of the two cannot be read there. */
async function halfEach(storage: () => OpenedStore, database: string): Promise<void> {
  const store = storage()
  await store.open(() => undefined)
  await store.commit(commits[0])
  await store.flush()
  const thaw = freezeTables()
  await store.commit(edits)
  await store.close().finally(thaw)
  await change(database, flip(200))
}

/** A rebuilding that dies at each change that it makes in turn; the next opening always finds everything. */
function dying(
  what: string,
  prepare: (storage: () => OpenedStore, database: string) => Promise<void>,
  event: string,
): PlaceCase {
  const name = `dying at any moment while ${what} loses nothing`
  return {
    name,
    async run({ storage }) {
      let alive = false
      for (let after = 0; !alive; after++) {
        await deleteOpfs(database(name)).catch(() => undefined)
        await deleteIndexedDb(database(name))
        await prepare(storage, database(name))
        const revive = dieAfter(after)
        const store = storage()
        alive = await store
          .open(() => undefined)
          .then(
            () => true,
            () => false,
          )
          .finally(revive)
        if (alive) {
          assert(after > 5, `only ${after} changes were made`)
          assertEqual(await kinds(store), [event], 'what opening reports')
        }
        await store.close()
        for (let round = 0; round < 2; round++) {
          const next = storage()
          assertEqual(listed((await openInto(next)).kept), expected, `episodes after dying at change ${after}`)
          await next.close()
        }
      }
    },
  }
}

/** What holds for the browser's two copies, beyond the contract. */
export const browserCases: PlaceCase[] = [
  dying(
    'a lost journal is rebuilt',
    (storage, name) => fill(storage()).then(() => deleteOpfs(name)),
    'journal-rebuilt',
  ),
  dying('a damaged journal is rebuilt', halfEach, 'journal-rebuilt'),
  dying(
    'a shorter journal gets what it lacks',
    async (storage, name) => {
      await fill(storage())
      await change(name, (journal) => journal.subarray(0, 64 + frameBytes(journal, 64)))
    },
    'journal-extended',
  ),
  {
    name: 'a damaged journal is rebuilt from what IndexedDB has and what came after; its bytes are kept',
    async run({ storage }) {
      const name = database(this.name)
      await halfEach(storage, name)
      const bad = await journalBytes(name).read()
      await healed(storage, ['journal-rebuilt'])
      assertEqual(await journalBytes(name).read(), bad, 'the damaged journal')
      await healed(storage, [])
      await deleteIndexedDb(name)
      await healed(storage, ['mirror-wiped'])
      // Damaged again, it goes back to the first file.
      await deleteOpfsFile(name, 'journal-2.agidb')
      await healed(storage, ['journal-rebuilt'])
      assertEqual(await journalBytes(name).read(), bad, 'the damaged journal, still')
    },
  },
  {
    name: 'a journal that is damaged where IndexedDB does not reach is refused, and both stay as they are',
    async run({ storage }) {
      const name = database(this.name)
      await halfEach(storage, name)
      await change(name, flip(200))
      const thaw = freezeTables()
      const store = storage()
      await store.open(() => undefined)
      await store.commit([put(300)])
      await store.close().finally(thaw)
      const journal = await journalBytes(name).read()
      const bad = flip(64 + frameBytes(journal, 64) + 100)(journal)
      await journalBytes(name).write(bad)
      for (let round = 0; round < 2; round++) {
        await assertRefused('AGIDB_CORRUPT', () => storage().open(() => undefined))
        assertEqual(await journalBytes(name).read(), bad, 'the journal')
      }
    },
  },
  {
    name: 'a journal that went on after it had lost commits is rebuilt, and what came after is kept',
    async run({ storage }) {
      const name = database(this.name)
      const store = storage()
      await store.open(() => undefined)
      for (let slot = 0; slot < 4; slot++) await store.commit([put(slot)])
      await store.close()
      // Loses three commits, and goes on with another while IndexedDB does not work.
      await change(name, (journal) => journal.subarray(0, 64 + frameBytes(journal, 64)))
      const reopen = closeIndexedDb()
      const alone = storage()
      await alone.open(() => undefined)
      await alone.commit([{ ...put(1), id: 'another' }])
      await alone.close().finally(reopen)
      const kept = await journalBytes(name).read()
      const again = storage()
      assertEqual(listed((await openInto(again)).kept), listed(modelOf(puts(0, 4))), 'episodes of IndexedDB')
      const [{ kind, details }] = (await again.stats()).opening
      assertEqual(
        [kind, details?.reason, details?.diverged],
        ['journal-rebuilt', 'diverged', 'journal.agidb'],
        'what opening reports',
      )
      await again.close()
      assertEqual(await journalBytes(name).read(), kept, 'the journal that went on')
    },
  },
  {
    name: 'a journal that lost signs gets the latest of each kind',
    async run({ storage }) {
      const name = database(this.name)
      const signs: StorageChange[][] = [
        [sign(1, { latent: noise(11, 1032) }), sign(2, { text: noise(12, 1024) }, 3)],
        [sign(1, { latent: noise(13, 1032), sentence: noise(14, 1032) })],
      ]
      const whole = listed(modelOf(puts(0, 5), ...signs))
      for (const lost of [2, 1]) {
        await deleteOpfs(name).catch(() => undefined)
        await deleteIndexedDb(name)
        const store = storage()
        await store.open(() => undefined)
        for (const commit of [puts(0, 5), ...signs]) await store.commit(commit)
        await store.close()
        await change(name, (journal) => {
          const first = 64 + frameBytes(journal, 64)
          return journal.subarray(0, lost === 2 ? first : first + frameBytes(journal, first))
        })
        const second = storage()
        assertEqual(listed((await openInto(second)).kept), whole, 'episodes')
        const [{ kind, details }] = (await second.stats()).opening
        assertEqual([kind, details?.changes], ['journal-extended', lost], 'what opening reports')
        await second.close()
        const third = storage()
        assertEqual(listed((await openInto(third)).kept), whole, 'episodes when opened again')
        assertEqual(await kinds(third), [], 'what opening again reports')
        await third.close()
      }
      await deleteIndexedDb(name)
      const last = storage()
      assertEqual(listed((await openInto(last)).kept), whole, 'episodes of the journal')
      await last.close()
    },
  },
  {
    name: 'a journal that was signed on its own after it had lost commits is rebuilt',
    async run({ storage }) {
      const name = database(this.name)
      const store = storage()
      await store.open(() => undefined)
      for (const commit of [puts(0, 2), puts(2, 2), puts(4, 2)]) await store.commit(commit)
      await store.close()
      await change(name, (journal) => journal.subarray(0, 64 + frameBytes(journal, 64)))
      const reopen = closeIndexedDb()
      const alone = storage()
      await alone.open(() => undefined)
      await alone.commit([sign(1, { latent: noise(1, 1032) })])
      await alone.close().finally(reopen)
      const again = storage()
      assertEqual(listed((await openInto(again)).kept), listed(modelOf(puts(0, 6))), 'episodes of IndexedDB')
      const [{ kind, details }] = (await again.stats()).opening
      assertEqual([kind, details?.reason], ['journal-rebuilt', 'diverged'], 'what opening reports')
      await again.close()
    },
  },
  {
    name: 'a database of the first format opens as it is, and can be signed',
    async run({ storage }) {
      const name = database(this.name)
      const store = storage()
      await store.open(() => undefined)
      await store.commit(puts(0, 5))
      await store.close()
      await change(name, (journal) => {
        const header = encodeHeader({ ...decodeHeader(journal, name)!, version: 1, checked: false })
        return new Uint8Array([...header, ...journal.subarray(header.length)])
      })
      await downgradeIndexedDb(name)
      const old = storage()
      assertEqual(listed((await openInto(old)).kept), listed(modelOf(puts(0, 5))), 'episodes')
      assertEqual(await kinds(old), [], 'what opening reports')
      await old.commit([put(5)])
      await old.close()
      assertEqual((await journalBytes(name).read())[8], 1, 'the version of a journal with nothing new in it')
      const signs = [sign(3, { latent: noise(1, 1032) }), sign(5, { sentence: noise(2, 1032) })]
      const signing = storage()
      await signing.open(() => undefined)
      await signing.commit(signs)
      await signing.close()
      assertEqual((await journalBytes(name).read())[8], 2, 'the version of a journal with signs')
      for (const damage of [undefined, deleteIndexedDb, deleteOpfs]) {
        await damage?.(name)
        const again = storage()
        assertEqual(listed((await openInto(again)).kept), listed(modelOf(puts(0, 6), signs)), 'episodes')
        await again.close()
      }
    },
  },
  {
    name: 'an IndexedDB of an earlier version is converted, and goes on where that was cut short',
    async run({ storage }) {
      const name = database(this.name)
      await fill(storage())
      for (const make of [
        () => downgradeIndexedDb(name, 1),
        () => downgradeIndexedDb(name, 2),
        () => halfConvertIndexedDb(name, 100),
      ]) {
        await make()
        await healed(storage, [])
        await make()
        await deleteOpfs(name)
        await healed(storage, ['journal-rebuilt'])
      }
    },
  },
  {
    name: 'an IndexedDB of a newer version is refused, and both copies stay as they are',
    async run({ storage }) {
      const name = database(this.name)
      await fill(storage())
      const journal = await journalBytes(name).read()
      const newer = await openDB(`agidb:${name}`, 4)
      newer.close()
      await assertRefused('AGIDB_NEWER_FORMAT', () => storage().open(() => undefined))
      assertEqual(await journalBytes(name).read(), journal, 'the journal')
    },
  },
  {
    name: 'the cut bytes of a journal are kept in a file that is always there',
    async run({ storage }) {
      const name = database(this.name)
      await fill(storage())
      const journal = await journalBytes(name).read()
      const last = 64 + frameBytes(journal, 64)
      const end = last + frameBytes(journal, last)
      await journalBytes(name).write(journal.subarray(0, end - 1))
      await healed(storage, ['torn-tail', 'journal-extended'])
      assertEqual(await opfsBytes(name, 'torn.agidb'), journal.subarray(last, end - 1), 'the kept bytes')
    },
  },
  {
    name: 'a closing, or an opening, that fails lets go of the database all the same',
    async run({ storage }) {
      const store = storage()
      await store.open(() => undefined)
      for (const commit of commits) await store.commit(commit)
      const succeed = failToClose()
      try {
        await assertRefused('AGIDB_STORAGE', () => store.close())
        const visit = (): never => {
          throw new AgidbError('AGIDB_INTERNAL', 'from the visitor')
        }
        await assertRefused('AGIDB_INTERNAL', () => storage().open(visit))
      } finally {
        succeed()
      }
      await healed(storage, [])
    },
  },
  {
    name: 'without a journal, an IndexedDB that cannot be read is no empty database',
    async run({ storage }) {
      const name = database(this.name)
      await fill(storage())
      await deleteOpfs(name)
      const reopen = closeIndexedDb()
      const error = await assertRefused('AGIDB_STORAGE', () => storage().open(() => undefined)).finally(reopen)
      assert(/no journal.*close other tabs/.test(error.message), error.message)
      await healed(storage, ['journal-rebuilt'])
    },
  },
  {
    name: 'verifying finds where IndexedDB differs from the journal, changes nothing, and mends it',
    async run({ storage }) {
      const name = database(this.name)
      const store = storage()
      await store.open(() => undefined)
      assertEqual(await problems(store), [], 'problems of a new store')
      for (const commit of commits) await store.commit(commit)
      assertEqual(await problems(store), [], 'problems of a store that is well')
      const tables = new Tables(`agidb:${name}`)
      const state = (await tables.state())!
      const wrong: StorageChange[] = [
        { op: 'update', slot: 1, id: 'ep_1', row: noise(5, 40) },
        sign(2, { latent: noise(6, 50) }),
        { op: 'remove', slot: 290, id: 'ep_290' },
        put(250),
      ]
      await tables.apply(wrong, 'strict', () => state)
      for (let round = 0; round < 2; round++)
        assertEqual(await problems(store), [['mirror-differs', 'mendable', 4]], 'problems')
      await store.parts.maintenance!.repair(['mirror-differs'])
      assertEqual(await problems(store), [], 'problems after mending')
      await tables.setState({ ...(await tables.state())!, databaseId: 'ab'.repeat(16) })
      assertEqual(await problems(store), [['mirror-missing', 'mendable', 1]], 'problems with a foreign copy')
      await tables.setState({ ...(await tables.state())!, databaseId: state.databaseId })
      await tables.close()
      await store.close()
      await change(name, flip(300))
      await healed(storage, ['journal-rebuilt'])
    },
  },
  {
    name: 'a compaction moves the copy in IndexedDB along, and each heals the other after it',
    async run({ storage }) {
      const name = database(this.name)
      const store = storage()
      await store.open(() => undefined)
      await store.commit(commits[0])
      const compacting = store.parts.maintenance!.compact()
      await store.commit(edits)
      await compacting
      assertEqual(await problems(store), [], 'problems')
      await store.close()
      await healed(storage, [])
      await deleteIndexedDb(name)
      await healed(storage, ['mirror-wiped'])
      await deleteOpfs(name)
      await healed(storage, ['journal-rebuilt'])
      const again = storage()
      await again.open(() => undefined)
      await again.parts.maintenance!.compact()
      await again.close()
      await deleteOpfsFile(name, 'journal-2.agidb')
      await healed(storage, ['journal-rebuilt'])
    },
  },
  {
    name: 'dying at any moment of a compaction loses nothing, and brings nothing back',
    async run({ storage }) {
      const name = database(this.name)
      let alive = false
      for (let after = 0; !alive; after++) {
        await deleteOpfs(name).catch(() => undefined)
        await deleteIndexedDb(name)
        await fill(storage())
        const store = storage()
        await store.open(() => undefined)
        const revive = dieAfter(after)
        alive = await store.parts
          .maintenance!.compact()
          .then(
            () => true,
            () => false,
          )
          .finally(revive)
        await store.close().catch(() => undefined)
        if (alive) assert(after > 8, `only ${after} changes were made`)
        for (let round = 0; round < 2; round++) {
          const next = storage()
          assertEqual(listed((await openInto(next)).kept), expected, `episodes after dying at change ${after}`)
          if (round === 1) assertEqual(await kinds(next), [], 'what the second opening reports')
          await next.close()
        }
      }
    },
  },
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
      assertEqual(await kinds(store), ['journal-extended'], 'what opening reports')
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
      assertEqual(
        [opened.databaseId, listed(opened.kept)],
        [firstId, expected],
        'the database rebuilt from its own IndexedDB',
      )
      await store.close()
    },
  },
  {
    name: 'an IndexedDB that is behind is brought up to date',
    async run({ storage }) {
      await fill(storage())
      const tables = new Tables(`agidb:${database(this.name)}`)
      const state = (await tables.state())!
      // As after the first commit.
      const journal = await journalBytes(database(this.name)).read()
      await tables.setState({ ...state, appliedLsn: 1, appliedAt: 64 + frameBytes(journal, 64) })
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
      const reopen = closeIndexedDb()
      await healed(storage, ['mirror-unavailable']).finally(reopen)
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
      const state = {
        databaseId,
        createdAt: 0,
        role: 'only' as const,
        nextSlot: 300,
        appliedLsn: 2,
        appliedAt: 0,
        epoch: 0,
      }
      await tables.apply(commits.flat(), 'strict', () => state)
      await tables.close()
      const store = storage()
      const opened = await openInto(store)
      assertEqual(
        [opened.databaseId, opened.nextSlot, listed(opened.kept)],
        [databaseId, 300, expected],
        'the database',
      )
      assertEqual((await store.stats()).durability, 'strict', 'durability')
      await store.close()
    },
  },
]
