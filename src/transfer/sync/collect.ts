import type { Changes } from '../../api/sync.js'
import type { StoredEpisode } from '../../api/storage.js'
import type { RecordKinds } from '../../records/record-kind.js'
import { deviceOf } from './clock.js'
import type { Scan } from './scan.js'
import { sharedRecord } from './shared.js'
import { isReceived, type Removal, type Supersession } from './state.js'
import { encodeChanges, PERCEIVED, type WireRecord } from './wire.js'

/** Bytes of a change beside its row, about. */
const BESIDE = 256
/** Rows that are read at a time. */
const ROWS_PER_BATCH = 256

/** Something that changed. */
type Change =
  | (Removal & { readonly kind: 'record'; readonly id: string; readonly slot: number })
  | (Removal & { readonly kind: 'supersession'; readonly supersession: Supersession })
  | (Removal & { readonly kind: 'removal'; readonly hash: string })

/**
 * The changes that a memory with a vector has not received, in the order of their stamps: those of one device come in
 * the order of their numbers, so that a part of them has a vector, too.
 */
export async function collect(
  { state, records, zombies }: Scan,
  since: Readonly<Record<string, number>>,
  maxBytes: number,
  kinds: RecordKinds,
  read: (slots: readonly number[]) => Promise<StoredEpisode[]>,
): Promise<Changes> {
  const missing: Change[] = []
  for (const [id, { stamp, counter, isBuried }] of state.entries)
    if (!isBuried && !zombies.has(id)) missing.push({ kind: 'record', id, slot: records.get(id)!.slot, stamp, counter })
  for (const supersession of state.supersessions.values()) {
    const { stamp, counter } = supersession
    missing.push({ kind: 'supersession', supersession, stamp, counter })
  }
  for (const [hash, { stamp, counter }] of state.removals) missing.push({ kind: 'removal', hash, stamp, counter })
  const due = missing.filter((change) => !isReceived(change, since)).sort((a, b) => (a.stamp < b.stamp ? -1 : 1))
  let bytes = 0
  let taken = 0
  const rows: WireRecord[] = []
  while (taken < due.length && (taken === 0 || bytes < maxBytes)) {
    const some = due.slice(taken, taken + ROWS_PER_BATCH)
    const slots = some.flatMap((change) => (change.kind === 'record' ? [change.slot] : []))
    const stored = new Map((await read(slots)).map((one) => [one.slot, one]))
    for (const change of some) {
      if (taken > 0 && bytes >= maxBytes) break
      taken++
      bytes += BESIDE
      if (change.kind !== 'record') continue
      const row = wireRecord(change, stored.get(change.slot)!, state.entries.get(change.id)!, kinds)
      rows.push(row)
      bytes += row.row.length
    }
  }
  const sent = due.slice(0, taken)
  const vector = vectorWithout(state.vector, due.slice(taken), since)
  const changes = {
    device: state.device,
    since,
    vector,
    records: rows,
    supersessions: sent.flatMap((change) => (change.kind === 'supersession' ? [change.supersession] : [])),
    removals: sent.flatMap((change) =>
      change.kind === 'removal' ? [{ hash: change.hash, stamp: change.stamp, counter: change.counter }] : [],
    ),
  }
  return {
    device: state.device,
    vector,
    count: taken,
    more: taken < due.length,
    bytes: encodeChanges(changes),
  }
}

function wireRecord(
  { id }: { readonly id: string },
  { row, signatures }: StoredEpisode,
  { place, birth, stamp, counter }: Pick<WireRecord, 'place' | 'birth' | 'stamp' | 'counter'>,
  kinds: RecordKinds,
): WireRecord {
  const perceived = Object.fromEntries(
    PERCEIVED.flatMap((kind) => (signatures[kind] === undefined ? [] : [[kind, signatures[kind]]])),
  )
  return { id, place, birth, stamp, counter, row: sharedRecord(row, kinds)!.row, perceived }
}

/** The version vector of a device that had `since` and receives all records but `left`. */
function vectorWithout(
  all: Readonly<Record<string, number>>,
  left: readonly Change[],
  since: Readonly<Record<string, number>>,
): Record<string, number> {
  const vector = { ...all }
  for (const { stamp, counter } of left) {
    const device = deviceOf(stamp)
    vector[device] = Math.min(vector[device], counter - 1)
  }
  for (const [device, count] of Object.entries(vector)) if (count < 1) delete vector[device]
  for (const [device, count] of Object.entries(since)) vector[device] = Math.max(vector[device] ?? 0, count)
  return vector
}
