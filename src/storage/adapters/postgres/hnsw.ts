import { rowsOf, type PostgresDriver } from './driver.js'

/**
 * Whether pgvector is here that indexes bits and goes on until enough rows pass (from 0.8 on), and whether this role
 * owns the table.
 */
const ABOUT = `select to_regtype('vector') is not null and exists (select from pg_extension where extname = 'vector'
    and string_to_array(substring(extversion from '^[0-9]+[.][0-9]+'), '.')::int[] >= array[0, 8]) as has_vector,
  exists (select from pg_class where oid = to_regclass('agidb_bits') and pg_has_role(relowner, 'usage')) as is_owner`

/** What the names of all indexes of a namespace begin with. */
const PREFIX = `'agidb_near_' || substr(md5($1::text), 1, 16) || '_'`

/** The indexes of a namespace that can be used. */
const MADE = `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
  where i.indrelid = to_regclass('agidb_bits') and i.indisvalid and starts_with(c.relname::text, ${PREFIX})`

const OWN = 'namespace = $1::text and content = $2::text::bigint'

/**
 * The kinds of signatures of a content ($2), whether there are at least $3 of each, and the name that its index has. It
 * goes from kind to kind by the key of the table, and counts no further than it must.
 */
const KINDS = `with recursive kinds as (
  (select kind from agidb_bits where ${OWN} order by kind limit 1)
  union all
  select (select b.kind from agidb_bits b where ${OWN} and b.kind > kinds.kind order by b.kind limit 1)
  from kinds where kind is not null
) select kind, ${PREFIX} || $2::text || '_' || substr(md5(kind), 1, 16) as name,
  (select count(*) = $3::text::bigint from (
    select from agidb_bits b where ${OWN} and b.kind = kinds.kind limit $3::text::bigint) counted) as is_large
  from kinds where kind is not null`

/** What is asked of indexes. */
export interface HnswWishes {
  /** Signatures of a kind from which on it is to have one; `Infinity`: none is used. */
  readonly from: number
  /** Whether those that are lacking are made, and those of former contents dropped, where this role owns the table. */
  readonly makes: boolean
  /** How many candidates a search keeps at least. */
  readonly candidates: number
}

/**
 * Which kinds of signatures have an HNSW index (Malkov and Yashunin 2018), by pgvector. Each is of one kind of one
 * content of one memory: so whatever it finds counts, and how long it searches does not depend on other memories.
 * Where this role owns the table, those that are lacking are made, and those of former contents dropped; commits to the
 * table, of all memories, wait meanwhile.
 */
export async function hnswIndexes(
  driver: PostgresDriver,
  namespace: string,
  content: number,
  { from, makes, candidates }: HnswWishes,
): Promise<(content: number, kind: string) => boolean> {
  if (from === Infinity) return () => false
  const [about] = await rowsOf(driver, ABOUT)
  if (!isTrue(about.has_vector)) return () => false
  // For this session. Where each statement has another, an index finds too few, and then all are compared.
  await rowsOf(
    driver,
    `select set_config('hnsw.iterative_scan', 'relaxed_order', false),
      set_config('hnsw.ef_search', '${candidates}', false)`,
  )
  const made = new Set((await rowsOf(driver, MADE, namespace)).map(({ name }) => String(name)))
  if (!makes && made.size === 0) return () => false
  const kinds = await rowsOf(driver, KINDS, namespace, String(content), String(from))
  if (makes && isTrue(about.is_owner)) {
    const names = new Set(kinds.map(({ name }) => String(name)))
    for (const name of made) if (!names.has(name)) await rowsOf(driver, `drop index if exists "${name}"`)
    for (const { kind, is_large, name } of kinds) {
      if (!isTrue(is_large) || made.has(String(name))) continue
      await rowsOf(
        driver,
        `create index if not exists "${String(name)}" on agidb_bits using hnsw (bits bit_hamming_ops)
        where ${ofIndex(namespace, content, String(kind))}`,
      )
      await rowsOf(driver, 'analyze agidb_bits')
      made.add(String(name))
    }
  }
  const indexed = new Set(kinds.filter(({ name }) => made.has(String(name))).map(({ kind }) => String(kind)))
  return (asked, kind) => asked === content && indexed.has(kind)
}

/**
 * The rows of one kind of a memory, in constants: the planner uses an index only where it can prove that its condition
 * holds.
 */
export function ofIndex(namespace: string, content: number, kind: string): string {
  return `namespace = ${literal(namespace)} and content = ${content} and kind = ${literal(kind)}`
}

function literal(text: string): string {
  const quoted = text.replaceAll("'", "''")
  return text.includes('\\') ? `E'${quoted.replaceAll('\\', '\\\\')}'` : `'${quoted}'`
}

function isTrue(value: unknown): boolean {
  return value === true || value === 't'
}
