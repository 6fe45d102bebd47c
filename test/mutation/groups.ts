/**
 * The groups of mutated code and the tests that run on their mutants. A key is a folder or a file of `src`. The tests
 * of the same path in `test/unit` always run; the list names further folders or files there, and files in `test/slow`.
 * Other slow tests do not run, because each mutant would take minutes.
 */
export const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'base/crc32c.ts': [],
  'storage/block': ['storage/journal', 'storage/adapters/node/deleted', 'storage/adapters/browser/deleted-browser'],
  'storage/journal': ['storage/format', 'storage/relaxed', 'storage/recovery'],
  'storage/checkpoint': ['storage/recovery/salvage'],
  'storage/mirror': ['storage/mirror/chunks', 'storage/adapters/browser'],
  'storage/recovery': ['storage/recovery/bit-rot', 'storage/journal', 'storage/mirror/journal-and-mirror'],
  'storage/adapters/browser': [
    'storage/adapters/browser/browser-faults',
    'storage/adapters/browser/deleted-browser',
    'storage/mirror/journal-and-mirror',
  ],
  'storage/adapters/node': ['storage/adapters/node/folder-lock', 'storage/block'],
  'storage/adapters/memory.ts': ['storage/contract'],
  encoding: [],
  'recall/answer': ['recall/range', 'recall/signature-rows'],
  'recall/candidates': ['recall/signature-rows'],
  'recall/evidence': ['recall/signature-rows'],
  'recall/query': ['recall/time', 'recall/range', 'recall/languages'],
  'recall/ranking': [],
  'memory/beliefs': ['memory/beliefs/rederive'],
  'memory/goals': [],
  'memory/knowledge': ['memory/knowledge/rederive'],
  'memory/procedures': [],
  'memory/self': [],
  'memory/sensory': [],
  'memory/working': [],
}

/** A group, and the part of it that is mutated. */
export interface Chosen {
  readonly group: string
  /** A folder or a file of `src`. */
  readonly path: string
}

/** The groups that a path of `src` has, or the one that it is in. The path may begin with `src/`. */
export function chosenBy(asked: string): Chosen[] {
  const path = asked.replace(/^(?:\.\/)?src\//, '').replace(/\/$/, '')
  const within = Object.keys(GROUPS).filter((group) => group === path || group.startsWith(`${path}/`))
  if (within.length > 0) return within.map((group) => ({ group, path: group }))
  return Object.keys(GROUPS)
    .filter((group) => path.startsWith(`${group}/`))
    .map((group) => ({ group, path }))
}

/** Globs of the tests of a group. */
export function testsOf(group: string): string[] {
  return [group.replace(/\.ts$/, ''), ...GROUPS[group]].flatMap((path) => [
    `test/unit/${path}.test.ts`,
    `test/unit/${path}/**/*.test.ts`,
    `test/slow/${path}.test.ts`,
  ])
}
