import type { Episode } from '../../api/episode.js'
import { AgidbError } from '../../base/errors.js'
import { deviceOf, timeOf } from './clock.js'
import type { LocalRecord, Scan } from './scan.js'
import { dropUndone, isReceived, keyOf, type Removal, type Supersession } from './state.js'
import type { ArrivedRecord, WireChanges } from './wire.js'

/** How far the clock of another device may be ahead of this one, in milliseconds. */
const MAX_AHEAD = 86_400_000

/** What a memory is to hold once changes are applied. */
export interface Merged {
  /** The records in their order. */
  readonly items: readonly MergedItem[]
  /** What supersedes episodes, by their ids. */
  readonly superseded: ReadonlyMap<string, NonNullable<Episode['superseded']>>
  /** Records that are here and go. */
  readonly removed: readonly LocalRecord[]
  readonly added: number
  readonly updated: number
  /** Whether the rows are others than before, or stand in another order. */
  readonly isChanged: boolean
}

/** A record, from where it comes. */
export interface MergedItem {
  readonly id: string
  readonly place: string
  /** Of a record that is here, forgotten or not. */
  readonly slot?: number
  /** Of one that came, or came to say something else. */
  readonly arrived?: ArrivedRecord
}

/**
 * Checks that changes can be applied by this device.
 *
 * @throws AgidbError `AGIDB_SYNC`
 */
export function expectApplicable(changes: WireChanges, { state }: Scan, now: number): void {
  const { device, since, vector, records, supersessions, removals } = changes
  if (device === state.device || (vector[state.device] ?? 0) > state.counter) {
    throw new AgidbError(
      'AGIDB_SYNC',
      `the changes are of a device that has the id of this one (${state.device}): its files were copied. Export the ` +
        'memory and import it on the other device instead',
      { device: state.device },
    )
  }
  const gap = Object.entries(since).find(([of, count]) => count > (state.vector[of] ?? 0))
  if (gap !== undefined) {
    throw new AgidbError(
      'AGIDB_SYNC',
      `the changes follow on others of the device ${gap[0]} that have not come: ask for changes since the version ` +
        'vector of this memory',
      { device: gap[0] },
    )
  }
  const ahead = [...records, ...supersessions, ...removals].find(({ stamp }) => timeOf(stamp) > now + MAX_AHEAD)
  if (ahead !== undefined) {
    const time = new Date(timeOf(ahead.stamp)).toISOString()
    throw new AgidbError(
      'AGIDB_SYNC',
      `a change is of ${time}, more than a day after the time of this device: set the clocks of both right`,
      { device: deviceOf(ahead.stamp), time },
    )
  }
}

/** Merges changes into the state of a memory, and says which of its records have to change. */
export function merge(changes: WireChanges<ArrivedRecord>, local: Scan, now: number): Merged {
  const { state, zombies } = local
  const { vector } = state
  const isNew = (change: Removal): boolean => !isReceived(change, vector)
  for (const { place, stamp } of changes.records) [place, stamp].forEach((seen) => state.clock.see(seen))
  for (const { stamp } of [...changes.removals, ...changes.supersessions]) state.clock.see(stamp)
  for (const { hash: hashed, ...removal } of changes.removals)
    if (isNew(removal) && !((state.removals.get(hashed)?.stamp ?? '') >= removal.stamp)) state.remove(hashed, removal)
  const arrived = mergeRecords(changes.records.filter(isNew), local)
  for (const supersession of changes.supersessions) {
    const known = state.supersessions.get(keyOf(supersession))
    if (isNew(supersession) && !((known?.stamp ?? '') >= supersession.stamp)) state.supersede(supersession)
  }
  for (const [device, count] of Object.entries(changes.vector))
    if (device !== state.device && count > (state.received.get(device) ?? 0)) state.received.set(device, count)
  for (const id of zombies) state.drop(id)
  return outcome(local, arrived, now)
}

/** Takes in records that are later than what is here; answers those that say something else. */
function mergeRecords(
  records: readonly ArrivedRecord[],
  { state, hash, digest: digestOf }: Scan,
): Map<string, ArrivedRecord> {
  const arrived = new Map<string, ArrivedRecord>()
  for (const record of records) {
    const { id, place, birth, stamp, counter, row } = record
    const known = state.entries.get(id)
    if (isUnlearned(birth, state.removals.get(hash(id)))) continue
    if (known !== undefined && !known.isBuried && !isLater(record, known)) continue
    const digest = digestOf(row)
    if (known === undefined || known.isBuried || known.digest !== digest) arrived.set(id, record)
    state.set(id, { place, birth, stamp, counter, digest, isEpisode: record.record.isEpisode })
  }
  return arrived
}

/** What the state says that a memory is to hold. */
function outcome(local: Scan, arrived: Map<string, ArrivedRecord>, now: number): Merged {
  const { state, records, buried, hash, zombies } = local
  const aboutOf = (id: string) => arrived.get(id)?.record ?? records.get(id)
  const gone = new Set<string>(zombies)
  for (const [id, { birth, isBuried }] of state.entries)
    if (!isBuried && state.removals.size > 0 && isUnlearned(birth, state.removals.get(hash(id)))) gone.add(id)
  const forget = (id: string): void => {
    gone.add(id)
    state.clock.tick(now)
    state.remove(hash(id), state.next(now))
  }
  // With an episode go its versions, on whatever device they were kept.
  for (const [id, { isBuried }] of state.entries) {
    const of = isBuried || gone.has(id) ? undefined : aboutOf(id)?.versionOf
    if (of !== undefined && state.removals.has(hash(of)) && (gone.has(of) || !isLive(local, of))) forget(id)
  }
  const order = (a: MergedItem, b: MergedItem) => (a.place < b.place || (a.place === b.place && a.id < b.id) ? -1 : 1)
  const live = [...state.entries].flatMap(([id, { place, isBuried }]): MergedItem[] => {
    if (isBuried || gone.has(id)) return []
    const slot = records.get(id)?.slot
    return [{ id, place, ...(slot !== undefined && { slot }), ...(arrived.has(id) && { arrived: arrived.get(id) }) }]
  })
  live.sort(order)
  // Where two devices put goals below each other, the later change does not count.
  for (const id of circular(live, aboutOf)) forget(id)
  for (const id of gone) {
    arrived.delete(id)
    state.drop(id)
  }
  dropUndone(state, hash)
  const kept = live.filter(({ id }) => !gone.has(id))
  const tombs = [...state.entries].flatMap(([id, { place, isBuried }]): MergedItem[] =>
    isBuried && buried.has(id) ? [{ id, place, slot: buried.get(id)! }] : [],
  )
  const items = [...kept, ...tombs].sort(order)
  const superseded = supersededOf(
    state.supersessions.values(),
    new Set(kept.flatMap(({ id }) => (state.entries.get(id)!.isEpisode ? [id] : []))),
  )
  const removed = [...gone].flatMap((id) => records.get(id) ?? [])
  const added = kept.filter(({ slot }) => slot === undefined).length
  return {
    items,
    superseded,
    removed,
    added,
    updated: arrived.size - added,
    isChanged:
      arrived.size + removed.length > 0 ||
      !isInOrder(items) ||
      [...records.values()].some((one) => isOther(one, superseded)),
  }
}

/** Whether the rows stand in the order in which they are to stand. */
function isInOrder(items: readonly MergedItem[]): boolean {
  return items.every(({ slot = Infinity }, i) => i === 0 || slot > items[i - 1].slot!)
}

/** Whether an episode is superseded otherwise than its row says. */
export function isOther({ id, isEpisode, superseded: now }: LocalRecord, superseded: Merged['superseded']): boolean {
  if (!isEpisode) return false
  const then = superseded.get(id)
  return now?.by !== then?.by || now?.at !== then?.at || now?.recordedAt !== then?.recordedAt
}

function isLive({ state }: Scan, id: string): boolean {
  const entry = state.entries.get(id)
  return entry !== undefined && !entry.isBuried
}

/** Whether a record that began at a time was unlearned since. */
function isUnlearned(birth: string, removal: Removal | undefined): boolean {
  return removal !== undefined && removal.stamp >= birth
}

type Version = Pick<ArrivedRecord, 'birth' | 'stamp'>

function isLater(a: Version, b: Version): boolean {
  return a.birth === b.birth ? a.stamp > b.stamp : a.birth > b.birth
}

/** The events that would put a goal below itself, in the order of all. */
function circular(
  items: readonly MergedItem[],
  aboutOf: (id: string) => Pick<LocalRecord, 'placed'> | undefined,
): string[] {
  const above = new Map<string, string>()
  const refused: string[] = []
  for (const { id } of items) {
    const placed = aboutOf(id)?.placed
    if (placed === undefined) continue
    const { goal, parent } = placed
    let at = parent ?? undefined
    while (at !== undefined && at !== goal) at = above.get(at)
    if (at !== undefined) refused.push(id)
    else if (parent === null) above.delete(goal)
    else above.set(goal, parent)
  }
  return refused
}

/**
 * What supersedes each episode: of several the one that was recorded first, as on one device, where the second would
 * have been refused. One that would close a circle does not count.
 */
function supersededOf(
  all: Iterable<Supersession>,
  live: ReadonlySet<string>,
): Map<string, NonNullable<Episode['superseded']>> {
  const order = ({ recordedAt, episode, by }: Supersession) => JSON.stringify([recordedAt, episode, by])
  const sorted = [...all].filter(({ episode, by }) => live.has(episode) && live.has(by))
  sorted.sort((a, b) => (order(a) < order(b) ? -1 : 1))
  const superseded = new Map<string, NonNullable<Episode['superseded']>>()
  for (const { episode, by, at, recordedAt } of sorted) {
    if (superseded.has(episode)) continue
    let next: string | undefined = by
    while (next !== undefined && next !== episode) next = superseded.get(next)?.by
    if (next === undefined) superseded.set(episode, { by, at, recordedAt })
  }
  return superseded
}
