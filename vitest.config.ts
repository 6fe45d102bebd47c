import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'

interface Project {
  readonly include: readonly string[]
  readonly exclude?: readonly string[]
  readonly timeoutMs?: number
  /** What each file loads before its tests. */
  readonly setup?: string
  /** Whether each file has modules and globals of its own, which costs about a second a file. Default: `true`. */
  readonly isolate?: boolean
}

/** What replaces a module or a global in a file of tests. Such a file would change what the next file sees. */
const REPLACES = /\bvi\.(mock|doMock|resetModules|stubGlobal)\(|\bglobalThis\.\w+ = |\/browser-model\.js'/

const replacing = readdirSync('test/unit', { recursive: true, encoding: 'utf8' })
  .map((path) => join('test/unit', path))
  .filter((path) => path.endsWith('.test.ts') && REPLACES.test(readFileSync(path, 'utf8')))

/**
 * Each project of tests and its files. `unit` is quick, and its files share modules; `unit-isolated` has those of them
 * that replace modules or globals; `slow` has what takes seconds: laws over random histories, faults at every call,
 * threads, commands.
 */
const PROJECTS: Readonly<Record<string, Project>> = {
  unit: { include: ['test/unit/**/*.test.ts'], exclude: replacing, isolate: false, setup: 'test/unit/setup.ts' },
  'unit-isolated': { include: replacing },
  slow: { include: ['test/{slow,fuzz,bench,docs,mutation}/**/*.test.ts'] },
  // The packages of the frameworks are installed into the cache of the user.
  frameworks: { include: ['test/frameworks/**/*.test.ts'], timeoutMs: 300_000 },
  // These need the built library. The others run on the sources.
  package: { include: ['test/package/**/*.test.ts'] },
  runtimes: { include: ['test/runtimes/**/*.test.ts'] },
  bundlers: { include: ['test/bundlers/**/*.test.ts'], timeoutMs: 300_000 },
}
/** What is prepared once for all tests of a project. */
const SETUP: Readonly<Record<string, string>> = {
  slow: 'test/slow/cli/setup.ts',
  bundlers: 'test/bundlers/setup.ts',
  frameworks: 'test/frameworks/setup.ts',
}

export default defineConfig({
  test: { projects: Object.entries(PROJECTS).map(([name, project]) => testOf(name, project)) },
})

function testOf(name: string, project: Project) {
  const { include, exclude = [], timeoutMs = 60_000, isolate = true, setup = [] } = project
  return {
    test: {
      name,
      include: [...include],
      exclude: [...configDefaults.exclude, ...exclude],
      isolate,
      setupFiles: setup,
      globalSetup: SETUP[name] ?? [],
      testTimeout: timeoutMs,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 30_000 } },
    },
  }
}
