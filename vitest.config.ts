import { defineConfig } from 'vitest/config'

/**
 * Each project of tests and its files. `unit` is quick; `slow` has what takes seconds: many runs, threads, commands.
 */
const PROJECTS: Readonly<Record<string, { readonly include: readonly string[]; readonly timeoutMs?: number }>> = {
  unit: { include: ['test/unit/**/*.test.ts'] },
  slow: { include: ['test/{slow,fuzz,bench,docs,mutation}/**/*.test.ts'] },
  // These need the built library. The others run on the sources.
  package: { include: ['test/package/**/*.test.ts'] },
  runtimes: { include: ['test/runtimes/**/*.test.ts'] },
  bundlers: { include: ['test/bundlers/**/*.test.ts'], timeoutMs: 300_000 },
}
/** What is prepared once for all tests of a project. */
const SETUP: Readonly<Record<string, string>> = { slow: 'test/slow/cli/setup.ts', bundlers: 'test/bundlers/setup.ts' }

export default defineConfig({
  test: {
    projects: Object.entries(PROJECTS).map(([name, { include, timeoutMs = 60_000 }]) => ({
      test: {
        name,
        include: [...include],
        globalSetup: SETUP[name] ?? [],
        testTimeout: timeoutMs,
        hookTimeout: 120_000,
        expect: { poll: { timeout: 30_000 } },
      },
    })),
  },
})
