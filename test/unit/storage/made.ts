import { browserStorage } from '../../../src/storage/adapters/browser/browser.js'
import type { Change } from '../../../src/storage/port.js'

/** Makes a database of a browser with these commits in it, and closes it. Answers its id. */
export async function made(name: string, ...commits: Change[][]): Promise<string> {
  const store = browserStorage(name)
  const { databaseId } = await store.open(() => undefined)
  for (const commit of commits) await store.commit(commit)
  await store.flush()
  await store.close()
  return databaseId
}
