import { encodeUtf8 } from '../../../base/utf8.js'
import type { StorageChange, StoredEpisode } from '../../../api/storage.js'
import { toHex } from './bytea.js'

/** What a commit does to one slot, as JSON for the server. Bytes are hexadecimal digits. */
interface SlotChange {
  readonly slot: number
  isRemoved: boolean
  /** Present with a put. */
  id?: string
  /** Present where it changes. */
  row?: string
  /** Present where it changes. */
  encoder?: number
  readonly signatures: Record<string, string>
}

/** What a commit does to each slot in the end: one statement may change a row of a table only once. */
export function slotChanges(changes: readonly StorageChange[]): SlotChange[] {
  const bySlot = new Map<number, SlotChange>()
  for (const change of changes) {
    const { slot } = change
    const before = bySlot.get(slot)
    const after: SlotChange = before ?? { slot, isRemoved: false, signatures: Object.create(null) }
    bySlot.set(slot, after)
    if (change.op === 'remove') after.isRemoved = true
    if (change.op === 'put') after.id = toHex(encodeUtf8(change.id))
    if (change.op === 'put' || change.op === 'update') after.row = toHex(change.row)
    if (change.op === 'put' || change.op === 'setSignatures') {
      const { signatures, encoder = 0 } = change
      for (const [kind, bytes] of Object.entries(signatures)) after.signatures[kind] = toHex(bytes!)
      // The version of the encoder counts for text and structured signatures alone.
      if (signatures.text !== undefined || signatures.structured !== undefined) after.encoder = encoder
    }
  }
  return [...bySlot.values()]
}

/** Episodes as changes of slots that are free. */
export function asPuts(episodes: readonly StoredEpisode[]): StorageChange[] {
  return episodes.map((episode) => ({ op: 'put', ...episode }))
}
