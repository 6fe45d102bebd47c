import { deviceOf, HybridClock, type Stamp } from './clock.js'

/** What is known of a record that is exchanged. */
export interface Entry {
  /** By which the records of a memory are ordered, on every device. */
  readonly place: Stamp
  /**
   * When it began, as a text that sorts among stamps. An unlearning forgets the records that began before it. Two
   * devices that have the same record from one export agree on it.
   */
  readonly birth: string
  /** Its last change: the later one counts. */
  readonly stamp: Stamp
  /** The number of that change among those of its device, from 1. */
  readonly counter: number
  /** Of what it says. */
  readonly digest: string
  readonly isEpisode: boolean
  /** Present where it was unlearned and can be restored here. */
  readonly isBuried?: true
}

/** That an episode took the place of another. */
export interface Supersession {
  readonly episode: string
  readonly by: string
  readonly at: string
  readonly recordedAt: string
  readonly stamp: Stamp
  readonly counter: number
}

/** That a record was unlearned. It does not tell which: the id is hashed. */
export interface Removal {
  readonly stamp: Stamp
  readonly counter: number
}

type EntryRow = readonly [
  id: string,
  place: string,
  birth: string,
  stamp: string,
  counter: number,
  digest: string,
  /** 1: an episode; 2: buried. */
  flags: number,
]
type RemovalRow = readonly [hash: string, stamp: string, counter: number]

/** The first row of the state. */
interface SelfRow {
  readonly databaseId: string
  readonly device: string
  readonly counter: number
  readonly clock: string
  readonly vector: Readonly<Record<string, number>>
  readonly unlearnings: number
}

/** Changes of the state, one row each; a later one counts. */
interface DeltaRow {
  readonly entries?: readonly EntryRow[]
  readonly gone?: readonly string[]
  readonly supersessions?: readonly Supersession[]
  readonly undone?: readonly string[]
  readonly removals?: readonly RemovalRow[]
}

/** A row of the state as it is stored. */
export type StateRow = { readonly self: SelfRow } | DeltaRow

/** Entries of one row, at most. */
const ENTRIES_PER_ROW = 4_096

/**
 * What this device knows of the records that it shares with others: registers of which the later change counts, so that
 * all who have received the same changes hold the same, in whatever order these came.
 */
export class SyncState {
  readonly entries = new Map<string, Entry>()
  readonly supersessions = new Map<string, Supersession>()
  /** By the hashed id. */
  readonly removals = new Map<string, Removal>()
  /** What was received of other devices. */
  readonly received = new Map<string, number>()
  readonly clock: HybridClock
  /** Changes of this device. */
  counter: number
  /** Unlearnings of this device that the state accounts for. */
  unlearnings: number
  readonly #storedVector: string
  readonly #changed = { entries: new Set<string>(), supersessions: new Set<string>(), removals: new Set<string>() }

  private constructor(
    readonly databaseId: string,
    readonly device: string,
    { counter = 0, clock = '', unlearnings = 0, vector = {} }: Partial<SelfRow> = {},
  ) {
    this.clock = new HybridClock(device, clock)
    this.counter = counter
    this.unlearnings = unlearnings
    for (const [of, count] of Object.entries(vector)) if (of !== device) this.received.set(of, count)
    this.#storedVector = JSON.stringify(this.vector)
  }

  /** The state of a memory that has exchanged nothing yet. */
  static fresh(databaseId: string, device: string): SyncState {
    return new SyncState(databaseId, device)
  }

  /**
   * The state by its rows, in the order in which they were stored; `undefined` where there is none, or where it is that
   * of another database: a repaired one may lack rows that were not unlearned.
   */
  static stored(rows: readonly StateRow[], databaseId: string): SyncState | undefined {
    const self = rows.findLast((row) => 'self' in row)?.self
    if (self === undefined || self.databaseId !== databaseId) return undefined
    const state = new SyncState(databaseId, self.device, self)
    for (const row of rows) if (!('self' in row)) state.#take(row)
    return state
  }

  /** What a memory has received that has this state. */
  get vector(): Record<string, number> {
    const all = [...this.received, ...(this.counter > 0 ? [[this.device, this.counter] as const] : [])]
    return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** A stamp for a change of this device that happened at a time, and its number. */
  next(time: number): { readonly stamp: Stamp; readonly counter: number } {
    return { stamp: this.clock.tick(time), counter: ++this.counter }
  }

  set(id: string, entry: Entry): void {
    this.entries.set(id, entry)
    this.#changed.entries.add(id)
  }

  drop(id: string): void {
    if (this.entries.delete(id)) this.#changed.entries.add(id)
  }

  supersede(supersession: Supersession): void {
    const key = keyOf(supersession)
    this.supersessions.set(key, supersession)
    this.#changed.supersessions.add(key)
  }

  dropSupersession(key: string): void {
    if (this.supersessions.delete(key)) this.#changed.supersessions.add(key)
  }

  remove(hash: string, removal: Removal): void {
    this.removals.set(hash, removal)
    this.#changed.removals.add(hash)
  }

  /** Whether more or less was received than was stored. */
  get isOtherwise(): boolean {
    return JSON.stringify(this.vector) !== this.#storedVector
  }

  /** The self row. */
  get self(): StateRow {
    const { databaseId, device, counter, unlearnings, vector } = this
    return { self: { databaseId, device, counter, clock: this.clock.last, vector, unlearnings } }
  }

  /** Rows for what has changed since it was read; none where nothing has. */
  changes(): StateRow[] {
    const { entries, supersessions, removals } = this.#changed
    return this.#rows([...entries], [...supersessions], [...removals])
  }

  /** Rows for all of it. */
  all(): StateRow[] {
    return this.#rows([...this.entries.keys()], [...this.supersessions.keys()], [...this.removals.keys()])
  }

  #rows(ids: readonly string[], keys: readonly string[], hashes: readonly string[]): StateRow[] {
    const rows: StateRow[] = []
    for (let from = 0; from < ids.length; from += ENTRIES_PER_ROW) {
      const some = ids.slice(from, from + ENTRIES_PER_ROW)
      rows.push({
        entries: some.flatMap((id) => {
          const entry = this.entries.get(id)
          return entry === undefined ? [] : [toRow(id, entry)]
        }),
        gone: some.filter((id) => !this.entries.has(id)),
      })
    }
    if (keys.length + hashes.length > 0)
      rows.push({
        supersessions: keys.flatMap((key) => this.supersessions.get(key) ?? []),
        undone: keys.filter((key) => !this.supersessions.has(key)),
        removals: hashes.map((hash): RemovalRow => {
          const { stamp, counter } = this.removals.get(hash)!
          return [hash, stamp, counter]
        }),
      })
    return rows
  }

  #take({ entries = [], gone = [], supersessions = [], undone = [], removals = [] }: DeltaRow): void {
    for (const [id, place, birth, stamp, counter, digest, flags] of entries) {
      const entry: Entry = { place, birth, stamp, counter, digest, isEpisode: (flags & 1) !== 0 }
      this.entries.set(id, (flags & 2) !== 0 ? { ...entry, isBuried: true } : entry)
    }
    for (const id of gone) this.entries.delete(id)
    for (const one of supersessions) this.supersessions.set(keyOf(one), one)
    for (const key of undone) this.supersessions.delete(key)
    for (const [hash, stamp, counter] of removals) this.removals.set(hash, { stamp, counter })
  }
}

/** By which a supersession is known. */
export function keyOf({ episode, by }: Pick<Supersession, 'episode' | 'by'>): string {
  return JSON.stringify([episode, by])
}

/** Drops what superseded what where one of the two was unlearned since. */
export function dropUndone(state: SyncState, hash: (id: string) => string): void {
  if (state.removals.size === 0) return
  for (const [key, { episode, by, stamp }] of [...state.supersessions])
    if ([episode, by].some((id) => (state.removals.get(hash(id))?.stamp ?? '') >= stamp)) state.dropSupersession(key)
}

/** Whether a change is among those that a memory with a vector has received. */
export function isReceived({ stamp, counter }: Removal, vector: Readonly<Record<string, number>>): boolean {
  const device = deviceOf(stamp)
  return Object.hasOwn(vector, device) && counter <= vector[device]
}

function toRow(id: string, { place, birth, stamp, counter, digest, isEpisode, isBuried }: Entry): EntryRow {
  return [id, place, birth, stamp, counter, digest, (isEpisode ? 1 : 0) + (isBuried ? 2 : 0)]
}
