// Signatures are compared by the server: all of a memory, or those that an HNSW index of pgvector finds.
import type { NearestQuery, NearestSlot } from '../../../api/storage.js'
import { countBits, slotsOf } from '../../../base/bits.js'
import { AgidbError } from '../../../base/errors.js'
import { arrayOf, base64Of } from './arrays.js'
import { rowsOf, type PostgresDriver } from './driver.js'
import { WRONG_BITS } from './statements.js'
import { hnswIndexes, type HnswWishes, ofIndex } from './hnsw.js'

const SIGNATURE_BYTES = 1024
/**
 * An index is asked for so many times as many as are wanted, and for so many at least and at most: it knows no weights,
 * by which the nearest of these are chosen.
 */
const ASKED = { times: 8, least: 400, most: 1_000 }
/**
 * Slots of a bit set are looked up one by one where they are no more than so many, or one in so many of all: an index
 * would find too few that are in it. Where there is no index, they may be more.
 */
const FEW = { slots: 2_048, inIndexed: 64, inOthers: 8 }

/** A statement that is being written: what it is given are texts. */
class Statement {
  readonly values: string[] = []

  text(value: string): string {
    return `$${this.values.push(value)}::text`
  }

  /** Decoded once, and not for each row: hence the `select`. */
  bytes(bytes: Uint8Array): string {
    return `(select decode(${this.text(base64Of(bytes))}, 'base64'))`
  }

  bits(bytes: Uint8Array): string {
    return `(select ('x' || encode(decode(${this.text(base64Of(bytes))}, 'base64'), 'hex'))::bit(8192))`
  }
}

/** Compares queries with the signatures of one memory. */
export class Nearest {
  readonly #driver: PostgresDriver
  readonly #namespace: string
  readonly #indexed: (content: number, kind: string) => boolean

  private constructor(driver: PostgresDriver, namespace: string, indexed: (content: number, kind: string) => boolean) {
    this.#driver = driver
    this.#namespace = namespace
    this.#indexed = indexed
  }

  /**
   * @param wishes which HNSW indexes are used, and made.
   * @throws AgidbError `AGIDB_UNSUPPORTED` where PostgreSQL cannot count bits.
   */
  static async of(
    driver: PostgresDriver,
    namespace: string,
    content: number,
    wishes: Omit<HnswWishes, 'candidates'>,
  ): Promise<Nearest> {
    const [{ version }] = await rowsOf(driver, `select current_setting('server_version_num') as version`)
    if (Number(version) < 140_000)
      throw new AgidbError('AGIDB_UNSUPPORTED', "search: 'server' needs PostgreSQL 14 or newer", {
        version: Number(version),
      })
    return new Nearest(
      driver,
      namespace,
      await hnswIndexes(driver, namespace, content, { ...wishes, candidates: ASKED.least }),
    )
  }

  /**
   * See `SignatureStore.nearest`.
   *
   * @param next the next slot of the memory.
   */
  async find(
    content: number,
    next: number,
    query: NearestQuery,
    k: number,
    among?: Uint32Array,
  ): Promise<NearestSlot[]> {
    const count = among === undefined ? next : countBits(among)
    if (k === 0 || count === 0) return []
    const isFew = (share: number) => among !== undefined && count <= Math.max(FEW.slots, next / share)
    if (!isFew(FEW.inIndexed) && this.#indexed(content, query.kind)) {
      const found = await this.#ask(query, k, (statement) => this.#byIndex(statement, content, query, k, among))
      // An index may end before there are enough, where few of those that it finds pass.
      if (found.length === k) return found
    }
    return this.#ask(query, k, (statement) =>
      isFew(FEW.inOthers)
        ? this.#oneByOne(statement, content, query, among!)
        : this.#all(statement, content, query, among),
    )
  }

  /** How many signatures do not have the bits that they should have, or have some and should not. */
  async wrong(content: number): Promise<number> {
    const [{ wrong }] = await rowsOf(this.#driver, WRONG_BITS, this.#namespace, String(content))
    return Number(wrong)
  }

  async #ask(query: NearestQuery, k: number, rows: (statement: Statement) => string): Promise<NearestSlot[]> {
    const statement = new Statement()
    const distance = distanceOf(statement, query)
    const text = `select slot, distance from (
      select slot, ${distance} as distance from (${rows(statement)}) b) n
      order by distance, slot limit ${k}`
    const found = await rowsOf(this.#driver, text, ...statement.values)
    return found.map(({ slot, distance }) => ({ slot: Number(slot), distance: Number(distance) }))
  }

  #all(statement: Statement, content: number, { kind, mark }: NearestQuery, among?: Uint32Array): string {
    return `select slot, bits from agidb_bits
      where namespace = ${statement.text(this.#namespace)} and content = ${content}
        and kind = ${statement.text(kind)} and ${marked(statement, mark)}${allowed(statement, among)}`
  }

  /** `offset 0` keeps one look-up in the index of the table for each slot. */
  #oneByOne(statement: Statement, content: number, { kind, mark }: NearestQuery, among: Uint32Array): string {
    return `select found.* from unnest(${statement.text(arrayOf([...slotsOf(among)]))}::bigint[]) as wanted(slot)
      cross join lateral (
        select slot, bits from agidb_bits t
        where t.namespace = ${statement.text(this.#namespace)} and t.content = ${content}
          and t.kind = ${statement.text(kind)} and t.slot = wanted.slot and ${marked(statement, mark)}
        offset 0) found`
  }

  /** The condition is that of the index, word for word: see `hnsw.ts`. */
  #byIndex(
    statement: Statement,
    content: number,
    { kind, mark, signs }: NearestQuery,
    k: number,
    among?: Uint32Array,
  ): string {
    const asked = Math.max(ASKED.least, Math.min(ASKED.most, ASKED.times * k), k)
    return `select slot, bits from agidb_bits
      where ${ofIndex(this.#namespace, content, kind)} and ${marked(statement, mark)}${allowed(statement, among)}
      order by bits <~> ${statement.bits(signs)} limit ${asked}`
  }
}

/** The sum of the weights of the bits in which a signature differs. */
function distanceOf(statement: Statement, { signs, planes }: NearestQuery): string {
  if (planes?.every((byte) => byte === 0)) return '0'
  const differing = `bits # ${statement.bits(signs)}`
  if (planes === undefined) return `bit_count(${differing})`
  const terms: string[] = []
  for (let plane = 0; plane * SIGNATURE_BYTES < planes.length; plane++) {
    const weighed = planes.subarray(plane * SIGNATURE_BYTES, (plane + 1) * SIGNATURE_BYTES)
    if (weighed.some((byte) => byte !== 0))
      terms.push(`${2 ** plane} * bit_count((${differing}) & ${statement.bits(weighed)})`)
  }
  return terms.join(' + ')
}

function marked(statement: Statement, mark: Uint8Array | undefined): string {
  return `mark = ${statement.bytes(mark ?? new Uint8Array(0))}`
}

/**
 * That a slot is in a bit set: `get_bit` numbers bits as these do. Of `<> 0` the planner expects that nearly all pass,
 * of `= 1` that hardly any do, and then it would use no index.
 */
function allowed(statement: Statement, among: Uint32Array | undefined): string {
  if (among === undefined) return ''
  const bytes = new Uint8Array(among.buffer, among.byteOffset, among.byteLength)
  return ` and case when slot < ${8 * bytes.length} then get_bit(${statement.bytes(bytes)}, slot) else 0 end <> 0`
}
