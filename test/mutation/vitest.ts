import { defineConfig } from 'vitest/config'

/** The tests that mutants are tried on, by what they are mutants of: those that take no more than a moment. */
const TESTS: Record<string, string> = {
  format: '{changes,crc32c,format,frame,scan,slot-table}',
  journal: '{block-storage,image,journal,salvage}',
  browser: '{browser,chunks,mirror}',
}

export default defineConfig({
  test: {
    include: [`test/storage/${TESTS[process.env['AGIDB_MUTANTS'] ?? 'format']}.test.ts`],
    env: { AGIDB_QUICK: '1', AGIDB_RUNS: '4' },
    testTimeout: 20_000,
    pool: 'threads',
  },
})
