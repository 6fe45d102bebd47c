import type { OpenedStore } from './opened-store.js'
import type { PackedSignatures, SignatureKind, StorageChange, Signatures, StoredEpisode } from '../../api/storage.js'

/** An episode as the contract compares it. */
export interface Kept {
  readonly id: string
  readonly row: Uint8Array
  readonly text?: Uint8Array
  readonly structured?: Uint8Array
  readonly latent?: Uint8Array
  readonly sentence?: Uint8Array
  /** Of the signatures of text and structure. */
  readonly encoder?: number
}

/** Bytes that depend on `seed` alone and do not compress. */
export function noise(seed: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let state = (seed ^ 0x9e3779b9) >>> 0 || 1
  for (let index = 0; index < length; index++) {
    // xorshift32 (Marsaglia 2003)
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    bytes[index] = state >>> 8
  }
  return bytes
}

export function put(slot: number, rowBytes = 40, seed = slot): StorageChange & { op: 'put' } {
  const signatures =
    seed % 3 === 0
      ? { text: noise(seed + 7, 1024) }
      : { text: noise(seed + 7, 1024), structured: noise(seed + 9, 1024) }
  return { op: 'put', slot, id: `ep_${slot}`, row: noise(seed, rowBytes), signatures }
}

export function puts(from: number, count: number, rowBytes = 40): (StorageChange & { op: 'put' })[] {
  return Array.from({ length: count }, (_, index) => put(from + index, rowBytes))
}

export function sign(slot: number, signatures: Signatures, encoder?: number): StorageChange & { op: 'setSignatures' } {
  return { op: 'setSignatures', slot, id: `ep_${slot}`, signatures, ...(encoder !== undefined && { encoder }) }
}

/** Applies a commit to a model of the store. */
export function applyTo(model: Map<number, Kept>, changes: readonly StorageChange[]): void {
  for (const change of changes) {
    if (change.op === 'remove') model.delete(change.slot)
    else if (change.op === 'update') model.set(change.slot, { ...model.get(change.slot)!, row: change.row })
    else {
      const { slot, id, signatures, encoder = 0 } = change
      const before = change.op === 'put' ? { id, row: change.row } : model.get(slot)!
      const isEncoded = signatures.text !== undefined || signatures.structured !== undefined
      model.set(slot, { ...before, ...signatures, ...(isEncoded && { encoder }) })
    }
  }
}

/** What a commit of only these changes leaves. */
export function modelOf(...commits: (readonly StorageChange[])[]): Map<number, Kept> {
  const model = new Map<number, Kept>()
  for (const commit of commits) applyTo(model, commit)
  return model
}

/** Opens a storage, copying what it visits, in the order of the visits. */
export async function openInto(
  storage: OpenedStore,
): Promise<{ databaseId: string; nextSlot: number; kept: Map<number, Kept> }> {
  const kept = new Map<number, Kept>()
  let last = -1
  const opened = await storage.open((episode) => {
    const { slot } = episode
    if (slot <= last) throw new Error(`slot ${slot} was visited after slot ${last}`)
    last = slot
    kept.set(slot, copyOf(episode))
  })
  return { ...opened, kept }
}

/** What a visit handed over, in arrays of its own. */
export function copyOf({ id, row, signatures, encoder }: StoredEpisode): Kept {
  const copies: [string, Uint8Array][] = Object.entries(signatures).map(([kind, bytes]) => [kind, bytes!.slice()])
  return { id, row: row.slice(), ...Object.fromEntries(copies), encoder }
}

/** Packed signatures as the contract compares them, in arrays of their own. */
export function unpacked(packed: PackedSignatures): Kept {
  const present = KINDS.filter((kind) => packed.start(kind) >= 0)
  const copies = present.map((kind): [string, Uint8Array] => {
    const start = packed.start(kind)
    return [kind, packed.bytes.slice(start, start + packed.length(kind))]
  })
  return { id: '', row: new Uint8Array(0), ...Object.fromEntries(copies), encoder: packed.encoder }
}

const KINDS: readonly SignatureKind[] = ['text', 'structured', 'latent', 'sentence']

/** A model in a form that compares and prints: slots ascending, names sorted. */
export function listed(model: ReadonlyMap<number, Kept>): unknown[] {
  return [...model]
    .sort(([a], [b]) => a - b)
    .map(([slot, { id, row, text, structured, latent, sentence, encoder }]) => [
      slot,
      id,
      row,
      ...[text, structured, latent, sentence, encoder].map((part) => part ?? null),
    ])
}
