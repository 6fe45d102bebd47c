import { AgidbError } from '../../../base/errors.js'
import { decodeUtf8 } from '../../../base/utf8.js'
import type { StoredEpisode } from '../../../api/storage.js'
import { fromBytea } from './bytea.js'
import { rowsOf, type PostgresDriver, type Row } from './driver.js'

/** Slots that are asked for at a time. */
const PAGE = 512

/** What reads the content of a memory. */
export class Reader {
  readonly #driver: PostgresDriver
  readonly #namespace: string

  constructor(driver: PostgresDriver, namespace: string) {
    this.#driver = driver
    this.#namespace = namespace
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

  /** All slots that were used, ascending, in pages: removed ones have no episode. */
  async *all(content: number): AsyncGenerator<{ readonly slot: number; readonly episode?: StoredEpisode }[]> {
    let last = -1
    for (;;) {
      const rows = await this.#query(
        `select slot, id, "row", encoder from agidb_episode
        where namespace = $1::text and content = $2::text::bigint and slot > $3::text::bigint
        order by slot limit ${PAGE}`,
        content,
        String(last),
      )
      if (rows.length === 0) return
      const live = await this.#signed(
        content,
        rows.filter(({ id }) => id !== null),
      )
      const bySlot = new Map(live.map((episode) => [episode.slot, episode]))
      const slots = rows.map(({ slot }) => Number(slot))
      last = slots[slots.length - 1]
      yield slots.map((slot) => ({ slot, episode: bySlot.get(slot) }))
    }
  }

  /** Bytes of what is live. */
  async bytes(): Promise<number> {
    const [row] = await rowsOf(
      this.#driver,
      'select bytes from agidb_memory where namespace = $1::text',
      this.#namespace,
    )
    return Number(row?.bytes ?? 0)
  }

  async #signed(content: number, rows: readonly Row[]): Promise<StoredEpisode[]> {
    const episodes = rows.map((row) => {
      const signatures: Record<string, Uint8Array> = {}
      const encoder = row.encoder === null ? {} : { encoder: Number(row.encoder) }
      return { slot: Number(row.slot), id: idOf(row), row: fromBytea(row.row), signatures, ...encoder }
    })
    if (episodes.length === 0) return episodes
    const bySlot = new Map(episodes.map(({ slot, signatures }) => [slot, signatures]))
    const signed = await this.#query(
      lookup('agidb_signature', 'slot, kind, bytes'),
      content,
      arrayOf([...bySlot.keys()]),
    )
    for (const { slot, kind, bytes } of signed) bySlot.get(Number(slot))![String(kind)] = fromBytea(bytes)
    return episodes
  }

  #query(statement: string, content: number, value: string): Promise<readonly Row[]> {
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

function arrayOf(slots: readonly number[]): string {
  return `{${slots.join(',')}}`
}
