import type { RecordChange } from '../../write/record-change.js'
import { erasureKind } from '../../records/kinds/erasure.js'
import type { Projection } from '../projection.js'

/** The id of the record. There is one at most. */
const ID = 'erasure'

/**
 * Whether bytes of records that were removed for good are still in the files. It is stored, so that after a crash the
 * next run overwrites them.
 */
export class ErasureDue implements Projection<true> {
  #slot: number | undefined
  readonly bytes = 0

  apply(_: true, slot: number): void {
    this.#slot = slot
  }

  retract(): void {}

  /** Where it is stored; `undefined` where nothing is due. */
  get slot(): number | undefined {
    return this.#slot
  }

  /** What is written with a removal. */
  begin(): RecordChange[] {
    return this.#slot === undefined ? [{ op: 'put', id: ID, row: erasureKind.encode(true) }] : []
  }

  /** What is written when the bytes are overwritten. */
  end(): RecordChange[] {
    return this.#slot === undefined ? [] : [{ op: 'remove', slot: this.#slot, id: ID }]
  }

  /** Says that {@link end} is durable. */
  ended(): void {
    this.#slot = undefined
  }
}
