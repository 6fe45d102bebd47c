import type { OpenedStorage } from '../../api/storage.js'
import type { DataKey } from './key-ring.js'
import type { RowVault } from './row-vault.js'
import { isSealed } from './sealed.js'
import { keysOf } from './sealer.js'

/** Rows that are looked at, and written anew in one commit. */
const ROWS_PER_COMMIT = 256

/**
 * Writes down in the ring that the keys of these rows are to go. From then on a crash leaves a ring that says what is
 * still to be done.
 */
export async function retireRows({ rows }: OpenedStorage, vault: RowVault, slots: readonly number[]): Promise<void> {
  const ring = vault.ring!
  const found = await rows.get(slots)
  ring.retire(found.flatMap((row) => (row !== undefined && isSealed(row) ? [keysOf(row)] : [])))
  await ring.save()
}

/**
 * Makes what was removed under keys that are to go unreadable: every live row under one of them is written with
 * another key, then they go from both copies of the ring.
 */
export async function finishErasure(opened: OpenedStorage, vault: RowVault): Promise<void> {
  const ring = vault.ring!
  if (ring.isRetiring) await renewRows(opened, vault)
  else if (ring.hasStaleCopy) await ring.overwriteStaleCopy()
}

async function renewRows(opened: OpenedStorage, vault: RowVault): Promise<void> {
  const ring = vault.ring!
  const keyFor: KeyFor = (row) => {
    if (!isSealed(row)) return undefined
    const numbers = keysOf(row)
    return ring.needsRenewal(numbers) ? ring.renewedKey(numbers) : undefined
  }
  for (const slots of batches(await opened.rows.slots())) await resealSome(opened, vault, slots, keyFor)
  await opened.flush()
  ring.dropRetiring()
  await ring.saveBoth()
  // It is encrypted with a key that is gone.
  await opened.maintenance?.repair(['image-damaged'])
}

/** Encrypts the rows that are not: those of before the memory was encrypted. Commits may go on meanwhile. */
export async function sealPlainRows(opened: OpenedStorage, vault: RowVault): Promise<void> {
  const keyFor: KeyFor = (row) => (isSealed(row) ? undefined : vault.keyOfPlain(row))
  for (const slots of batches(await opened.rows.slots()))
    await vault.exclusively(() => resealSome(opened, vault, slots, keyFor))
}

/** What a row is to be written anew with, if it is. */
type KeyFor = (row: Uint8Array) => DataKey | undefined

/** Writes those of the rows anew for which there is a key, in one commit. */
async function resealSome(
  { rows }: OpenedStorage,
  vault: RowVault,
  slots: readonly number[],
  keyFor: KeyFor,
): Promise<void> {
  const keys = new Map<number, DataKey>()
  const found = await rows.get(slots)
  found.forEach((row, i) => {
    const key = row && !vault.erased.has(slots[i]) ? keyFor(row) : undefined
    if (key !== undefined) keys.set(slots[i], key)
  })
  if (keys.size === 0) return
  const stored = await rows.read([...keys.keys()])
  const changes = vault.reseal(stored, keys)
  await vault.ring!.save()
  await rows.commit(changes)
}

function* batches(slots: readonly number[]): Generator<readonly number[]> {
  for (let from = 0; from < slots.length; from += ROWS_PER_COMMIT) yield slots.slice(from, from + ROWS_PER_COMMIT)
}
