import type { Hypervector } from '../../kernel/port.js'
import type { DocumentContext } from './context.js'

/** An entry with its text signature. */
export interface SignedEntry {
  readonly slot: number
  readonly signature: Hypervector
}

/** Those of some entries that have a signature at hand, with it; see `Arena.bring`. */
export function signedEntries({ indexes: { text } }: DocumentContext, slots: readonly number[]): SignedEntry[] {
  return slots.flatMap((slot) => {
    const signature = text.get(slot)
    return signature === undefined ? [] : [{ slot, signature }]
  })
}
