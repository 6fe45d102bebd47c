import { OpenedStore } from '../../src/storage/contract/opened-store.js'
import { expose } from 'comlink'
import { toWire, type WireError } from '../../src/base/errors.js'
import { Findings } from '../../src/api/findings.js'
import { mirroringPart } from '../../src/runtimes/browser/parts.js'
import { browserStorage } from '../../src/storage/adapters/browser/browser.js'
import type { OpenedStorage, StorageStats } from '../../src/api/storage.js'
import { noise } from '../../src/storage/contract/episodes.js'
import type { PlaceContext } from '../../test/contract/case.js'
import { PLACES, storageCases } from '../../test/contract/storage.js'
import { browserCases } from './storage-cases.js'
import { journalBytes, opfsFiles } from './storage-places.js'

type Place = 'opfs' | 'idb-only'

/** What a test is told of a database that was opened: the parts of its storage do not cross to the page. */
type OpenedDatabase = Pick<OpenedStorage, 'databaseId' | 'nextSlot'> & {
  readonly slots: number[]
  readonly elapsedMs: number
}

/** What the tests ask of a worker. Errors come back as values, because Comlink drops their codes. */
const rig = {
  ready: () => true,

  /** Makes this worker one of a browser that has no sync access handles, unless it is. */
  withoutOpfs: () =>
    typeof FileSystemFileHandle === 'undefined' ||
    Reflect.deleteProperty(FileSystemFileHandle.prototype, 'createSyncAccessHandle'),

  /** Makes this worker one of a browser that has OPFS in name only. */
  withBrokenOpfs(method: 'getDirectory' | 'createSyncAccessHandle', error: string): void {
    const refuse = () => Promise.reject(new DOMException('refused', error))
    if (method === 'getDirectory') StorageManager.prototype.getDirectory = refuse
    else FileSystemFileHandle.prototype.createSyncAccessHandle = refuse
  },

  cases(place: Place): string[] {
    if (place === 'idb-only') return storageCases(PLACES.indexedDb).map(({ name }) => name)
    return [...storageCases(PLACES.journal), ...browserCases].map(({ name }) => name)
  },

  async runCase(place: Place, name: string): Promise<string> {
    if (place === 'idb-only') rig.withoutOpfs()
    const database = `${place}: ${name}`
    const context: PlaceContext = {
      ...(place === 'opfs' ? PLACES.journal : PLACES.indexedDb),
      storage: () => new OpenedStore(browserStorage(database, mirroringPart)),
      journal: place === 'opfs' ? journalBytes(database) : undefined,
      ...(place === 'opfs' && { files: () => opfsFiles(database) }),
      mirrored: place === 'opfs',
      runs: 25,
    }
    const found = [...storageCases(PLACES.journal), ...browserCases].find((candidate) => candidate.name === name)
    try {
      await found!.run(context)
      return 'kept'
    } catch (error) {
      return error instanceof Error ? `${error.message}\n${error.stack}` : String(error)
    }
  },

  async open(name: string): Promise<OpenedDatabase | WireError> {
    const slots: number[] = []
    store = new OpenedStore(browserStorage(name, mirroringPart))
    const started = performance.now()
    return caught(async () => {
      const { databaseId, nextSlot } = await store.open(({ slot }) => slots.push(slot))
      return { databaseId, nextSlot, slots, elapsedMs: performance.now() - started }
    })
  },

  /** Commits episodes with rows of random bytes, one episode a commit. */
  commit: (from: number, count: number, rowBytes: number) =>
    caught(async () => {
      for (let slot = from; slot < from + count; slot++) await store.commit([episode(slot, rowBytes)])
      return count
    }),

  /** Commits episodes in one commit. */
  commitBatch: (from: number, count: number, rowBytes: number) =>
    caught(async () => {
      await store.commit(Array.from({ length: count }, (_, index) => episode(from + index, rowBytes)))
      return count
    }),

  remove: (slot: number) => caught(() => store.commit([{ op: 'remove', slot, id: `ep_${slot}` }])),
  rowLengths: (slots: number[]) => caught(async () => (await store.rows(slots)).map((row) => row?.length ?? -1)),
  stats: (): Promise<StorageStats | WireError> => caught(() => store.stats()),
  flush: () => caught(() => store.flush()),
  compact: () => caught(async () => store.parts.maintenance?.compact()),
  /** The codes of what verifying finds that does not mend itself. */
  verify: () =>
    caught(async () => {
      const findings = new Findings()
      await store.parts.maintenance?.verify({ findings, digest: () => '', visit: () => {} })
      return findings.problems.flatMap(({ code, harm }) => (harm === 'none' ? [] : [code]))
    }),
  close: () => caught(() => store.close()),
}

export type StorageRig = typeof rig

let store: OpenedStore

function episode(slot: number, rowBytes: number) {
  const signatures = { text: noise(slot + 1, 1024), structured: noise(slot + 2, 1024) }
  return { op: 'put' as const, slot, id: `ep_${slot}`, row: noise(slot, rowBytes), signatures }
}

async function caught<T>(work: () => Promise<T>): Promise<T | WireError> {
  try {
    return await work()
  } catch (error) {
    return toWire(error)
  }
}

expose(rig)
