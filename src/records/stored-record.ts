/** A stored row of any kind but an episode: a learning event, a sensory frame, an idempotency receipt. */
export interface StoredRecord {
  readonly slot: number
  readonly id: string
  readonly row: Uint8Array
  readonly signature?: Uint8Array
}
