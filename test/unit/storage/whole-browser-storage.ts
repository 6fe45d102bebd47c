import type { StorageAdapter } from '../../../src/api/storage.js'
import { browserStorage as late, type BrowserStorageOptions } from '../../../src/storage/adapters/browser/browser.js'
import * as mirroring from '../../../src/storage/adapters/browser/mirroring.js'

/** The storage of a browser with what uses IndexedDB at hand. */
export function browserStorage(name: string, options?: BrowserStorageOptions): StorageAdapter {
  return late(name, async () => mirroring, options)
}
