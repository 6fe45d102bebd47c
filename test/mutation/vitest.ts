import { defineConfig } from 'vitest/config'

/** The tests that mutants of the storage are run against: those that take a second or two. */
export default defineConfig({
  test: { include: ['test/storage/{crc32c,format,journal,image}.test.ts'], testTimeout: 60_000 },
})
