import { defineConfig } from 'vitest/config'
import { GROUPS } from './groups.js'

const { folder = 'storage', tests } = GROUPS[process.env['AGIDB_MUTANTS'] ?? 'format']

/** The tests of a group of mutants, with few runs of each property. */
export default defineConfig({
  test: {
    include: [`test/${folder}/{${tests.join(',')},none}.test.ts`],
    env: { AGIDB_QUICK: '1', AGIDB_RUNS: '4' },
    testTimeout: 20_000,
    pool: 'threads',
  },
})
