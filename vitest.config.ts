import { defineConfig } from 'vitest/config'

/** Tests that need the built library. The others run on the sources. */
const built = {
  package: 'test/package/**/*.test.ts',
  runtimes: 'test/runtimes/**/*.test.ts',
  bundlers: 'test/bundlers/**/*.test.ts',
}
/** What is prepared once for all tests of a project. */
const prepared: Readonly<Record<string, string>> = { bundlers: 'test/bundlers/setup.ts' }

const project = (name: string, include: string[], exclude: string[] = []) => ({
  test: {
    name,
    include,
    exclude,
    globalSetup: prepared[name] ?? [],
    testTimeout: name === 'bundlers' ? 300_000 : 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
})

export default defineConfig({
  test: {
    projects: [
      project('unit', ['test/**/*.test.ts'], Object.values(built)),
      ...Object.entries(built).map(([name, files]) => project(name, [files])),
    ],
  },
})
