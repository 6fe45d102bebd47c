import { OpenedStore } from '../../../src/storage/contract/opened-store.js'
import { browserStorage } from './whole-browser-storage.js'
import type { StorageChange } from '../../../src/api/storage.js'

/** Makes a database of a browser with these commits in it, and closes it. Answers its id. */
export async function made(name: string, ...commits: StorageChange[][]): Promise<string> {
  const store = new OpenedStore(browserStorage(name))
  const { databaseId } = await store.open(() => undefined)
  for (const commit of commits) await store.commit(commit)
  await store.flush()
  await store.close()
  return databaseId
}
