import { AgidbError } from '../../../base/errors.js'
import { decodeUtf8 } from '../../../base/utf8.js'
import type { EncodedSignatures, Signatures, StoredEpisode } from '../../../api/storage.js'
import type { ChangedSlot } from '../../checkpoint/restore.js'
import { arrayOf } from './arrays.js'
import { fromBytea } from './bytea.js'
import { rowsOf, type PostgresDriver, type Row } from './driver.js'

/** Slots that are asked for at a time. */
export const PAGE = 512

/** What reads the content of a memory. */
export class Reader {
  readonly #driver: PostgresDriver
  readonly #namespace: string
  #lastAsked = -Infinity

  constructor(driver: PostgresDriver, namespace: string) {
    this.#driver = driver
    this.#namespace = namespace
  }

  /** How many milliseconds ago rows or signatures were asked for. */
  get asked(): number {
    return performance.now() - this.#lastAsked
  }

  /** The rows of live slots by slot. */
  async rows(content: number, slots: readonly number[]): Promise<Map<number, Uint8Array>> {
    const found = new Map<number, Uint8Array>()
    for (const page of pages(slots)) {
      const rows = await this.#query(lookup('agidb_episode', 'slot, "row"', 'id is not null'), content, page)
      for (const { slot, row } of rows) found.set(Number(slot), fromBytea(row))
    }
    return found
  }

  /** The live episodes of slots with their signatures, by slot. */
  async episodes(content: number, slots: readonly number[]): Promise<Map<number, StoredEpisode>> {
    const found = new Map<number, StoredEpisode>()
    for (const page of pages(slots)) {
      const rows = await this.#query(
        lookup('agidb_episode', 'slot, id, "row", encoder', 'id is not null'),
        content,
        page,
      )
      for (const episode of await this.#signed(content, rows)) found.set(episode.slot, episode)
    }
    return found
  }

  /** All live episodes, by slots ascending. */
  async *all(content: number): AsyncGenerator<StoredEpisode> {
    for (let last = -1; ; ) {
      const rows = await this.#query(
        `select slot, id, "row", encoder from agidb_episode
        where namespace = $1::text and content = $2::text::bigint and slot > $3::text::bigint and id is not null
        order by slot limit ${PAGE}`,
        content,
        String(last),
      )
      if (rows.length === 0) return
      yield* await this.#signed(content, rows)
      last = Number(rows[rows.length - 1].slot)
    }
  }

  /** The live episodes of slots, in the same order, a page at a time. */
  async *some(content: number, slots: readonly number[]): AsyncGenerator<StoredEpisode> {
    for (let at = 0; at < slots.length; at += PAGE) {
      const page = slots.slice(at, at + PAGE)
      const found = await this.episodes(content, page)
      for (const slot of page) if (found.has(slot)) yield found.get(slot)!
    }
  }

  /** The slots that were used, live ones and those of removed episodes, as ranges. */
  async slots(content: number): Promise<{ readonly first: number; readonly last: number; readonly isLive: boolean }[]> {
    const rows = await rowsOf(
      this.#driver,
      `select min(slot) as first, max(slot) as last, live from (
        select slot, (id is not null)::int as live,
          slot - row_number() over (partition by id is not null order by slot) as island
        from agidb_episode where namespace = $1::text and content = $2::text::bigint
      ) s group by live, island`,
      this.#namespace,
      String(content),
    )
    return rows.map(({ first, last, live }) => ({
      first: Number(first),
      last: Number(last),
      isLive: Number(live) === 1,
    }))
  }

  /** What changed after a commit, by slots ascending. None was removed since. */
  async *changedAfter(content: number, commit: number): AsyncGenerator<ChangedSlot> {
    const rows = await this.#query(
      `select slot, (put_by > $3::text::bigint)::int as is_new, (row_by > $3::text::bigint)::int as has_row,
        (signed_by > $3::text::bigint)::int as has_signatures
      from agidb_episode
      where namespace || '' = $1::text and content = $2::text::bigint
        and greatest(row_by, signed_by) > $3::text::bigint and id is not null
      order by slot`,
      content,
      String(commit),
    )
    const changes = new Map(rows.map((row) => [Number(row.slot), row]))
    for await (const episode of this.some(content, [...changes.keys()])) {
      const { is_new, has_row, has_signatures } = changes.get(episode.slot)!
      const [isNew, hasNewRow, hasNewSignatures] = [is_new, has_row, has_signatures].map((flag) => Number(flag) === 1)
      yield { ...episode, isNew, hasNewRow, hasNewSignatures }
    }
  }

  /** Visits the signatures of live slots, ascending. */
  async signatures(
    content: number,
    slots: ArrayLike<number>,
    visit: (slot: number, signed: EncodedSignatures) => void,
  ): Promise<void> {
    for (const page of pages(Array.from(slots).sort((a, b) => a - b))) {
      const rows = await this.#query(SIGNED, content, page)
      for (let from = 0, to = 0; from < rows.length; from = to) {
        const slot = Number(rows[from].slot)
        const signatures: Signatures = {}
        for (; to < rows.length && Number(rows[to].slot) === slot; to++)
          if (rows[to].kind !== null) signatures[String(rows[to].kind)] = fromBytea(rows[to].bytes)
        visit(slot, { signatures, ...encoderOf(rows[from]) })
      }
    }
  }

  /** Bytes of what is live, and of the checkpoint. */
  async bytes(): Promise<number> {
    const [row] = await rowsOf(
      this.#driver,
      `select bytes + (select coalesce(sum(octet_length(c.bytes)), 0) from agidb_checkpoint c
        where c.namespace = m.namespace) as bytes
      from agidb_memory m where namespace = $1::text`,
      this.#namespace,
    )
    return Number(row?.bytes ?? 0)
  }

  async #signed(content: number, rows: readonly Row[]): Promise<StoredEpisode[]> {
    const episodes = rows.map((row) => ({
      slot: Number(row.slot),
      id: idOf(row),
      row: fromBytea(row.row),
      signatures: {},
      ...encoderOf(row),
    }))
    await this.#sign(content, new Map(episodes.map((episode) => [episode.slot, episode])))
    return episodes
  }

  /** Gives each the signatures of its slot. */
  async #sign(content: number, bySlot: ReadonlyMap<number, { readonly signatures: Signatures }>): Promise<void> {
    if (bySlot.size === 0) return
    const signed = await this.#query(
      lookup('agidb_signature', 'slot, kind, bytes'),
      content,
      arrayOf([...bySlot.keys()]),
    )
    for (const { slot, kind, bytes } of signed) bySlot.get(Number(slot))!.signatures[String(kind)] = fromBytea(bytes)
  }

  #query(statement: string, content: number, value: string): Promise<readonly Row[]> {
    this.#lastAsked = performance.now()
    return rowsOf(this.#driver, statement, this.#namespace, String(content), value)
  }
}

/**
 * Reads slots of a table: $1 namespace, $2 content, $3 slots. `offset 0` keeps one look-up in the index for each slot:
 * without statistics of the table the planner takes a memory for a few rows, and would filter all of them.
 */
function lookup(table: string, columns: string, condition = 'true'): string {
  return `select found.* from unnest($3::text::bigint[]) as wanted(slot) cross join lateral (
    select ${columns} from ${table} t
    where t.namespace = $1::text and t.content = $2::text::bigint and t.slot = wanted.slot and ${condition}
    offset 0) found`
}

/** Reads the signatures of live slots, those of a slot after each other: parameters as of {@link lookup}. */
const SIGNED = `select live.slot, live.encoder, signed.kind, signed.bytes
  from unnest($3::text::bigint[]) with ordinality as wanted(slot, place) cross join lateral (
    select slot, encoder from agidb_episode t
    where t.namespace = $1::text and t.content = $2::text::bigint and t.slot = wanted.slot and id is not null
    offset 0) live left join lateral (
    select kind, bytes from agidb_signature t
    where t.namespace = $1::text and t.content = $2::text::bigint and t.slot = wanted.slot
    offset 0) signed on true
  order by place`

function encoderOf({ encoder }: Row): { readonly encoder?: number } {
  return encoder === null ? {} : { encoder: Number(encoder) }
}

function idOf({ slot, id }: Row): string {
  try {
    return decodeUtf8(fromBytea(id))
  } catch (cause) {
    throw new AgidbError(
      'AGIDB_CORRUPT',
      `the id in slot ${String(slot)} is damaged`,
      { slot: Number(slot) },
      { cause },
    )
  }
}

/** Slots in pages, each as the text form of an array. */
function pages(slots: readonly number[]): string[] {
  const distinct = [...new Set(slots)]
  return Array.from({ length: Math.ceil(distinct.length / PAGE) }, (_, page) =>
    arrayOf(distinct.slice(page * PAGE, (page + 1) * PAGE)),
  )
}
