import type { Episode, Observation } from '../../src/core/episode.js'

/** What the crash tests write: each text follows from its id, so that it can be checked after a crash. */

/** The `index`-th observation of a run. */
export function observation(run: number, index: number): Observation & { id: string } {
  const id = `run${run}-${index}`
  return { id, text: textOf(id), speaker: `speaker ${index % 5}`, session: `run ${run}`, at: 1_700_000_000_000 + index }
}

export function observations(run: number, from: number, count: number): (Observation & { id: string })[] {
  return Array.from({ length: count }, (_, index) => observation(run, from + index))
}

export function textOf(id: string): string {
  const index = Number(id.slice(id.indexOf('-') + 1))
  return `${id}: ${'the pressure in tank number two went down again, and nobody could say why. '.repeat(1 + (index % 9))}`
}

/** What a run of crashes found. */
export interface Tally {
  runs: number
  acknowledged: number
  lost: number
  altered: number
  doubled: number
  /** Written but not acknowledged when the crash came, and there: allowed. */
  unacknowledged: number
  /** What the openings reported, by kind. */
  events: Record<string, number>
}

export function newTally(): Tally {
  return { runs: 0, acknowledged: 0, lost: 0, altered: 0, doubled: 0, unacknowledged: 0, events: {} }
}

/** Compares what is there after a crash with what was acknowledged before it. */
export function check(tally: Tally, acknowledged: ReadonlySet<string>, found: readonly Pick<Episode, 'id' | 'text'>[]): void {
  const texts = new Map(found.map(({ id, text }) => [id, text]))
  tally.doubled += found.length - texts.size
  for (const id of acknowledged) if (!texts.has(id)) tally.lost++
  for (const [id, text] of texts) {
    if (text !== textOf(id)) tally.altered++
    if (!acknowledged.has(id)) tally.unacknowledged++
  }
}

export function note(tally: Tally, opening: readonly { kind: string }[]): void {
  for (const { kind } of opening) if (kind !== 'created') tally.events[kind] = (tally.events[kind] ?? 0) + 1
}

/** Prints a tally, and sets the exit code when something was lost, altered or doubled. */
export function conclude(what: string, tally: Tally): void {
  const { runs, acknowledged, lost, altered, doubled, unacknowledged, events } = tally
  console.log(
    `${what}: ${runs} kills, ${acknowledged} acknowledged, ${lost} lost, ${altered} altered, ${doubled} doubled,` +
      ` ${unacknowledged} there without an acknowledgement; openings reported ${JSON.stringify(events)}`,
  )
  if (lost + altered + doubled > 0) process.exitCode = 1
  if (acknowledged === 0) {
    console.error('nothing was acknowledged: the load is too weak to say anything')
    process.exitCode = 1
  }
}
