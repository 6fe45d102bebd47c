import { AgidbError } from '../../base/errors.js'
import { checkAdded, checkMost, checkQuery } from '../checks.js'
import { type Batch, type Query, SIGNATURE_BYTES } from '../port.js'
import { scorer, wordsOf } from './arena.js'

/** Says what a batch means. */
export class ReferenceBatch implements Batch {
  private rows: Uint32Array[] | undefined = []
  private room = 0

  get bytes(): number {
    return (this.rows?.length ?? 0) * SIGNATURE_BYTES
  }

  begin(most: number): void {
    checkMost(most)
    this.live().length = 0
    this.room = most
  }

  add(bytes: Uint8Array, at = 0): void {
    const rows = this.live()
    checkAdded(bytes, at, rows.length < this.room)
    rows.push(wordsOf(bytes.subarray(at, at + SIGNATURE_BYTES)))
  }

  score(query: Query): Int32Array {
    checkQuery(query)
    return Int32Array.from(this.live(), scorer(query))
  }

  free(): void {
    this.rows = undefined
  }

  private live(): Uint32Array[] {
    if (this.rows === undefined) throw new AgidbError('AGIDB_CLOSED', 'this batch was freed; make a new one')
    return this.rows
  }
}
