import type { Limits } from '../api/open-options.js'
import type { FieldLimit } from '../api/field-limits.js'
import { AgidbError } from '../base/errors.js'
import { parsePlain } from '../base/plain-json.js'
import { decodeUtf8, encodeUtf8 } from '../base/utf8.js'
import type { FieldPath } from './shapes.js'

/** Tags are smaller: from this byte on a row is text, that of the one kind without a tag. */
const FIRST_PRINTABLE = 32

/** Upper bounds of stored fields by name: sections of `FIELD_LIMITS`. */
export type KindLimits = Readonly<Record<string, Readonly<Record<string, FieldLimit>>>>

/** The new slot of a row by its old one, for rows that are given other slots. */
export type SlotMap = (slot: number) => number

/**
 * One kind of stored record. Everything that reads or writes rows asks the registry (`records/registry.ts`) for the
 * kind of a row and leaves the rest to it: a new kind is a file with its definition and a line there.
 */
export interface RecordKind<R = unknown> {
  /**
   * The first byte of its rows, 1 to 31; never used again for another kind. `text` for the one kind whose rows have no
   * tag and begin with a printable character.
   */
  readonly tag: number | 'text'
  /** The first bytes of later forms of its rows, which versions that do not know these forms refuse. Default: none. */
  readonly laterTags?: readonly number[]
  /** What messages and docs call it: `learning event`. */
  readonly name: string
  /**
   * Whether it is part of the memory and so of an export; otherwise it belongs to the place where the memory is stored,
   * and an import refuses it.
   */
  readonly isExported: boolean
  /** The bounds of its fields, which both its methods and its validation apply. */
  readonly limits: KindLimits

  encode(record: R): Uint8Array
  /** @throws AgidbError `AGIDB_CORRUPT` if the bytes are no such record. */
  decode(row: Uint8Array): R
  /**
   * Checks a row that comes from outside. Answers what is wrong with it, as the end of a sentence (`is no episode`), or
   * `undefined` if nothing is. Absent where `records/fault.ts` has it, which a page fetches when it first imports.
   *
   * @param id the id that the row is stored under.
   * @throws AgidbError `AGIDB_CORRUPT` for what is not even JSON, `AGIDB_TOO_LARGE` for a field over its limit.
   */
  validate?(row: Uint8Array, id: string, check: ImportCheck): string | undefined
  /** What it is about: ids of the things that it creates or changes. */
  subjects(record: R): readonly string[]
  /** The other records that it names: episodes that it rests on, goals beside it, and so on. */
  references(record: R): readonly string[]
  /**
   * The units that it belongs to itself, beside those of the records that it names: see `records/units.ts`. Absent
   * where it has none of its own.
   */
  units?(record: R): readonly string[]
  /**
   * The beginning of a row, which is all that projections read of it: the rest stays in the storage. Absent: all of it.
   */
  about?(row: Uint8Array): Uint8Array
  /** The row for a memory in which rows have other slots; absent where no row of the kind names a slot. */
  moved?(row: Uint8Array, slotOf: SlotMap): Uint8Array
}

/** What a validation may use: where the row stands, the limits, and what earlier rows of the same import said. */
export class ImportCheck {
  /** As messages name the row: `row 7`. */
  readonly what: string
  readonly limits: Limits
  readonly #memo: Map<() => unknown, unknown>

  constructor(what: string, limits: Limits, memo: Map<() => unknown, unknown> = new Map()) {
    this.what = what
    this.limits = limits
    this.#memo = memo
  }

  /** Where a part of the row stands: `row 7, episode`. */
  at(part: string): FieldPath {
    return { what: `${this.what}, ${part}`, limits: this.limits }
  }

  /** What is kept between the rows of one import under a function, which makes it when it is first asked for. */
  shared<S>(make: () => S): S {
    if (!this.#memo.has(make)) this.#memo.set(make, make())
    return this.#memo.get(make) as S
  }

  /** @throws AgidbError `AGIDB_CORRUPT` if the bytes are no UTF-8 or no JSON that agidb takes; see `parsePlain`. */
  json(bytes: Uint8Array): unknown {
    let text: string
    try {
      text = decodeUtf8(bytes)
    } catch (cause) {
      throw new AgidbError('AGIDB_CORRUPT', `${this.what} is no UTF-8`, { what: this.what }, { cause })
    }
    return parsePlain(text, this.what)
  }
}

/** The kinds of records that a memory may hold. */
export class RecordKinds {
  readonly #byTag: (RecordKind | undefined)[] = new Array<undefined>(FIRST_PRINTABLE).fill(undefined)
  readonly #untagged: RecordKind | undefined

  /** @throws RangeError if two kinds have one tag, or a tag is none. */
  constructor(readonly all: readonly RecordKind[]) {
    for (const kind of all) {
      const { tag, laterTags = [], name } = kind
      if (tag === 'text') {
        if (this.#untagged !== undefined) throw new RangeError(`${name} and ${this.#untagged.name} have no tag`)
        this.#untagged = kind
      }
      for (const one of tag === 'text' ? laterTags : [tag, ...laterTags]) {
        if (!Number.isInteger(one) || one < 1 || one >= FIRST_PRINTABLE)
          throw new RangeError(`the tag of ${name} is ${one}; expected 1 to ${FIRST_PRINTABLE - 1}`)
        if (this.#byTag[one] !== undefined)
          throw new RangeError(`${name} and ${this.#byTag[one].name} have the tag ${one}`)
        this.#byTag[one] = kind
      }
    }
  }

  /** The kind of a row, if this version knows it. */
  find(row: Uint8Array): RecordKind | undefined {
    // An empty row has no first byte; it is left to the kind without a tag, which cannot decode it.
    return row[0] < FIRST_PRINTABLE ? this.#byTag[row[0]] : this.#untagged
  }

  /** @throws AgidbError `AGIDB_NEWER_FORMAT` if this version does not know the kind. */
  of(row: Uint8Array, what = 'the database holds rows'): RecordKind {
    const kind = this.find(row)
    if (kind !== undefined) return kind
    const [tag] = row
    throw unknownKind(tag, `${what} of kind ${tag}`)
  }

  /** These kinds and others. */
  with(...others: readonly RecordKind[]): RecordKinds {
    return new RecordKinds([...this.all, ...others])
  }
}

/** That a row is of a kind which a later version may know. */
export function unknownKind(tag: number, what: string): AgidbError {
  return new AgidbError('AGIDB_NEWER_FORMAT', `${what}, which this version of agidb does not know: use a newer one`, {
    kind: tag,
  })
}

/** A tag, then a value as JSON in UTF-8: the form of the rows of most kinds. */
export function encodeTagged(tag: number, value: unknown): Uint8Array {
  const json = encodeUtf8(JSON.stringify(value))
  const row = new Uint8Array(1 + json.length)
  row[0] = tag
  row.set(json, 1)
  return row
}

/** @throws AgidbError `AGIDB_CORRUPT` if what follows the tag is no JSON. */
export function decodeTagged(row: Uint8Array, name: string): unknown {
  try {
    return JSON.parse(decodeUtf8(row.subarray(1)))
  } catch (cause) {
    throw new AgidbError(
      'AGIDB_CORRUPT',
      `a stored ${name} is not valid JSON in UTF-8`,
      { bytes: row.length },
      { cause },
    )
  }
}

/** Bytes before the JSON of a row that has bytes after it: the tag, then the length of the JSON (u32, LE). */
const LENGTH_END = 5

/** A row of a tag, the length of its JSON, a value as JSON in UTF-8, and bytes. */
export function encodeWithBytes(tag: number, value: unknown, bytes: Uint8Array): Uint8Array {
  const json = encodeUtf8(JSON.stringify(value))
  const row = new Uint8Array(LENGTH_END + json.length + bytes.length)
  row[0] = tag
  new DataView(row.buffer).setUint32(1, json.length, true)
  row.set(json, LENGTH_END)
  row.set(bytes, LENGTH_END + json.length)
  return row
}

/** The parts of a row that {@link encodeWithBytes} made, as views; `undefined` where its JSON is cut short. */
export function partsOf(row: Uint8Array): { readonly json: Uint8Array; readonly bytes: Uint8Array } | undefined {
  if (row.length < LENGTH_END) return undefined
  const end = LENGTH_END + new DataView(row.buffer, row.byteOffset, row.byteLength).getUint32(1, true)
  return end > row.length ? undefined : { json: row.subarray(LENGTH_END, end), bytes: row.subarray(end) }
}
