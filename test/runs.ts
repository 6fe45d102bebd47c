/**
 * Sequences of a property: few in every run, thousands in the nightly one (`AGIDB_RUNS=2000`, `npm run test:nightly`).
 */
export function runs(usual = 20): number {
  return Number(process.env['AGIDB_RUNS'] ?? usual)
}

/** Set in the nightly run, which alone runs tests that take long and whose subject smaller tests cover, too. */
export const nightly = process.env['AGIDB_NIGHTLY'] !== undefined

/** Set where tests run hundreds of times, on mutants of the code: those that take seconds are left out there. */
export const quick = process.env['AGIDB_QUICK'] !== undefined
