import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { MUTANTS } from './hand-made.js'

/** Absent: none. */
const mutant = MUTANTS[Number(process.env['AGIDB_MUTANT'] ?? -1)]

/** The tests on one hand-made mutant, which is applied while its file is loaded: nothing is written. */
export default defineConfig({
  test: { include: ['test/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 120_000 },
  plugins: [
    {
      name: 'mutant',
      enforce: 'pre',
      transform(code, id) {
        if (mutant === undefined || id.split('?')[0] !== resolve(mutant.file)) return undefined
        if (!code.includes(mutant.from)) throw new Error(`${mutant.file} has no ${JSON.stringify(mutant.from)}`)
        return code.replace(mutant.from, () => mutant.to)
      },
    },
  ],
})
