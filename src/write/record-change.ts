/** A row of another floor than the third: a learning event, a sensory frame. */
export type RecordChange =
  | { readonly op: 'put'; readonly id: string; readonly row: Uint8Array; readonly signature?: Uint8Array }
  | { readonly op: 'update'; readonly slot: number; readonly id: string; readonly row: Uint8Array }
  | { readonly op: 'remove'; readonly slot: number; readonly id: string }
