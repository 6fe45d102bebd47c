/** Crashes that one database goes through. */
export const RUNS_A_DATABASE = 25
/** One run of so many is killed while the database is being opened, or soon after. */
const EARLY = 6
/** One run of so many thins the memory out and rests, so that it is compacted without being asked. */
const THINS = 5

/** Whether a run thins the memory out. It says `|` when it begins to rest; a compaction begins a second later. */
export function thins(run: number): boolean {
  return run % THINS === THINS - 1
}

/** When a run is killed: so many milliseconds after its writer has come so far. */
export interface Moment {
  readonly after: 'start' | 'opened' | 'wrote' | 'rest'
  readonly ms: number
}

/** @param longest milliseconds of writing, at most */
export function momentOf(run: number, longest: number): Moment {
  const share = Math.random()
  if (run % EARLY === 1) return { after: 'start', ms: share * longest }
  return thins(run) ? { after: 'rest', ms: 900 + share * 1100 } : { after: 'wrote', ms: share * longest }
}
