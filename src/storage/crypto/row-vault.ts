import { SerialQueue } from '../../base/serial-queue.js'
import type { EncodedSignatures, RowStore, Signatures, StorageChange, StoredEpisode } from '../../api/storage.js'
import { AgidbError } from '../../base/errors.js'
import type { Cipher } from './cipher.js'
import { damagedRow, keysMissing } from './failures.js'
import type { DataKey, KeyRing } from './key-ring.js'
import { isSealed } from './sealed.js'
import { SealedSpace } from './sealed-space.js'
import { keysOf, Sealer } from './sealer.js'

/**
 * The units of a row that came without them.
 *
 * @param together units by the ids of the rows of the same commit, which are not yet indexed.
 */
export type UnitsOf = (row: Uint8Array, together: ReadonlyMap<string, readonly string[]>) => readonly string[]

/** A change that brings a row. */
type RowChange = Extract<StorageChange, { readonly row: Uint8Array }>

/** Encrypts rows on their way into a storage, and decrypts them on their way out. Without a ring it lets them pass. */
export class RowVault {
  readonly ring: KeyRing | undefined
  /** Slots with rows of which a key was dropped. They count as removed. */
  readonly erased = new Set<number>()
  readonly #sealer: Sealer | undefined
  readonly #unitsOf: UnitsOf
  readonly #space = new SealedSpace()
  /** Whether the keys of what is being replaced stay. */
  keepsKeys = false
  readonly #queue = new SerialQueue()

  constructor(ring: KeyRing | undefined, { cipher, unitsOf }: { readonly cipher: Cipher; readonly unitsOf: UnitsOf }) {
    this.ring = ring
    this.#sealer = ring && new Sealer(ring, cipher)
    this.#unitsOf = unitsOf
  }

  /** Runs work during which no other changes rows: what is read and written anew may not change in between. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(work)
  }

  /**
   * The changes as they are to be stored. Keys that they need and that were not there are in the file of the ring when
   * it resolves. The arrays are valid until the next call.
   */
  async seal(changes: readonly StorageChange[], rows: RowStore): Promise<StorageChange[]> {
    this.#space.reuse()
    const before = await this.#storedKeys(changes, rows)
    const keys = this.#keysAfter(changes, before)
    const sealed = changes.map((change): StorageChange => {
      const { op, slot } = change
      const [id, key] = [opaque(slot), keys.get(slot)]
      if (op === 'remove') return { op, slot, id }
      if (op === 'setSignatures') return { op, slot, id, ...this.#sealSignatures(key, change) }
      const row = this.#sealer!.sealRow(key!, change.id, change.row, this.#space)
      return op === 'put' ? { op, slot, id, row, ...this.#sealSignatures(key, change) } : { op, slot, id, row }
    })
    const isGone = new Set(changes.flatMap(({ op, slot }) => (op === 'put' || op === 'remove' ? [slot] : [])))
    const moved = changes.filter(
      ({ op, slot }) => op === 'update' && !isGone.has(slot) && keys.get(slot) !== before.get(slot),
    )
    const signed =
      moved.length === 0
        ? []
        : await this.#signedAnew(
            moved.map(({ slot }) => slot),
            keys,
            sealed,
            rows,
          )
    await this.ring!.save()
    return [...sealed, ...signed]
  }

  /**
   * Episodes that take the place of all that is stored. `used` is given the numbers of the keys. The arrays are valid
   * until the next call.
   */
  async sealAll(episodes: readonly StoredEpisode[], used: Set<number>): Promise<StoredEpisode[]> {
    this.#space.reuse()
    const together = new Map<string, readonly string[]>()
    const sealed = episodes.map((episode): StoredEpisode => {
      const { slot, id, row } = episode
      const key = this.#keyFor(episode, together)
      for (const number of key.numbers) used.add(number)
      const signed = this.#sealSignatures(key, episode)
      return { slot, id: opaque(slot), row: this.#sealer!.sealRow(key, id, row, this.#space), ...signed }
    })
    await this.ring!.save()
    return sealed
  }

  /** Drops all keys but these, and that of the checkpoints. */
  async dropAllBut(used: ReadonlySet<number>): Promise<void> {
    this.erased.clear()
    this.ring!.dropAllBut(used)
    await this.ring!.saveBoth()
  }

  /** Rows and their signatures under other keys, by slot. The arrays are valid until the next call. */
  reseal(episodes: readonly StoredEpisode[], keys: ReadonlyMap<number, DataKey>): StorageChange[] {
    this.#space.reuse()
    return episodes.flatMap((episode) => this.#reseal(episode, keys.get(episode.slot)!))
  }

  #reseal({ slot, row, signatures, encoder }: StoredEpisode, key: DataKey): StorageChange[] {
    const open = this.open({ slot, id: '', row, signatures, encoder })
    if (open === undefined) return []
    const id = opaque(slot)
    const resealed: StorageChange[] = [
      { op: 'update', slot, id, row: this.#sealer!.sealRow(key, open.id, open.row, this.#space) },
    ]
    if (Object.keys(signatures).length > 0)
      resealed.push({ op: 'setSignatures', slot, id, ...this.#sealSignatures(key, open) })
    return resealed
  }

  /** A row with other bytes under the keys that it has, in an array of its own. */
  changed(stored: StoredEpisode, change: (row: Uint8Array) => Uint8Array): StoredEpisode {
    const sealer = this.#expectSealer()
    const open = sealer.unsealRow(stored.row)
    const row = open === 'erased' ? undefined : change(open.row)
    if (open === 'erased' || row === undefined || row === open.row) return stored
    const key = this.ring!.find(keysOf(stored.row)) as DataKey
    return { ...stored, row: sealer.sealRow(key, open.id, row, new SealedSpace()) }
  }

  /** An episode that is stored in plain, encrypted, in arrays of its own. */
  sealPlain(plain: StoredEpisode): StoredEpisode {
    const key = this.keyOfPlain(plain.row)
    const space = new SealedSpace()
    const row = this.#sealer!.sealRow(key, plain.id, plain.row, space)
    return { slot: plain.slot, id: opaque(plain.slot), row, ...this.#sealSignatures(key, plain, space) }
  }

  /** What a row that is not encrypted yet is to be encrypted with. */
  keyOfPlain(row: Uint8Array): DataKey {
    return this.ring!.keyOf(this.#unitsOf(row, new Map()))
  }

  /** An episode as it was before it was encrypted; `undefined` for one that was erased. */
  open(stored: StoredEpisode): StoredEpisode | undefined {
    if (!isSealed(stored.row)) return stored
    const open = this.#open(stored)
    if (open === undefined) this.erased.add(stored.slot)
    return open
  }

  /**
   * An episode of another place that is encrypted with the keys of this one; `undefined` where one of them was dropped.
   *
   * @throws AgidbError `AGIDB_CORRUPT` for one that is not encrypted: anybody may have made it.
   */
  openForeign(stored: StoredEpisode): StoredEpisode | undefined {
    const all = [stored.row, ...Object.values(stored.signatures)]
    if (all.some((bytes) => bytes !== undefined && !isSealed(bytes))) throw damagedRow('a row that is to be encrypted')
    return this.#open(stored)
  }

  #open({ slot, row, signatures, encoder }: StoredEpisode): StoredEpisode | undefined {
    const open = this.#expectSealer().unsealRow(row)
    if (open === 'erased') return undefined
    return { slot, ...open, signatures: this.#openSignatures(signatures), ...(encoder !== undefined && { encoder }) }
  }

  /** A change likewise. */
  openChange(change: StorageChange): StorageChange | undefined {
    if (change.op === 'remove') return change
    if (change.op === 'setSignatures') return { ...change, signatures: this.#openSignatures(change.signatures) }
    if (change.op === 'put') {
      const open = this.open(change)
      return open && { op: 'put', ...open }
    }
    const row = this.openRow(change.row)
    if (row === undefined) throw new AgidbError('AGIDB_CORRUPT', `the row in slot ${change.slot} was erased`)
    return { ...change, row }
  }

  /** A row without its id; `undefined` for one that was erased. */
  openRow(row: Uint8Array): Uint8Array | undefined {
    if (!isSealed(row)) return row
    const open = this.#expectSealer().unsealRow(row)
    return open === 'erased' ? undefined : open.row
  }

  /** A signature of an episode that was not erased. */
  openSignature(kind: string, signature: Uint8Array): Uint8Array {
    if (!isSealed(signature)) return signature
    const open = this.#expectSealer().unseal(kind, signature)
    if (open === 'erased') throw new AgidbError('AGIDB_CORRUPT', `a signature of kind ${kind} was erased`)
    return open
  }

  #expectSealer(): Sealer {
    if (this.#sealer === undefined) throw keysMissing('its keys are not there')
    return this.#sealer
  }

  #keyFor(change: Omit<RowChange, 'op'>, together: Map<string, readonly string[]>, replaced?: DataKey): DataKey {
    const units = change.units ?? this.#unitsOf(change.row, together)
    together.set(change.id, units)
    return this.ring!.keyOf(units, replaced)
  }

  /**
   * The keys of slots of which only a part is changed. A slot whose row is not encrypted has none, and its signatures
   * stay as they are until its row or a compaction encrypts both.
   */
  async #storedKeys(changes: readonly StorageChange[], rows: RowStore): Promise<Map<number, DataKey>> {
    const keys = new Map<number, DataKey>()
    const put = new Set(changes.flatMap(({ op, slot }) => (op === 'put' ? [slot] : [])))
    const slots = changes.flatMap(({ op, slot }) =>
      (op === 'setSignatures' || op === 'update') && !put.has(slot) ? [slot] : [],
    )
    const found = slots.length === 0 ? [] : await rows.get(slots)
    found.forEach((row, i) => {
      if (row === undefined || !isSealed(row)) return
      const key = this.ring!.find(keysOf(row))
      if (key !== 'erased') keys.set(slots[i], key)
    })
    return keys
  }

  /** The key that each slot has after a commit: that of the units of its row. */
  #keysAfter(changes: readonly StorageChange[], before: ReadonlyMap<number, DataKey>): Map<number, DataKey> {
    const keys = new Map(before)
    const together = new Map<string, readonly string[]>()
    const withRows = changes.filter(hasRow)
    for (const { id, units } of withRows) if (units !== undefined) together.set(id, units)
    for (const change of withRows) {
      // What replaces a row may name fewer records than that did, because they are gone by now; and copies of the row
      // before stay readable as long as a key of that is there.
      const replaced = change.op === 'update' ? keys.get(change.slot) : undefined
      keys.set(change.slot, this.#keyFor(change, together, replaced))
    }
    return keys
  }

  /** The signatures of slots whose row got another key, but those that the same commit replaces anyway. */
  async #signedAnew(
    moved: readonly number[],
    keys: ReadonlyMap<number, DataKey>,
    commit: readonly StorageChange[],
    rows: RowStore,
  ): Promise<StorageChange[]> {
    const replaced = new Map<number, Set<string>>()
    for (const change of commit) {
      if (change.op !== 'setSignatures') continue
      const kinds = replaced.get(change.slot) ?? new Set()
      for (const kind of Object.keys(change.signatures)) kinds.add(kind)
      replaced.set(change.slot, kinds)
    }
    const changes: StorageChange[] = []
    for (const { slot, signatures, encoder } of await rows.read([...new Set(moved)])) {
      const left = Object.entries(signatures).filter(([kind]) => !replaced.get(slot)?.has(kind))
      if (left.length === 0) continue
      const open = this.#openSignatures(Object.fromEntries(left))
      const anew = this.#sealSignatures(keys.get(slot), { signatures: open, encoder })
      changes.push({ op: 'setSignatures', slot, id: opaque(slot), ...anew })
    }
    return changes
  }

  #sealSignatures(
    key: DataKey | undefined,
    { signatures, encoder }: EncodedSignatures,
    space = this.#space,
  ): EncodedSignatures {
    const sealed: Signatures = {}
    for (const kind in signatures) {
      const bytes = signatures[kind]
      if (bytes === undefined) continue
      sealed[kind] = key === undefined ? bytes : this.#sealer!.sealSignature(key, kind, bytes, space)
    }
    return { signatures: sealed, ...(encoder !== undefined && { encoder }) }
  }

  #openSignatures(signatures: Signatures): Signatures {
    const open: Signatures = {}
    for (const [kind, bytes] of Object.entries(signatures))
      if (bytes !== undefined) open[kind] = this.openSignature(kind, bytes)
    return open
  }
}

/** The id that a slot has below the encryption: it tells nothing. */
function opaque(slot: number): string {
  return `row-${slot}`
}

function hasRow(change: StorageChange): change is RowChange {
  return 'row' in change
}
