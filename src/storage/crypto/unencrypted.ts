import type { OpenedStorage } from '../../api/storage.js'

/** A storage that is not encrypted, which says why. */
export function unencrypted(opened: OpenedStorage, hasKeys: boolean): OpenedStorage {
  const reason = hasKeys
    ? 'it was begun without encryption, and the option encryption does not ask for it'
    : 'this place has no file for keys'
  const { rows, signatures, checkpoint, maintenance, nextSlot, onCommit } = opened
  return {
    nextSlot,
    rows,
    signatures,
    checkpoint,
    maintenance,
    onCommit: onCommit?.bind(opened),
    flush: () => opened.flush(),
    close: () => opened.close(),
    // Read when it is asked for: it may be drawn at random, which an edge worker may not do while it starts.
    get databaseId() {
      return opened.databaseId
    },
    stats: async () => ({ ...(await opened.stats()), encryption: { kind: 'none', reason, keys: 0 } }),
  }
}
