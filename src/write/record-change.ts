import type { EncodedSignatures } from '../api/storage.js'

/** A change of a row that no observation makes: of a learning event, a sensory frame, an episode that is read again. */
export type RecordChange =
  | { readonly op: 'put'; readonly id: string; readonly row: Uint8Array; readonly signature?: Uint8Array }
  | { readonly op: 'update'; readonly slot: number; readonly id: string; readonly row: Uint8Array }
  | { readonly op: 'remove'; readonly slot: number; readonly id: string }
  | ({ readonly op: 'setSignatures'; readonly slot: number; readonly id: string } & EncodedSignatures)
