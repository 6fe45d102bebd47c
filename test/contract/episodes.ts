import type { Change, Storage } from '../../src/storage/port.js'

/** An episode as the contract compares it. */
export interface Kept {
  readonly id: string
  readonly row: Uint8Array
  readonly text?: Uint8Array
  readonly structured?: Uint8Array
  readonly latent?: Uint8Array
  readonly sentence?: Uint8Array
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

export function put(slot: number, rowBytes = 40, seed = slot): Change & { op: 'put' } {
  const signatures = seed % 3 === 0 ? { text: noise(seed + 7, 1024) } : { text: noise(seed + 7, 1024), structured: noise(seed + 9, 1024) }
  return { op: 'put', slot, id: `ep_${slot}`, row: noise(seed, rowBytes), signatures }
}

export function puts(from: number, count: number, rowBytes = 40): (Change & { op: 'put' })[] {
  return Array.from({ length: count }, (_, index) => put(from + index, rowBytes))
}

/** Applies a commit to a model of the store. */
export function applyTo(model: Map<number, Kept>, changes: readonly Change[]): void {
  for (const change of changes) {
    if (change.op === 'remove') model.delete(change.slot)
    else if (change.op === 'update') model.set(change.slot, { ...model.get(change.slot)!, row: change.row })
    else if (change.op === 'sign') model.set(change.slot, { ...model.get(change.slot)!, ...change.signatures })
    else model.set(change.slot, { id: change.id, row: change.row, ...change.signatures })
  }
}

/** What a commit of only these changes leaves. */
export function modelOf(...commits: (readonly Change[])[]): Map<number, Kept> {
  const model = new Map<number, Kept>()
  for (const commit of commits) applyTo(model, commit)
  return model
}

/** Opens a storage, copying what it visits, in the order of the visits. */
export async function openInto(storage: Storage): Promise<{ databaseId: string; nextSlot: number; kept: Map<number, Kept> }> {
  const kept = new Map<number, Kept>()
  let last = -1
  const opened = await storage.open(({ slot, id, row, signatures }) => {
    if (slot <= last) throw new Error(`slot ${slot} was visited after slot ${last}`)
    last = slot
    const copies: [string, Uint8Array][] = Object.entries(signatures).map(([kind, bytes]) => [kind, bytes.slice()])
    kept.set(slot, { id, row: row.slice(), ...Object.fromEntries(copies) })
  })
  return { ...opened, kept }
}

/** A model in a form that compares and prints: slots ascending, names sorted. */
export function listed(model: ReadonlyMap<number, Kept>): unknown[] {
  return [...model]
    .sort(([a], [b]) => a - b)
    .map(([slot, { id, row, text, structured, latent, sentence }]) => [slot, id, row, ...[text, structured, latent, sentence].map((bytes) => bytes ?? null)])
}
