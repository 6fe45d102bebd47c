import type { StorageEvent } from '../../src/api/stats.js'
import type { Episode, Observation } from '../../src/api/episode.js'
import type { Moved } from './moves.js'

/**
 * What the crash tests write and what they find: each text follows from its id, so that it can be checked after a
 * crash.
 */

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
  return `${id}: ${('the pressure in tank number two went ' + 'down again, and nobody could say why. ').repeat(
    1 + (index % 9),
  )}`
}

/** What is found in a database when it is opened after a crash. */
export interface Found {
  readonly episodes: readonly Pick<Episode, 'id' | 'text'>[]
  readonly opening: readonly StorageEvent[]
  /** What the crash left of moving the journal. Looked at before it was opened. */
  readonly moved: Moved
  /** What verifying it finds that does not mend itself. */
  readonly problems: readonly unknown[]
}

/** What a number of crashes did. */
export class Tally {
  kills = 0
  acknowledged = 0
  removed = 0
  lost = 0
  altered = 0
  doubled = 0
  /** Removed, and there again. */
  returned = 0
  /** Written but not acknowledged when the crash came, and there: allowed. */
  unacknowledged = 0
  /** Compactions that came to their end. */
  moved = 0
  /** Compactions that the crash cut short. */
  cut = 0
  /** Kills before the writer said anything of what it wrote: while it opened the database, as a rule. */
  silent = 0
  /** What the openings reported, by kind. */
  readonly events: Record<string, number> = {}

  /** Prints it, and sets the exit code when something is not as it must be or the load was too weak to say anything. */
  conclude(what: string): void {
    const {
      kills,
      acknowledged,
      removed,
      lost,
      altered,
      doubled,
      returned,
      unacknowledged,
      moved,
      cut,
      silent,
      events,
    } = this
    console.log(
      `${what}: ${kills} kills; ${acknowledged} observations acknowledged, ${lost} lost, ${altered} altered, ` +
        `${doubled} doubled;` +
        ` ${removed} removals acknowledged, ${returned} came back; ${moved} compactions done, ${cut} cut short`,
    )
    console.log(
      `${silent} kills came before the first acknowledgement; ${unacknowledged} observations were there ` +
        `without one; openings reported ${JSON.stringify(events)}`,
    )
    if (lost + altered + doubled + returned > 0) process.exitCode = 1
    if (2 * silent > kills) {
      console.error('most runs wrote nothing, so that they say nothing: is this machine too slow for them?')
      process.exitCode = 1
    }
  }
}

/** What the writers of one database have said, and what must therefore be found in it. */
export class Ledger {
  readonly #tally: Tally
  /** What must be there. */
  readonly #expected = new Set<string>()
  /** What must not. */
  readonly #removed = new Set<string>()
  /** How often the journal had been moved. */
  #epoch = 0

  constructor(tally: Tally) {
    this.#tally = tally
  }

  /** Takes in what a writer says: `+id`, it is durable; `?id`, it is about to be removed; `-id`, it is. */
  hear(line: string): void {
    const id = line.slice(1)
    if (line.startsWith('+')) {
      this.#tally.acknowledged++
      this.#expected.add(id)
    } else if (line.startsWith('?')) this.#expected.delete(id)
    else if (line.startsWith('-')) {
      this.#tally.removed++
      this.#removed.add(id)
    }
  }

  /** Compares what is there after a crash with what was said before it. */
  check({ episodes, opening, moved, problems }: Found): void {
    const tally = this.#tally
    if (problems.length > 0) throw new Error(`verifying it finds ${JSON.stringify(problems)}`)
    const texts = new Map(episodes.map(({ id, text }) => [id, text]))
    tally.doubled += episodes.length - texts.size
    for (const id of this.#expected) if (!texts.has(id)) this.#tell('lost', id)
    for (const [id, text] of texts) {
      if (text !== textOf(id)) this.#tell('altered', id)
      if (this.#removed.has(id)) this.#tell('returned', id)
      if (!this.#expected.has(id)) tally.unacknowledged++
      // What was there without an acknowledgement must stay from now on, too.
      this.#expected.add(id)
    }
    for (const { kind } of opening) if (kind !== 'created') tally.events[kind] = (tally.events[kind] ?? 0) + 1
    tally.moved += moved.epoch - this.#epoch
    if (moved.isCutShort) tally.cut++
    this.#epoch = moved.epoch
  }

  #tell(what: 'lost' | 'altered' | 'returned', id: string): void {
    this.#tally[what]++
    console.error(`${what} after kill ${this.#tally.kills}: ${id}`)
  }
}
