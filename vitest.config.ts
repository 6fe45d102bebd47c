import { defineConfig } from 'vitest/config'

/** Tests that need the built library. The others run on the sources. */
const built = { package: 'test/package/**/*.test.ts', runtimes: 'test/runtimes/**/*.test.ts' }

const project = (name: string, include: string[], exclude: string[] = []) =>
  ({ test: { name, include, exclude, testTimeout: 60_000, hookTimeout: 120_000, expect: { poll: { timeout: 30_000 } } } })

export default defineConfig({
  test: {
    projects: [
      project('unit', ['test/**/*.test.ts'], Object.values(built)),
      ...Object.entries(built).map(([name, files]) => project(name, [files])),
    ],
  },
})
