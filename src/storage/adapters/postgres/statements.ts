// The statements that write. Each is one transaction over any driver, also over one that sends every query through
// another connection. Each first looks at the row of the memory, and does nothing where `writer` there is another: so
// who lost the place, and with it the lock, cannot write any more. $1 is the namespace, $2 the writer.

/** The number of the commit, and of all that follows one. Changes the row of the memory. */
const FENCE = 'where namespace = $1::text and writer = $2::text'

/** The channel on which commits of the memory are told: those of the same name in another schema have another. */
export const CHANNEL = `'agidb_' || md5(to_regclass('agidb_memory')::oid::text || ':' || $1::text)`

/** The end of {@link WRITE} and {@link SWITCH}. */
export const DONE = 'select revision from fence'

/** The same, which also tells those who listen, once the statement took effect. */
export const DONE_AND_TOLD = `select revision, pg_notify(${CHANNEL}, revision::text)::text as told from fence`

/**
 * Commits; {@link DONE} ends it. $3 content, $4 next slot, then what `slotChanges` gives. A removal drops the
 * checkpoint, which may hold what was removed. `offset 0` keeps one look-up in the index for each slot: without
 * statistics the planner takes a memory for a few rows, and would read all of them.
 */
export const WRITE = `with input as materialized (
  select slot, gone, decode(id, 'base64') as id, decode("row", 'base64') as "row", encoder, signed
  from unnest($5::text::bigint[], $6::text::boolean[], $7::text::text[], $8::text::text[], $9::text::smallint[],
    $10::text::boolean[]) as c(slot, gone, id, "row", encoder, signed)
), signature as materialized (
  select slot, kind, decode(bytes, 'base64') as bytes
  from unnest($11::text::bigint[], $12::text::text[], $13::text::text[]) as c(slot, kind, bytes)
), episode as materialized (
  select i.slot, i.id is not null as is_new, i."row" is not null as has_row, signed,
    e.put_by, e.row_by, e.signed_by,
    case when gone then null else coalesce(i.id, e.id) end as id,
    case when gone then null else coalesce(i."row", e."row") end as "row",
    case when gone then null else coalesce(i.encoder, e.encoder) end as encoder,
    coalesce(octet_length(e.id) + octet_length(e."row"), 0) as bytes
  from input i left join lateral (
    select * from agidb_episode t
    where t.namespace = $1::text and t.content = $3::text::bigint and t.slot = i.slot offset 0
  ) e on true
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
    bytes = bytes + case when content = $3::text::bigint then (select bytes from growth) else 0 end,
    checkpoint = case when exists (select from input where gone) then null else checkpoint end
  ${FENCE}
  returning revision, bits_to
), episodes as (
  insert into agidb_episode (namespace, content, slot, id, "row", encoder, put_by, row_by, signed_by)
  select $1::text, $3::text::bigint, slot, id, "row", encoder,
    case when is_new then revision else coalesce(put_by, 0) end,
    case when has_row then revision else coalesce(row_by, 0) end,
    case when signed then revision else coalesce(signed_by, 0) end
  from episode cross join fence
  on conflict (namespace, content, slot) do update set id = excluded.id, "row" = excluded."row",
    encoder = excluded.encoder, put_by = excluded.put_by, row_by = excluded.row_by, signed_by = excluded.signed_by
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
), pieces as (
  delete from agidb_checkpoint where namespace = $1::text and exists (select from fence)
    and exists (select from input where gone)
)
`

/** What stands before a signature, and the signature as bits. */
const [MARK, BITS] = [
  'substr(bytes, 1, octet_length(bytes) - 1024)',
  `('x' || encode(substr(bytes, octet_length(bytes) - 1023), 'hex'))::bit(8192)`,
]
const HAS_BITS = 'octet_length(bytes) in (1024, 1032)'

/** Behind {@link WRITE}: changes the bits as the signatures, of slots that have theirs. */
export const WRITE_BITS = `, bits_dropped as (
  delete from agidb_bits where exists (select from fence) and ctid in (
    select b.ctid from input i cross join lateral (
      select kind from agidb_signature t
      where t.namespace = $1::text and t.content = $3::text::bigint and t.slot = i.slot offset 0
    ) s cross join lateral (
      select ctid from agidb_bits t
      where t.namespace = $1::text and t.content = $3::text::bigint and t.kind = s.kind and t.slot = i.slot offset 0
    ) b where gone or (i.slot, s.kind) in (select slot, kind from signature where not ${HAS_BITS}))
), bits_written as (
  insert into agidb_bits (namespace, content, kind, slot, mark, bits)
  select $1::text, $3::text::bigint, kind, slot, ${MARK}, ${BITS} from signature
  where ${HAS_BITS} and slot < (select bits_to from fence)
  order by kind, slot
  on conflict (namespace, content, kind, slot) do update set mark = excluded.mark, bits = excluded.bits
)
`

/** Makes the bits of the signatures that have none yet, of slots from $3 up to $4; $5 what `bits_to` is then. */
export const FILL_BITS = `with fence as (
  update agidb_memory set bits_to = $5::text::bigint ${FENCE} returning content
), bits_written as (
  insert into agidb_bits (namespace, content, kind, slot, mark, bits)
  select $1::text, fence.content, kind, slot, ${MARK}, ${BITS} from agidb_signature s cross join fence
  where s.namespace = $1::text and s.content = fence.content and slot >= $3::text::bigint and slot < $4::text::bigint
    and ${HAS_BITS}
  order by kind, slot
  on conflict (namespace, content, kind, slot) do update set mark = excluded.mark, bits = excluded.bits
)
select from fence`

/** How many signatures of a content ($2) have no bits or others, and how many bits have no signature. */
export const WRONG_BITS = `select count(*) as wrong
  from (select kind, slot, ${MARK} as mark, ${BITS} as bits from agidb_signature
    where namespace = $1::text and content = $2::text::bigint and ${HAS_BITS}) s
  full join (select kind, slot, mark, bits from agidb_bits
    where namespace = $1::text and content = $2::text::bigint) b using (kind, slot)
  where s.bits is distinct from b.bits or s.mark is distinct from b.mark`

/** Deletes all bits of the memory; {@link FILL_BITS} makes them again. */
export const DROP_BITS = `with fence as (
  update agidb_memory set bits_to = 0 ${FENCE} returning content
)
delete from agidb_bits where namespace = $1::text and exists (select from fence)`

/** Deletes the bits of all contents but the valid one, $3. */
export const SWEEP_BITS = `with fence as materialized (
  select from agidb_memory ${FENCE} and content = $3::text::bigint for share
)
delete from agidb_bits where namespace = $1::text and exists (select from fence)
  and (content < $3::text::bigint or content > $3::text::bigint)`

/** Makes another content the valid one; {@link DONE} ends it. $3 content, $4 next slot. */
export const SWITCH = `with fence as (
  update agidb_memory m set revision = revision + 1, content = $3::text::bigint,
    next_slot = $4::text::bigint, checkpoint = null,
    bytes = (select coalesce(sum(octet_length(e.id) + octet_length(e."row")), 0) from agidb_episode e
        where e.namespace = m.namespace and e.content = $3::text::bigint)
      + (select coalesce(sum(octet_length(s.bytes)), 0) from agidb_signature s
        where s.namespace = m.namespace and s.content = $3::text::bigint)
  ${FENCE}
  returning revision
), pieces as (
  delete from agidb_checkpoint where namespace = $1::text and exists (select from fence)
)
`

/**
 * Stores the directory of a checkpoint, and deletes the pieces that it does not list. $3 directory, empty for none; $4
 * its parts.
 */
export const KEEP = `with fence as (
  update agidb_memory set revision = revision + 1, checkpoint = nullif($3::text, '') ${FENCE} returning revision
), pieces as (
  delete from agidb_checkpoint
  where namespace = $1::text and part <> all ($4::text::bigint[]) and exists (select from fence)
)
select revision from fence`

/**
 * Writes pieces of a checkpoint. $3 their parts, $4 their numbers, $5 their bytes. The lock makes another opening wait
 * until they are there: it can delete them then.
 */
export const PIECES = `with fence as materialized (
  select revision from agidb_memory ${FENCE} for share
), pieces as (
  insert into agidb_checkpoint (namespace, part, piece, bytes)
  select $1::text, part, piece, decode(bytes, 'base64')
  from unnest($3::text::bigint[], $4::text::int[], $5::text::text[]) as c(part, piece, bytes) cross join fence
  on conflict (namespace, part, piece) do update set bytes = excluded.bytes
)
select revision from fence`

/**
 * Deletes what a replacement or a checkpoint left behind, finished or not: all contents but the valid one ($3), and the
 * pieces of other parts than $4. A comparison with <> would read the whole index.
 */
export const SWEEP = `with fence as materialized (
  select from agidb_memory ${FENCE} and content = $3::text::bigint for share
), signatures as (
  delete from agidb_signature where namespace = $1::text and exists (select from fence)
    and (content < $3::text::bigint or content > $3::text::bigint)
), episodes as (
  delete from agidb_episode where namespace = $1::text and exists (select from fence)
    and (content < $3::text::bigint or content > $3::text::bigint)
), pieces as (
  delete from agidb_checkpoint where namespace = $1::text and exists (select from fence)
    and part <> all ($4::text::bigint[])
)
select from fence`

/** $3 new writer. */
export const RENEW = `update agidb_memory set writer = $3::text ${FENCE} returning revision`

/** $2 id of a new memory, $3 writer. */
export const OPEN = `insert into agidb_memory as m
  (namespace, database_id, writer, revision, content, next_slot, bytes)
  values ($1::text, $2::text, $3::text, 0, 0, 0, 0)
  on conflict (namespace) do update set writer = excluded.writer
  returning database_id, revision, content, next_slot, checkpoint, bits_to`
