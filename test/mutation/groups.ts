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
    tests: ['block-storage', 'compaction', 'journal', 'journal-files', 'reading', 'relaxed', 'salvage', 'salvage-misfits'],
  },
  image: { files: ['extents', 'image-file', 'superblock'], tests: ['image', 'salvage'] },
  node: { files: ['node', 'node-file', 'node-holder', 'node-inode', 'node-lock', 'node-socket'], tests: ['holders', 'node-faults'] },
  copy: {
    files: ['check-mirror', 'chunks', 'convert-tables', 'dom-error', 'indexeddb', 'mirror'],
    tests: ['browser-faults', 'chunks', 'copies', 'mirror', 'salvage-browser'],
  },
  heal: { files: ['put-in-place', 'rebuild', 'reconcile'], tests: ['copies', 'put-in-place', 'two-copies'] },
  browser: {
    files: ['browser', 'indexeddb-only', 'journaled', 'opfs', 'salvage-browser', 'tab-lock'],
    tests: ['browser-faults', 'copies', 'salvage-browser'],
  },
}
