import type { OpenedStorage, StorageAdapter } from '../../../src/api/storage.js'

/** An adapter whose storage has other parts once it is open, for letting some of its calls fail or wait. */
export function altered(
  adapter: StorageAdapter,
  change: (opened: OpenedStorage) => Partial<OpenedStorage>,
): StorageAdapter {
  return {
    async open(...args) {
      const opened = await adapter.open(...args)
      return { ...opened, ...change(opened) }
    },
  }
}
