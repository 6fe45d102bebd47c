import type { OpenedStorage } from '../../api/storage.js'

/** A storage that is not encrypted, which says why. */
export function unencrypted(opened: OpenedStorage, hasKeys: boolean): OpenedStorage {
  const reason = hasKeys
    ? 'it was begun without encryption, and the option encryption does not ask for it'
    : 'this place has no file for keys'
  return {
    ...opened,
    stats: async () => ({ ...(await opened.stats()), encryption: { kind: 'none', reason, keys: 0 } }),
  }
}
