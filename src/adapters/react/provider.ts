import { createContext, createElement, type ReactElement, type ReactNode, useContext } from 'react'
import { invalid } from '../../api/check.js'
import type { Database } from '../../api/scope.js'
import { type MemoryStore, memoryStore } from '../store/store.js'

const Store = createContext<MemoryStore | undefined>(undefined)

/** The stores of memories, so that a provider that is made again has the answers that are known. */
const stores = new WeakMap<object, MemoryStore>()

/** Properties of {@link MemoryProvider}. */
export interface MemoryProviderProps {
  /** A memory, or the promise of one: `Agidb.open(…)`, outside of the component. Who opened it closes it. */
  readonly db: Database | PromiseLike<Database>
  readonly children?: ReactNode
}

/** Gives the hooks below it a memory. */
export function MemoryProvider({ db, children }: MemoryProviderProps): ReactElement {
  let store = stores.get(db)
  if (store === undefined) stores.set(db, (store = memoryStore(db)))
  return createElement(Store.Provider, { value: store }, children)
}

/**
 * The store of the provider above.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` where there is none.
 */
export function useMemoryStore(): MemoryStore {
  const store = useContext(Store)
  if (store === undefined) throw invalid('there is no <MemoryProvider db={…}> above this component', { what: 'db' })
  return store
}

/** The memory of the provider above, for what writes: `(await db).observe(…)`. */
export function useAgidb(): Promise<Database> {
  return useMemoryStore().db
}
