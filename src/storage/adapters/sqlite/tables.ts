import type { SignatureKind, StorageChange, StoredEpisode } from '../../../api/storage.js'
import { crc32c } from '../../../base/crc32c.js'
import { AgidbError } from '../../../base/errors.js'
import { admit } from '../../journal/admission.js'
import type { ChangedSlot } from '../../checkpoint/restore.js'
import { decodeUtf8, encodeUtf8 } from '../../../base/utf8.js'
import { joinBytes } from '../../../base/join-bytes.js'
import { bytesOf, type SqliteDatabase, type SqliteRow, type SqliteValue } from './database.js'
import { PackedView, packSignatures } from '../../packed-signatures.js'

/** A Durable Object takes values of up to 2 MB: a longer row is stored in pieces of this many bytes. */
export const PIECE_BYTES = 1 << 20
/** Rows that are read at a time. */
const PAGE = 256
/** The signatures of so many slots for each one that is asked for are read in one pass, rather than one by one. */
const PASS_SHARE = 8

/** The tables that hold the episodes of one memory: rows, pieces of long rows, signatures, and slots not used again. */
export class Tables {
  readonly #database: SqliteDatabase
  readonly #prefix: string
  readonly #kinds: SignatureKind[]

  /**
   * @param prefix of the names of the tables.
   * @param kinds of signatures by their numbers; new ones are added at its end.
   */
  constructor(database: SqliteDatabase, prefix: string, kinds: SignatureKind[]) {
    this.#database = database
    this.#prefix = prefix
    this.#kinds = kinds
  }

  /** Makes the tables where they are not there. */
  create(): void {
    const [rows, pieces, signatures, removed] = this.#names
    const { run } = this.#database
    run(`CREATE TABLE IF NOT EXISTS ${rows} (slot INTEGER PRIMARY KEY, id TEXT NOT NULL, bytes BLOB NOT NULL,
      pieces INTEGER NOT NULL, checksum INTEGER NOT NULL, put_by INTEGER NOT NULL, changed_by INTEGER NOT NULL)`)
    run(`CREATE TABLE IF NOT EXISTS ${pieces} (slot INTEGER NOT NULL, piece INTEGER NOT NULL, bytes BLOB NOT NULL,
      PRIMARY KEY (slot, piece))`)
    run(`CREATE TABLE IF NOT EXISTS ${signatures} (slot INTEGER PRIMARY KEY, bytes BLOB NOT NULL, encoder INTEGER,
      checksum INTEGER NOT NULL, changed_by INTEGER NOT NULL)`)
    run(`CREATE TABLE IF NOT EXISTS ${removed} (slot INTEGER PRIMARY KEY)`)
  }

  /** Drops the tables where they are there. */
  drop(): void {
    for (const name of this.#names) this.#database.run(`DROP TABLE IF EXISTS ${name}`)
  }

  /** Takes over what stands in the slots from `first` to `last` of other tables. */
  copy(others: Tables, first: number, last: number): void {
    for (const [i, name] of this.#names.entries())
      this.#database.run(
        `INSERT INTO ${name} SELECT * FROM ${others.#names[i]} WHERE slot BETWEEN ? AND ?`,
        first,
        last,
      )
  }

  /** Takes the place of other tables, which are dropped. */
  replace(others: Tables): void {
    others.drop()
    this.#names.forEach((name, i) => this.#database.run(`ALTER TABLE ${name} RENAME TO ${others.#names[i]}`))
  }

  /**
   * Applies a commit; the caller makes it a transaction.
   *
   * @param commit the number of the commit.
   * @returns the next slot.
   * @throws AgidbError `AGIDB_INTERNAL` where a change does not fit
   */
  apply(changes: readonly StorageChange[], commit: number, nextSlot: number): number {
    const [rows, pieces, signatures, removed] = this.#names
    const { run } = this.#database
    const isRemoved = (slot: number): boolean => run(`SELECT 1 FROM ${removed} WHERE slot = ?`, slot).length > 0
    const isLive = (slot: number): boolean => this.isLive(slot)
    admit(changes, { nextSlot, isLive, isFree: (slot, next) => slot >= next || (!isLive(slot) && !isRemoved(slot)) })
    let next = nextSlot
    for (const change of changes) {
      const { op, slot } = change
      if (op === 'remove') {
        for (const name of [rows, pieces, signatures]) run(`DELETE FROM ${name} WHERE slot = ?`, slot)
        run(`INSERT INTO ${removed} VALUES (?)`, slot)
      }
      if (op === 'put') {
        next = Math.max(next, slot + 1)
        run(`INSERT INTO ${rows} VALUES (?, ?, x'', 0, 0, ?, ?)`, slot, storedId(change.id), commit, commit)
      }
      if (op === 'put' || op === 'update') this.#setRow(slot, change.row, commit)
      if (op === 'put' || op === 'setSignatures') this.#setSignatures(change, commit)
    }
    return next
  }

  isLive(slot: number): boolean {
    return this.#database.run(`SELECT 1 FROM ${this.#names[0]} WHERE slot = ?`, slot).length > 0
  }

  slots(): number[] {
    return this.#database.run(`SELECT slot FROM ${this.#names[0]} ORDER BY slot`).map(({ slot }) => slot as number)
  }

  /** @throws AgidbError `AGIDB_CORRUPT` */
  row(slot: number): Uint8Array | undefined {
    const found = this.#database.run(`SELECT * FROM ${this.#names[0]} WHERE slot = ?`, slot)
    return found.length === 0 ? undefined : this.#rowOf(found[0])
  }

  /** @throws AgidbError `AGIDB_CORRUPT` */
  episode(slot: number): StoredEpisode | undefined {
    const found = this.#select('r.slot = ?', slot)
    return found.length === 0 ? undefined : this.#episodeOf(found[0], this.#view())
  }

  /** The live episodes of slots, or all of them: ascending, a page at a time. */
  *episodes(slots?: readonly number[]): Generator<StoredEpisode> {
    const view = this.#view()
    if (slots !== undefined) {
      for (const slot of slots) for (const row of this.#select('r.slot = ?', slot)) yield this.#episodeOf(row, view)
      return
    }
    for (let after = -1; ; ) {
      const page = this.#select('r.slot > ?', after)
      if (page.length === 0) return
      for (const row of page) yield this.#episodeOf(row, view)
      after = page.at(-1)!.slot as number
    }
  }

  /** What changed after a commit, by slots ascending. */
  *changedAfter(commit: number): Generator<ChangedSlot> {
    const view = this.#view()
    for (let after = -1; ; ) {
      const page = this.#select('r.slot > ? AND (r.changed_by > ? OR s.changed_by > ?)', after, commit, commit)
      if (page.length === 0) return
      for (const row of page)
        yield {
          ...this.#episodeOf(row, view),
          isNew: (row.put_by as number) > commit,
          hasNewRow: (row.changed_by as number) > commit,
          hasNewSignatures: row.signatures_by !== null && (row.signatures_by as number) > commit,
        }
      after = page.at(-1)!.slot as number
    }
  }

  /** Visits the signatures of live slots, ascending. */
  visitPacked(slots: ArrayLike<number>, visit: (slot: number, signatures: PackedView) => void): void {
    const { length } = slots
    if (length === 0) return
    const sorted = Array.from(slots).sort((a, b) => a - b)
    const view = this.#view()
    const show = (slot: number, found: SqliteRow | undefined): void => {
      if (found === undefined && !this.isLive(slot)) return
      view.take(found === undefined ? NONE : bytesOf(found.bytes), (found?.encoder as number | null) ?? undefined)
      if (found !== undefined) this.#expect(view.bytes, found.checksum as number, slot)
      visit(slot, view)
    }
    const table = this.#names[2]
    for (let from = 0; from < length; from += PAGE) {
      const page = sorted.slice(from, from + PAGE)
      const [first, last] = [page[0], page.at(-1)!]
      const isPass = last - first < PASS_SHARE * page.length
      const statement = `SELECT slot, bytes, encoder, checksum FROM ${table} WHERE slot BETWEEN ? AND ?`
      const found = isPass
        ? this.#database.run(statement, first, last)
        : page.flatMap((slot) => this.#database.run(statement, slot, slot))
      const bySlot = new Map(found.map((row) => [row.slot as number, row]))
      for (const slot of page) show(slot, bySlot.get(slot))
    }
  }

  get #names(): readonly [rows: string, pieces: string, signatures: string, removed: string] {
    return [`${this.#prefix}_rows`, `${this.#prefix}_pieces`, `${this.#prefix}_signatures`, `${this.#prefix}_removed`]
  }

  #view(): PackedView {
    return new PackedView(this.#kinds)
  }

  #select(where: string, ...values: number[]): SqliteRow[] {
    const [rows, , signatures] = this.#names
    return this.#database.run(
      `SELECT r.*, s.bytes AS signatures, s.encoder, s.checksum AS signatures_checksum, s.changed_by AS signatures_by
        FROM ${rows} r LEFT JOIN ${signatures} s ON s.slot = r.slot WHERE ${where} ORDER BY r.slot LIMIT ${PAGE}`,
      ...values,
    )
  }

  #episodeOf(row: SqliteRow, view: PackedView): StoredEpisode {
    const slot = row.slot as number
    view.take(row.signatures === null ? NONE : bytesOf(row.signatures), (row.encoder as number | null) ?? undefined)
    if (row.signatures !== null) this.#expect(view.bytes, row.signatures_checksum as number, slot)
    const { encoder } = view
    const signatures = view.all()
    return { slot, id: idOf(row.id), row: this.#rowOf(row), signatures, ...(encoder !== undefined && { encoder }) }
  }

  #rowOf({ slot, bytes, pieces, checksum }: SqliteRow): Uint8Array {
    let row = bytesOf(bytes)
    if ((pieces as number) > 0) {
      const statement = `SELECT bytes FROM ${this.#names[1]} WHERE slot = ? ORDER BY piece`
      row = joinBytes([row, ...this.#database.run(statement, slot).map((piece) => bytesOf(piece.bytes))])
    }
    this.#expect(row, checksum as number, slot as number)
    return row
  }

  #expect(bytes: Uint8Array, checksum: number, slot: number): void {
    if (crc32c(bytes) === checksum) return
    const { name } = this.#database
    const message = `slot ${slot} of ${name} is damaged: its checksum does not match; import an export of before`
    throw new AgidbError('AGIDB_CORRUPT', message, { slot })
  }

  #setRow(slot: number, row: Uint8Array, commit: number): void {
    const [rows, pieces] = this.#names
    const { run } = this.#database
    const more = Math.max(0, Math.ceil(row.length / PIECE_BYTES) - 1)
    run(`DELETE FROM ${pieces} WHERE slot = ?`, slot)
    run(
      `UPDATE ${rows} SET bytes = ?, pieces = ?, checksum = ?, changed_by = ? WHERE slot = ?`,
      row.slice(0, PIECE_BYTES),
      more,
      crc32c(row),
      commit,
      slot,
    )
    for (let piece = 1; piece <= more; piece++)
      run(
        `INSERT INTO ${pieces} VALUES (?, ?, ?)`,
        slot,
        piece,
        row.slice(piece * PIECE_BYTES, (piece + 1) * PIECE_BYTES),
      )
  }

  /** Signatures of other kinds stay. The encoder is that of text and structure. */
  #setSignatures(change: StorageChange & { op: 'put' | 'setSignatures' }, commit: number): void {
    const { slot, signatures, encoder = 0 } = change
    const table = this.#names[2]
    const { run } = this.#database
    const view = this.#view()
    const [before] = run(`SELECT bytes, encoder FROM ${table} WHERE slot = ?`, slot)
    if (before !== undefined) view.take(bytesOf(before.bytes), undefined)
    const all = { ...(before !== undefined && view.all()), ...signatures }
    if (Object.keys(all).length === 0) return
    const isEncoded = signatures.text !== undefined || signatures.structured !== undefined
    const packed = packSignatures(all, (kind) => this.#numberOf(kind))
    run(
      `INSERT OR REPLACE INTO ${table} VALUES (?, ?, ?, ?, ?)`,
      slot,
      packed,
      isEncoded ? encoder : (before?.encoder ?? null),
      crc32c(packed),
      commit,
    )
  }

  #numberOf(kind: SignatureKind): number {
    const known = this.#kinds.indexOf(kind)
    return known >= 0 ? known : this.#kinds.push(kind) - 1
  }
}

const NONE = new Uint8Array(0)

/** Some drivers cut a text at its first U+0000: such an id is stored as its bytes. */
function storedId(id: string): SqliteValue {
  return id.includes('\0') ? encodeUtf8(id) : id
}

function idOf(stored: SqliteValue): string {
  return typeof stored === 'string' ? stored : decodeUtf8(bytesOf(stored))
}
