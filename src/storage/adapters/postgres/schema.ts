// The tables, by version. A migration is one DO statement, hence one transaction: a crash leaves the version before or
// after it. Openings that migrate at once wait for each other.
//
//     agidb_memory      a row for each memory: its id, its writer, the number of commits, the content that is
//                       valid, the next slot, the bytes of all that is live, and the directory of its checkpoint
//     agidb_episode     a row for each slot that was used; `id` is null where the episode was removed. `put_by`,
//                       `row_by` and `signed_by` are the commits that made it and that last changed it
//     agidb_signature   a row for each signature
//     agidb_checkpoint  the pieces of the checkpoint of the indexes
//     agidb_access      which role may use which namespace, where it does not own the tables
//     agidb_bits        signatures of 8,192 bits again, as bits that the server can compare, of memories that it
//                       searches: of the slots below `bits_to` of agidb_memory, null for none
import { AgidbError } from '../../../base/errors.js'
import { rowsOf, type PostgresDriver } from './driver.js'

/** The tables with rows of namespaces, of the versions up to that in which they are protected. */
const PROTECTED = ['agidb_memory', 'agidb_episode', 'agidb_signature', 'agidb_checkpoint']

/**
 * A policy asks the role, which a session cannot choose, not a setting of the session, which it can. The scopes of a
 * namespace go with it. A role reads its own rows of `agidb_access` alone; nobody but the owner changes any, whatever
 * is granted, because there is no policy for that.
 */
const PROTECTION = [
  `create table agidb_access (role name not null, namespace text not null, primary key (role, namespace));
  alter table agidb_access enable row level security;
  create policy agidb_own on agidb_access for select using (role = current_user);
  grant select on agidb_access to public;`,
  ...PROTECTED.map(protectionOf),
].join('\n  ')

/** Ids are bytea: text of PostgreSQL cannot hold U+0000. */
const MIGRATIONS: readonly string[] = [
  `create table agidb_memory (
    namespace text primary key,
    database_id text not null,
    writer text not null,
    revision bigint not null,
    content bigint not null,
    next_slot bigint not null,
    bytes bigint not null);
  create table agidb_episode (
    namespace text not null,
    content bigint not null,
    slot bigint not null,
    id bytea,
    "row" bytea,
    encoder smallint,
    primary key (namespace, content, slot));
  create table agidb_signature (
    namespace text not null,
    content bigint not null,
    slot bigint not null,
    kind text not null,
    bytes bytea not null,
    primary key (namespace, content, slot, kind));
  alter table agidb_signature alter column bytes set storage external;`,
  // A constant default is not written into the rows that are there. The index begins with an expression, because
  // without statistics the planner would take it for look-ups of slots, too.
  `alter table agidb_memory add column checkpoint text;
  alter table agidb_episode add column put_by bigint not null default 0,
    add column row_by bigint not null default 0, add column signed_by bigint not null default 0;
  create index agidb_changed on agidb_episode ((namespace || ''), content, greatest(row_by, signed_by));
  create table agidb_checkpoint (
    namespace text not null,
    part bigint not null,
    piece int not null,
    bytes bytea not null,
    primary key (namespace, part, piece));
  alter table agidb_checkpoint alter column bytes set storage external;`,
  PROTECTION,
  `alter table agidb_memory add column bits_to bigint;
  create table agidb_bits (
    namespace text not null,
    content bigint not null,
    kind text not null,
    slot bigint not null,
    mark bytea not null,
    bits bit(8192) not null,
    primary key (namespace, content, kind, slot));
  ${protectionOf('agidb_bits')}`,
]

function protectionOf(table: string): string {
  return `alter table ${table} enable row level security;
  create policy agidb_namespace on ${table} using (exists (select from agidb_access a where a.role = current_user
    and (${table}.namespace = a.namespace or starts_with(${table}.namespace, a.namespace || '/'))));`
}

/** The version of the tables that this file makes. */
export const SCHEMA_VERSION = MIGRATIONS.length

/**
 * Makes the tables, or brings them up to date.
 *
 * @throws AgidbError `AGIDB_NEWER_FORMAT` where a newer version of agidb made them.
 */
export async function migrate(driver: PostgresDriver): Promise<void> {
  let version = await versionOf(driver)
  for (; version < SCHEMA_VERSION; version++) await rowsOf(driver, migration(version))
  expectKnown(version)
}

/**
 * Refuses tables that are not as this version of agidb makes them, and makes none.
 *
 * @throws AgidbError `AGIDB_NEWER_FORMAT`; `AGIDB_NOT_FOUND` where there are none, `AGIDB_READ_ONLY` where they are
 * older.
 */
export async function expectSchema(driver: PostgresDriver): Promise<void> {
  const version = await versionOf(driver)
  expectKnown(version)
  if (version === SCHEMA_VERSION) return
  if (version === 0)
    throw new AgidbError('AGIDB_NOT_FOUND', 'there are no tables of agidb, and readOnly: true makes none')
  throw new AgidbError(
    'AGIDB_READ_ONLY',
    `the tables have version ${version}, and readOnly: true cannot bring them to version ${SCHEMA_VERSION}: ` +
      'open the memory once without it',
    { version, supported: SCHEMA_VERSION },
  )
}

function expectKnown(version: number): void {
  if (version > SCHEMA_VERSION)
    throw new AgidbError(
      'AGIDB_NEWER_FORMAT',
      `the tables have version ${version}; this version of agidb reads up to ${SCHEMA_VERSION}: update agidb`,
      { version, supported: SCHEMA_VERSION },
    )
}

async function versionOf(driver: PostgresDriver): Promise<number> {
  const [{ exists }] = await rowsOf(driver, `select to_regclass('agidb_schema') is not null as exists`)
  if (exists !== true && exists !== 't') return 0
  const [row] = await rowsOf(driver, 'select version from agidb_schema')
  return Number(row.version)
}

/** Goes from one version to the next, unless somebody else did meanwhile. */
function migration(from: number): string {
  return `do $migration$ begin
  perform pg_advisory_xact_lock(hashtextextended('agidb_schema', 0));
  create table if not exists agidb_schema (version int not null);
  if not exists (select from agidb_schema) then insert into agidb_schema values (0); end if;
  if (select version from agidb_schema) = ${from} then
    ${MIGRATIONS[from]}
    update agidb_schema set version = ${from + 1};
  end if;
end $migration$`
}
