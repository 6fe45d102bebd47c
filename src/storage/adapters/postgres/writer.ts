// What is written, each in one statement: that is one transaction over any driver, also over one that sends every query
// through another connection. Each statement first changes the row of the memory, and does nothing where `writer` there
// is another: so who lost the place, and with it the lock, cannot write any more.
import { AgidbError } from '../../../base/errors.js'
import type { StorageChange } from '../../../api/storage.js'
import { rowsOf, type PostgresDriver } from './driver.js'
import { slotChanges } from './slot-changes.js'

/**
 * $1 namespace, $2 writer, $3 content, $4 next slot, $5 changes of slots as JSON. `offset 0` keeps one look-up in the
 * index for each slot: without statistics the planner takes a memory for a few rows, and would read all of them.
 */
const WRITE = `with input as materialized (
  select slot, "isRemoved" as gone, decode(id, 'hex') as id, decode("row", 'hex') as "row", encoder, signatures
  from json_to_recordset($5::text::json)
    as c(slot bigint, "isRemoved" boolean, id text, "row" text, encoder smallint, signatures json)
), episode as materialized (
  select i.slot,
    case when gone then null else coalesce(i.id, e.id) end as id,
    case when gone then null else coalesce(i."row", e."row") end as "row",
    case when gone then null else coalesce(i.encoder, e.encoder) end as encoder,
    coalesce(octet_length(e.id) + octet_length(e."row"), 0) as bytes
  from input i left join lateral (
    select * from agidb_episode t
    where t.namespace = $1::text and t.content = $3::text::bigint and t.slot = i.slot offset 0
  ) e on true
  where gone or i."row" is not null or i.encoder is not null
), signature as materialized (
  select slot, s.key as kind, decode(s.value, 'hex') as bytes
  from input, json_each_text(signatures) s where not gone
), replaced as (
  select octet_length(s.bytes) as bytes from input i cross join lateral (
    select * from agidb_signature t
    where t.namespace = $1::text and t.content = $3::text::bigint and t.slot = i.slot offset 0
  ) s
  where gone or (s.slot, s.kind) in (select slot, kind from signature)
), growth as (
  select (select coalesce(sum(octet_length(id) + octet_length("row")), 0) - coalesce(sum(bytes), 0) from episode)
    + (select coalesce(sum(octet_length(bytes)), 0) from signature)
    - (select coalesce(sum(bytes), 0) from replaced) as bytes
), fence as (
  update agidb_memory set revision = revision + 1,
    next_slot = case when content = $3::text::bigint then $4::text::bigint else next_slot end,
    bytes = bytes + case when content = $3::text::bigint then (select bytes from growth) else 0 end
  where namespace = $1::text and writer = $2::text
  returning revision
), episodes as (
  insert into agidb_episode (namespace, content, slot, id, "row", encoder)
  select $1::text, $3::text::bigint, slot, id, "row", encoder from episode where exists (select from fence)
  on conflict (namespace, content, slot)
    do update set id = excluded.id, "row" = excluded."row", encoder = excluded.encoder
), dropped as (
  delete from agidb_signature where exists (select from fence) and ctid in (
    select s.ctid from input i cross join lateral (
      select ctid from agidb_signature t
      where t.namespace = $1::text and t.content = $3::text::bigint and t.slot = i.slot offset 0
    ) s where gone)
), signatures as (
  insert into agidb_signature (namespace, content, slot, kind, bytes)
  select $1::text, $3::text::bigint, slot, kind, bytes from signature where exists (select from fence)
  on conflict (namespace, content, slot, kind) do update set bytes = excluded.bytes
)
select revision from fence`

/** $1 namespace, $2 writer, $3 content, $4 next slot. */
const SWITCH = `update agidb_memory m set revision = revision + 1, content = $3::text::bigint,
  next_slot = $4::text::bigint,
  bytes = (select coalesce(sum(octet_length(e.id) + octet_length(e."row")), 0) from agidb_episode e
      where e.namespace = m.namespace and e.content = $3::text::bigint)
    + (select coalesce(sum(octet_length(s.bytes)), 0) from agidb_signature s
      where s.namespace = m.namespace and s.content = $3::text::bigint)
  where namespace = $1::text and writer = $2::text
  returning revision`

/** $1 namespace, $2 old writer, $3 new writer. */
const RENEW = `update agidb_memory set writer = $3::text
  where namespace = $1::text and writer = $2::text returning revision`

/** The memory as {@link openWriter} found it. */
export interface Found {
  readonly databaseId: string
  readonly nextSlot: number
  readonly content: number
}

/** The one who may write a memory, from its opening on. */
export class Writer {
  readonly #driver: PostgresDriver
  readonly #namespace: string
  #name: string
  #revision: number
  #lost: AgidbError | undefined

  /** @param name a random name, which the row of the memory has, too. */
  constructor(driver: PostgresDriver, namespace: string, name: string, revision: number) {
    this.#driver = driver
    this.#namespace = namespace
    this.#name = name
    this.#revision = revision
  }

  /**
   * Applies changes that fit, all or none. Readers do not see those of a content that is not yet valid.
   *
   * @throws AgidbError `AGIDB_QUOTA`, `AGIDB_STORAGE`; `AGIDB_IN_USE` where somebody else opened the memory meanwhile,
   * `AGIDB_DELETED` where it is gone.
   */
  async write(content: number, nextSlot: number, changes: readonly StorageChange[]): Promise<void> {
    await this.#change(WRITE, String(content), String(nextSlot), json(changes))
  }

  /** Makes another content the valid one. Errors as {@link write}. */
  async switchTo(content: number, nextSlot: number): Promise<void> {
    await this.#change(SWITCH, String(content), String(nextSlot))
  }

  /**
   * Deletes what a replacement left behind, finished or not: all contents but the valid one. Changes nothing where
   * somebody else opened the memory.
   */
  async sweep(): Promise<void> {
    for (const table of ['agidb_signature', 'agidb_episode'])
      await rowsOf(
        this.#driver,
        `delete from ${table} t using agidb_memory m
        where m.namespace = $1::text and m.writer = $2::text
          and t.namespace = m.namespace and t.content <> m.content`,
        this.#namespace,
        this.#name,
      )
  }

  async #change(statement: string, ...values: string[]): Promise<void> {
    if (this.#lost !== undefined) throw this.#lost
    const before = this.#revision
    let rows: Awaited<ReturnType<typeof rowsOf>>
    try {
      rows = await rowsOf(this.#driver, statement, this.#namespace, this.#name, ...values)
    } catch (error) {
      if ((await this.#settled(error)) === before) throw error
      return
    }
    if (rows.length === 0) throw await this.#refused()
    this.#revision = Number(rows[0].revision)
  }

  /**
   * The revision after a statement whose answer did not come. With another name in the row of the memory, the statement
   * can take effect no more if it did not yet; where it is under way, this waits for it.
   */
  async #settled(error: unknown): Promise<number> {
    if (error instanceof AgidbError && error.code === 'AGIDB_DELETED') throw (this.#lost = error)
    const name = newName()
    const renewed = await rowsOf(this.#driver, RENEW, this.#namespace, this.#name, name).catch(() => undefined)
    if (renewed === undefined || renewed.length === 0) {
      const message = 'it is not known whether the last commit was stored, since PostgreSQL did not answer: open again'
      this.#lost = new AgidbError('AGIDB_STORAGE', message, {}, { cause: error })
      throw error
    }
    this.#name = name
    return (this.#revision = Number(renewed[0].revision))
  }

  /** Why a statement changed nothing. */
  async #refused(): Promise<AgidbError> {
    const there = await rowsOf(this.#driver, 'select from agidb_memory where namespace = $1::text', this.#namespace)
    const details = { namespace: this.#namespace }
    return (this.#lost =
      there.length === 0
        ? new AgidbError('AGIDB_DELETED', `the memory "${this.#namespace}" was deleted from PostgreSQL`, details)
        : new AgidbError('AGIDB_IN_USE', `the memory "${this.#namespace}" was opened by somebody else`, details))
  }
}

/** Makes the row of a memory where there is none, and writes into it who writes from now on. */
export async function openWriter(
  driver: PostgresDriver,
  namespace: string,
): Promise<{ readonly writer: Writer; readonly found: Found }> {
  const name = newName()
  const [row] = await rowsOf(
    driver,
    `insert into agidb_memory as m (namespace, database_id, writer, revision, content, next_slot, bytes)
    values ($1::text, $2::text, $3::text, 0, 0, 0, 0)
    on conflict (namespace) do update set writer = excluded.writer
    returning database_id, revision, content, next_slot`,
    namespace,
    newName(),
    name,
  )
  return {
    writer: new Writer(driver, namespace, name, Number(row.revision)),
    found: {
      databaseId: String(row.database_id),
      nextSlot: Number(row.next_slot),
      content: Number(row.content),
    },
  }
}

/** 128 random bits, as hexadecimal digits. */
function newName(): string {
  return crypto.randomUUID().replaceAll('-', '')
}

function json(changes: readonly StorageChange[]): string {
  try {
    return JSON.stringify(slotChanges(changes))
  } catch (cause) {
    throw new AgidbError(
      'AGIDB_STORAGE',
      `a commit of ${changes.length} changes is too long for one statement: write fewer at a time`,
      { changes: changes.length },
      { cause },
    )
  }
}
