import type { StoredEpisode } from '../api/storage.js'
import { ENCODER_VERSION } from '../encoding/encoder.js'
import type { Indexes } from '../indexes/indexes.js'
import type { ChangedEpisode } from '../memory/projection.js'
import { decodeEpisode, episodeKind } from '../records/kinds/episode.js'
import { tombstoneKind } from '../records/kinds/tombstone.js'
import type { RecordKinds } from '../records/record-kind.js'
import { countThrough } from '../transfer/export.js'
import { isOther, type Merged, type MergedItem } from '../transfer/sync/merge.js'
import type { Scan } from '../transfer/sync/scan.js'
import { withSupersession } from '../transfer/sync/shared.js'
import type { ArrivedRecord } from '../transfer/sync/wire.js'

/** What is to stand in each slot: a record that is exchanged, or, by its old slot, a row that is not. */
type Order = readonly (MergedItem | number)[]

/**
 * The order in which the rows of a memory are to stand, from slot 0 on: what is exchanged as all devices have it, and
 * what is not exchanged behind what it stood behind.
 *
 * @param slots those of all that is stored.
 * @param ownerOf the slot of the episode with which a picture or sound is kept, by the slot of a piece of it.
 */
export function orderOf(
  slots: readonly number[],
  ownerOf: (slot: number) => number | undefined,
  { buried, stateRows }: Pick<Scan, 'buried' | 'stateRows'>,
  { items, removed }: Pick<Merged, 'items' | 'removed'>,
): Order {
  const placed = new Set(items.flatMap(({ slot }) => slot ?? []))
  const left = new Set([...removed, ...stateRows].map(({ slot }) => slot))
  // What came back from another device needs no tombstone.
  for (const { id, slot } of items) if (slot === undefined && buried.has(id)) left.add(buried.get(id)!)
  const behind = new Map<number, number[]>()
  let last = -1
  for (const slot of [...slots].sort((a, b) => a - b)) {
    if (placed.has(slot)) last = slot
    // What was kept with an episode goes with it, and stands right behind it as before.
    else if (!left.has(slot) && !left.has(ownerOf(slot) ?? -1)) {
      const others = behind.get(last)
      if (others === undefined) behind.set(last, [slot])
      else others.push(slot)
    }
  }
  const order: (MergedItem | number)[] = [...(behind.get(-1) ?? [])]
  for (const item of items) order.push(item, ...(item.slot === undefined ? [] : (behind.get(item.slot) ?? [])))
  return order
}

/** The rows of a memory to which changes were applied, with their new slots. */
export class MergedRows {
  readonly #order: Order
  readonly #stored: ReadonlyMap<number, StoredEpisode>
  readonly #scanned: Pick<Scan, 'records'>
  readonly #superseded: Merged['superseded']
  readonly #indexes: Indexes
  readonly #kinds: RecordKinds
  /** Old slots, ascending, and the new slot of each. */
  readonly #moves: readonly (readonly [old: number, slot: number])[]
  readonly #olds: readonly number[]

  /** @param stored what is stored, by slot. */
  constructor(
    order: Order,
    stored: ReadonlyMap<number, StoredEpisode>,
    scanned: Pick<Scan, 'records'>,
    { superseded }: Pick<Merged, 'superseded'>,
    indexes: Indexes,
    kinds: RecordKinds,
  ) {
    this.#order = order
    this.#stored = stored
    this.#scanned = scanned
    this.#superseded = superseded
    this.#indexes = indexes
    this.#kinds = kinds
    const moves = order.flatMap((one, slot): [number, number][] => {
      const old = oldSlot(one)
      return old === undefined ? [] : [[old, slot]]
    })
    this.#moves = moves.sort(([a], [b]) => a - b)
    this.#olds = this.#moves.map(([old]) => old)
  }

  /** @param changed gets the episodes that came, or that say something else. */
  *all(changed: ChangedEpisode[]): Generator<StoredEpisode> {
    for (const [slot, one] of this.#order.entries()) {
      const old = oldSlot(one)
      const before = old === undefined ? undefined : this.#stored.get(old)!
      if (typeof one !== 'number' && one.arrived !== undefined) {
        if (one.arrived.record.isEpisode) changed.push(changeOf(one.id, slot, before))
        yield this.#arrived(slot, one.arrived)
      } else if (typeof one !== 'number' && this.#isOther(one)) {
        changed.push({ id: one.id, slot, live: true, updated: true })
        const row = withSupersession(before!.row, this.#superseded.get(one.id))
        yield this.#signed({ ...before!, slot, row })
      } else yield this.#kept(slot, before!)
    }
  }

  /** A record that came. */
  #arrived(slot: number, { id, row, perceived, record }: ArrivedRecord): StoredEpisode {
    if (!record.isEpisode) return { slot, id, row, signatures: {} }
    return this.#signed({ slot, id, row: withSupersession(row, this.#superseded.get(id)), signatures: perceived })
  }

  /** Whether an episode that is here is superseded otherwise than its row says. */
  #isOther({ id, slot }: MergedItem): boolean {
    const record = this.#scanned.records.get(id)
    return record !== undefined && record.slot === slot && isOther(record, this.#superseded)
  }

  /** A row that stays what it is. */
  #kept(slot: number, stored: StoredEpisode): StoredEpisode {
    const { row } = stored
    const kind = this.#kinds.find(row)
    if (kind?.tag === tombstoneKind.tag) return { ...stored, slot, row: this.#movedTombstone(row) }
    const moved = { ...stored, slot, row: kind?.moved?.(row, (old) => this.#slotOf(old) ?? -1) ?? row }
    return kind?.tag === episodeKind.tag ? this.#signed(moved) : moved
  }

  #movedTombstone(row: Uint8Array): Uint8Array {
    const tombstone = tombstoneKind.decode(row)
    const supersedes = tombstone.supersedes.flatMap((one) => {
      const [old, slot] = this.#moves[countThrough(this.#olds, one.slot) - 1] ?? []
      return old === one.slot && slot !== undefined ? [{ ...one, slot }] : []
    })
    return tombstoneKind.encode({ ...tombstone, supersedes })
  }

  /** The new slot of an old one or, where that is gone, of the last before it; `undefined` for none. */
  #slotOf(old: number): number | undefined {
    return this.#moves[countThrough(this.#olds, old) - 1]?.[1]
  }

  /** An episode with the signatures of this version. */
  #signed(stored: StoredEpisode): StoredEpisode {
    if (stored.encoder === ENCODER_VERSION) return stored
    const { signatures, encoder } = this.#indexes.encode(decodeEpisode(stored.row))
    return { ...stored, encoder, signatures: { ...stored.signatures, ...signatures } }
  }
}

function oldSlot(one: MergedItem | number): number | undefined {
  return typeof one === 'number' ? one : one.slot
}

function changeOf(id: string, slot: number, before: StoredEpisode | undefined): ChangedEpisode {
  if (before === undefined) return { id, slot, live: true }
  return { id, slot, live: true, updated: true, before: decodeEpisode(before.row) }
}
