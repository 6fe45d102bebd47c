/** What is mutated together, and the tests that its mutants are tried on: those that take no more than a moment. */
export interface Group {
  /** Of both in `src` and `test`. Absent: `storage`. */
  readonly folder?: string
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
      ...[
        'admission',
        'block-storage',
        'check',
        'compaction',
        'contents',
        'flushing',
        'hand-over',
        'handle',
        'journal',
        'journal-header',
        'journal-pair',
        'log',
      ],
      ...['own-copy', 'packed', 'salvage', 'signatures', 'store', 'tail'],
    ],
    tests: [
      'block-storage',
      'compaction',
      'journal',
      'journal-files',
      'reading',
      'relaxed',
      'salvage',
      'salvage-misfits',
    ],
  },
  image: { files: ['extents', 'image-file', 'superblock'], tests: ['image', 'salvage'] },
  node: {
    files: ['node', 'node-file', 'node-holder', 'node-inode', 'node-lock', 'node-socket'],
    tests: ['holders', 'node-faults'],
  },
  copy: {
    files: ['check-mirror', 'chunks', 'convert-tables', 'dom-error', 'indexeddb', 'mirror'],
    tests: ['browser-faults', 'chunks', 'copies', 'mirror', 'salvage-browser'],
  },
  heal: { files: ['put-in-place', 'rebuild', 'reconcile'], tests: ['copies', 'put-in-place', 'two-copies'] },
  browser: {
    files: ['browser', 'indexeddb-only', 'journaled', 'opfs', 'salvage-browser', 'tab-lock'],
    tests: ['browser-faults', 'copies', 'salvage-browser'],
  },
  floors: {
    folder: 'floors',
    files: ['self-vector', 'surprise', 'surprise-profile'],
    tests: ['self-vector', 'surprise-profile'],
  },
  hdc: {
    folder: 'hdc',
    files: ['codebook', 'concept', 'heaviest', 'latent', 'predicate', 'record', 'relation', 'text', 'tokens', 'traits'],
    tests: ['heaviest', 'latent', 'predicate', 'record', 'relation', 'text', 'tokens'],
  },
  recall: {
    folder: 'recall',
    files: [
      'candidates',
      'choose',
      'confidence',
      'fold',
      'goals',
      'pattern',
      'persons',
      'prompt',
      'resting',
      'scale',
      'tiers',
      'times',
    ],
    tests: ['fold', 'goals', 'pattern', 'prompt', 'range', 'resting', 'scale', 'time', 'trace'],
  },
  mind: {
    folder: 'mind',
    files: [
      'alike',
      'bearing',
      'comparing',
      'contradictions',
      'expectation',
      'following',
      'news',
      'senses',
      'support',
      'verdict',
      'working',
    ],
    tests: ['atoms', 'beliefs', 'contradictions', 'following', 'senses', 'working'],
  },
}
