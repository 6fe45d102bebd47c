import { encodeUtf8 } from '../../../base/utf8.js'
import type { StorageChange, StoredEpisode } from '../../../api/storage.js'
import { arrayOf, arrayOfBytes, arrayOfTexts } from './arrays.js'

/** What a commit does to one slot. */
interface SlotChange {
  readonly slot: number
  isRemoved: boolean
  /** Present with a put. */
  id?: Uint8Array
  /** Present where it changes. */
  row?: Uint8Array
  /** Present where it changes. */
  encoder?: number
  isSigned: boolean
  readonly signatures: Map<string, Uint8Array>
}

/**
 * A commit as arrays for the server: slots, which are removed, ids, rows, encoders, which are signed; then the slots,
 * the kinds and the bytes of signatures. Each slot is there once: one statement may change a row of a table only once.
 */
export function slotChanges(changes: readonly StorageChange[]): string[] {
  const slots = bySlot(changes)
  const signed = slots.flatMap(({ slot, isRemoved, signatures }) =>
    isRemoved ? [] : Array.from(signatures, ([kind, bytes]) => ({ slot, kind, bytes })),
  )
  return [
    arrayOf(slots.map(({ slot }) => slot)),
    arrayOf(slots.map(({ isRemoved }) => isRemoved)),
    arrayOfBytes(slots.map(({ id }) => id)),
    arrayOfBytes(slots.map(({ row }) => row)),
    arrayOf(slots.map(({ encoder = null }) => encoder)),
    arrayOf(slots.map(({ isSigned }) => isSigned)),
    arrayOf(signed.map(({ slot }) => slot)),
    arrayOfTexts(signed.map(({ kind }) => kind)),
    arrayOfBytes(signed.map(({ bytes }) => bytes)),
  ]
}

/** What a commit does to each slot in the end. */
function bySlot(changes: readonly StorageChange[]): SlotChange[] {
  const found = new Map<number, SlotChange>()
  for (const change of changes) {
    const { slot } = change
    const before = found.get(slot)
    const after: SlotChange = before ?? { slot, isRemoved: false, isSigned: false, signatures: new Map() }
    found.set(slot, after)
    if (change.op === 'remove') after.isRemoved = true
    if (change.op === 'put') after.id = encodeUtf8(change.id)
    if (change.op === 'put' || change.op === 'update') after.row = change.row
    if (change.op === 'put' || change.op === 'setSignatures') {
      const { signatures, encoder = 0 } = change
      for (const [kind, bytes] of Object.entries(signatures)) after.signatures.set(kind, bytes!)
      after.isSigned = true
      // The version of the encoder counts for text and structured signatures alone.
      if (signatures.text !== undefined || signatures.structured !== undefined) after.encoder = encoder
    }
  }
  return [...found.values()]
}

/** Episodes as changes of slots that are free. */
export function asPuts(episodes: readonly StoredEpisode[]): StorageChange[] {
  return episodes.map((episode) => ({ op: 'put', ...episode }))
}
