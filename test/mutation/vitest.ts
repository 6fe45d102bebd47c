import { defineConfig } from 'vitest/config'
import { testsOf } from './groups.js'

/** The tests of a group of mutants, with few runs of each property. */
export default defineConfig({
  test: {
    include: testsOf(process.env['AGIDB_MUTANTS'] ?? 'storage/journal'),
    env: { AGIDB_QUICK: '1', AGIDB_RUNS: '4' },
    testTimeout: 20_000,
    pool: 'threads',
  },
})
