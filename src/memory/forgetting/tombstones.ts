import { least } from '../../base/extremes.js'
import { HEAP, namedBytes } from '../../base/heap-size.js'
import { enter, leave } from '../../base/set-map.js'
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
  /** Slots by the audits of their unlearnings. */
  readonly #slots = new Map<string, Set<number>>()
  /** When the first window ends, epoch milliseconds; absent since the unlearning of which it was may be gone. */
  #firstExpiry: number | undefined
  /** Audits that came since it was worked out. */
  readonly #added = new Set<string>()

  get size(): number {
    return this.#bySlot.size
  }

  /** Bytes of memory, about. */
  get bytes(): number {
    const each = HEAP.entry + HEAP.object + 4 * HEAP.field + HEAP.name
    return this.#bySlot.size * each + namedBytes(this.#slots)
  }

  apply({ audit, row }: Tombstone, slot: number): void {
    const id = idOf(row)
    const isEpisode = RECORD_KINDS.find(row)?.tag === 'text'
    this.remove(slot)
    this.#bySlot.set(slot, { slot, id, audit, isEpisode })
    enter(this.#slots, audit, slot)
    this.#added.add(audit)
  }

  /** A projection by slots: {@link remove} is called with the slots that are retracted. */
  retract(): void {}

  /** Says that the record in a slot was restored, or erased. */
  remove(slot: number): void {
    const audit = this.#bySlot.get(slot)?.audit
    if (audit === undefined) return
    this.#bySlot.delete(slot)
    leave(this.#slots, audit, slot)
    if (!this.#slots.has(audit)) this.#firstExpiry = undefined
  }

  /** When the first window ends, epoch milliseconds; `Infinity` where nothing can be restored. */
  firstExpiry(audits: Audits): number {
    // It is asked for after each commit: what came since is all that is looked at, if nothing went.
    const asked = this.#firstExpiry === undefined ? this.#slots.keys() : this.#added
    const expiries = Array.from(asked, (audit) => {
      const found = audits.find(audit)
      return found === undefined ? -Infinity : Date.parse(found.event.tombstoneExpiry)
    })
    this.#added.clear()
    this.#firstExpiry = Math.min(this.#firstExpiry ?? Infinity, least(expiries))
    return this.#firstExpiry
  }

  /** The forgotten record in a slot. */
  at(slot: number): Buried | undefined {
    return this.#bySlot.get(slot)
  }

  /** What an unlearning forgot, by ascending slot. */
  of(audit: string): Buried[] {
    return [...(this.#slots.get(audit) ?? [])].sort((a, b) => a - b).map((slot) => this.#bySlot.get(slot)!)
  }

  /** Whether anything is left of what an unlearning forgot. */
  has(audit: string): boolean {
    return this.#slots.has(audit)
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
