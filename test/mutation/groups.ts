/** What is mutated together, and the tests that its mutants are tried on: those that take no more than a moment. */
export interface Group {
  readonly files: readonly string[]
  readonly tests: readonly string[]
}

export const GROUPS: Readonly<Record<string, Group>> = {
  format: {
    files: ['block-file', 'changes', 'crc32c', 'erase', 'frame', 'pieces', 'scan', 'sentinel', 'slot-table', 'walk'],
    tests: ['changes', 'crc32c', 'format', 'frame', 'scan', 'slot-table'],
  },
  journal: {
    files: [
      ...['admission', 'block-storage', 'check', 'compaction', 'contents', 'flushing', 'hand-over', 'handle', 'journal', 'journal-header', 'journal-pair', 'log'],
      ...['own-copy', 'packed', 'salvage', 'signatures', 'store', 'tail'],
    ],
    tests: ['block-storage', 'journal', 'relaxed', 'salvage'],
  },
  image: { files: ['extents', 'image-file', 'superblock'], tests: ['image', 'salvage'] },
  node: { files: ['node', 'node-file', 'node-lock'], tests: ['node-faults'] },
  browser: {
    files: ['browser', 'check-mirror', 'chunks', 'convert-tables', 'dom-error', 'indexeddb', 'indexeddb-only', 'journaled', 'mirror', 'opfs', 'rebuild', 'reconcile', 'tab-lock'],
    tests: ['browser-faults', 'chunks', 'copies', 'mirror', 'browser'],
  },
}
