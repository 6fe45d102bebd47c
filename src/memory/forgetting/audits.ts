import type { AuditId, UnlearnRecord, UnlearnState } from '../../api/forgetting.js'
import type { LearningEvent } from '../../api/learning.js'
import { HEAP } from '../../base/heap-size.js'
import { ofEvents, type Projection, type Service } from '../projection.js'

/** An unlearning, and that it was taken back. */
interface Audit {
  readonly event: LearningEvent<'unlearned'>
  restored: boolean
}

/** The unlearnings that there ever were: a fold over their events, which are permanent. */
export class Audits implements Projection, Service {
  readonly projections = [ofEvents(this)]
  readonly #audits = new Map<AuditId, Audit>()

  /** Bytes of memory beside those of the events, about. */
  get bytes(): number {
    return this.#audits.size * (HEAP.entry + HEAP.object + 2 * HEAP.field)
  }

  apply(event: LearningEvent): void {
    if (event.kind === 'unlearned') this.#audits.set(event.audit, { event, restored: false })
    const audit = event.kind === 'restored' ? this.#audits.get(event.audit) : undefined
    if (audit !== undefined) audit.restored = true
  }

  retract(events: readonly LearningEvent[]): void {
    for (const event of events) {
      if (event.kind === 'unlearned') this.#audits.delete(event.audit)
      const audit = event.kind === 'restored' ? this.#audits.get(event.audit) : undefined
      if (audit !== undefined) audit.restored = false
    }
  }

  find(id: AuditId): Readonly<Audit> | undefined {
    return this.#audits.get(id)
  }

  /** All, in their order. */
  all(): Readonly<Audit>[] {
    return [...this.#audits.values()]
  }

  /** How many sensory frames are forgotten for now or for good, and how many had been seen when the last was. */
  get frames(): { readonly removed: number; readonly seen: number } {
    let [removed, seen] = [0, 0]
    for (const { event, restored } of this.#audits.values()) {
      if (!restored) removed += event.framesRemoved
      seen = Math.max(seen, event.framesSeen ?? 0)
    }
    return { removed, seen }
  }
}

/** An unlearning as it is shown. */
export function recordOf({ event }: Readonly<Audit>, state: UnlearnState): UnlearnRecord {
  const { audit: auditId, id: _, kind: __, framesSeen: ___, ...rest } = event
  return { auditId, ...rest, state }
}
