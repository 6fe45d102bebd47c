import { syncStateKind } from '../records/kinds/sync-state.js'
import { type Projection, projectionOf, type Service } from './projection.js'

/** Where the state of the exchange with other devices is stored; what it says is read when something is exchanged. */
export class ExchangeRows implements Projection<unknown>, Service {
  readonly projections = [projectionOf(syncStateKind, this)]
  readonly slots = new Set<number>()
  readonly bytes = 0

  apply(_: unknown, slot: number): void {
    this.slots.add(slot)
  }

  retract(): void {}
}
