import { HEAP } from '../../base/heap-size.js'
import { decodeEpisode } from '../../records/kinds/episode.js'
import { learningEventKind } from '../../records/kinds/learning-event.js'
import { sensoryFrameKind } from '../../records/kinds/sensory-frame.js'
import type { Tombstone } from '../../records/kinds/tombstone.js'
import { versionKind } from '../../records/kinds/version.js'
import { RECORD_KINDS } from '../../records/registry.js'
import type { Projection } from '../projection.js'
import type { Audits } from './audits.js'

/** Where a forgotten record stands, and whose it is. */
export interface Buried {
  readonly slot: number
  /** The id under which the record is stored. */
  readonly id: string
  readonly audit: string
  readonly isEpisode: boolean
}

/** The forgotten records that can be restored. Their rows stay in the storage. */
export class Tombstones implements Projection<Tombstone> {
  readonly #bySlot = new Map<number, Buried>()
  /** Worked out when asked for; epoch milliseconds. */
  #firstExpiry: number | undefined

  get size(): number {
    return this.#bySlot.size
  }

  /** Bytes of memory, about. */
  get bytes(): number {
    return this.#bySlot.size * (HEAP.entry + HEAP.object + 4 * HEAP.field + HEAP.name)
  }

  apply({ audit, row }: Tombstone, slot: number): void {
    const id = idOf(row)
    const isEpisode = RECORD_KINDS.find(row)?.tag === 'text'
    this.#firstExpiry = undefined
    this.#bySlot.set(slot, { slot, id, audit, isEpisode })
  }

  /** A projection by slots: {@link remove} is called with the slots that are retracted. */
  retract(): void {}

  /** Says that the record in a slot was restored, or erased. */
  remove(slot: number): void {
    this.#firstExpiry = undefined
    this.#bySlot.delete(slot)
  }

  /** When the first window ends, epoch milliseconds; `Infinity` where nothing can be restored. */
  firstExpiry(audits: Audits): number {
    this.#firstExpiry ??= Math.min(
      Infinity,
      ...[...new Set(Array.from(this.#bySlot.values(), ({ audit }) => audit))].map((audit) => {
        const found = audits.find(audit)
        return found === undefined ? -Infinity : Date.parse(found.event.tombstoneExpiry)
      }),
    )
    return this.#firstExpiry
  }

  /** The forgotten record in a slot. */
  at(slot: number): Buried | undefined {
    return this.#bySlot.get(slot)
  }

  /** What an unlearning forgot, by ascending slot. */
  of(audit: string): Buried[] {
    return this.all().filter((one) => one.audit === audit)
  }

  /** All, by ascending slot. */
  all(): Buried[] {
    return [...this.#bySlot.values()].sort((a, b) => a.slot - b.slot)
  }
}

/** The id under which a row is stored. */
export function idOf(row: Uint8Array): string {
  const kind = RECORD_KINDS.of(row)
  if (kind === sensoryFrameKind) return sensoryFrameKind.decode(row).frame.id
  if (kind === versionKind) return versionKind.decode(row).id
  return kind === learningEventKind ? learningEventKind.decode(row).id : decodeEpisode(row).id
}
