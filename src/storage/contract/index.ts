// The contract of the storage port, for the tests of authors of adapters: `agidb/storage-contract`.
// docs/storage-adapters.md has a worked example.
import type { StorageAdapter } from '../../api/storage.js'
import { applies, type StorageFeatures } from './case.js'
import { cases } from './cases.js'
import { OpenedStore } from './opened-store.js'

export type { PartName, StorageFeatures } from './case.js'

/** A place that is made for one case. */
export interface ContractPlace {
  /** Another adapter for this place, as another run of a program would make it. */
  adapter(): StorageAdapter
  /** Called when the case is over. */
  remove?(): void | Promise<void>
}

/** One test of the contract. */
export interface ContractTest {
  /** A sentence about the behaviour. */
  readonly name: string
  /** Rejects with an `Error` that says what was expected and what was found. */
  run(): Promise<void>
}

/**
 * The tests that a storage adapter must pass, for any test runner:
 *
 * ```ts
 * for (const { name, run } of storageContract({ durable: true }, () => ({ adapter: () => myAdapter(folder()) })))
 *   test(name, run)
 * ```
 *
 * @param features what the adapter offers. Parts that are not named here must be absent when it is open.
 * @param place makes an empty place; called once for each test.
 */
export function storageContract(
  features: StorageFeatures,
  place: () => ContractPlace | Promise<ContractPlace>,
): ContractTest[] {
  const applicable = cases.filter((found) => applies(found, features))
  return applicable.map(({ name, run }) => ({
    name,
    async run() {
      const { adapter, remove } = await place()
      try {
        await run({ ...features, storage: () => new OpenedStore(adapter()) })
      } finally {
        await remove?.()
      }
    },
  }))
}
