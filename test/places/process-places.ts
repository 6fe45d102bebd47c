// The places of programs: each runs in its runtime, in a process of its own.
import { Agidb, type StorageAdapter } from 'agidb'
import { denoKvStorage, type DenoKv } from 'agidb/deno-kv'
import { postgresStorage, type PostgresDriver, type PostgresStorageOptions } from 'agidb/postgres'
import { sqliteStorage, type SqliteDriver } from 'agidb/sqlite'
import type { StorageFeatures } from 'agidb/storage-contract'
import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { FIXED } from '../runtimes/remember-and-recall.ts'
import type { Place } from './exam.ts'

const ALL: StorageFeatures = { durable: true, parts: ['signatures', 'checkpoint', 'maintenance'] }
const SEARCHING: StorageFeatures = { ...ALL, parts: [...ALL.parts!, 'nearest'] }
const OPTIONS = { ...FIXED, tombstoneDays: 0 }

/** A connection to a place with a name, and what ends it. */
interface Connection {
  readonly storage: StorageAdapter
  end?(): unknown
}
type Connect = (name: string) => Promise<Connection>
type Module = Record<string, new (...args: unknown[]) => never>

/** How each place is connected to. */
const PLACES: Readonly<Record<string, (folder: string, tools: string) => Promise<Connect>>> = {
  'node:sqlite': async (folder) => sqlite(folder, ((await load('node:sqlite')) as Module).DatabaseSync),
  'bun:sqlite': async (folder) => sqlite(folder, ((await load('bun:sqlite')) as Module).Database),
  libsql: async (folder) => sqlite(folder, createRequire(import.meta.url)('libsql')),
  'better-sqlite3': async (folder, tools) => sqlite(folder, createRequire(`${tools}/`)('better-sqlite3')),
  'Deno KV': async (folder) => async (name) => {
    const { Deno } = globalThis as unknown as { Deno: { openKv(path: string): Promise<DenoKv & { close(): void }> } }
    const kv = await Deno.openKv(join(folder, `${name}.kv`))
    return { storage: denoKvStorage(kv, { leaseMs: 800 }), end: () => kv.close() }
  },
  PGlite: async () => {
    const { PGlite } = (await load('@electric-sql/pglite')) as { PGlite: { create(): Promise<PostgresDriver> } }
    const server = await PGlite.create()
    return async (namespace) => ({ storage: postgresStorage(server, { namespace }) })
  },
  PostgreSQL: (host) => postgres(host, 'memory'),
  'PostgreSQL that searches': (host) => postgres(host, 'server'),
}

/** @param host the folder of the socket of a server. */
async function postgres(host: string, search: PostgresStorageOptions['search']): Promise<Connect> {
  const { default: pg } = (await load('pg')) as {
    default: { Client: new (options: object) => PostgresDriver & { connect(): Promise<void>; end(): Promise<void> } }
  }
  return async (namespace) => {
    const client = new pg.Client({ host, user: 'agidb', database: 'postgres' })
    await client.connect()
    return { storage: postgresStorage(client, { namespace, search }), end: () => client.end() }
  }
}

/** The places without a `storage` of their own. */
export async function placeOf(name: string, folder: string, tools: string): Promise<Place> {
  if (name === 'memory') return memory()
  if (name === 'folder') return inFolder(folder)
  const connect = await PLACES[name](folder, tools)
  let places = 0
  return {
    durable: true,
    features: name === 'PostgreSQL that searches' ? SEARCHING : ALL,
    async contractPlace() {
      const place = `case-${places++}`
      // A case plays several runs of a program, each over a connection of its own.
      const connections = await Promise.all(Array.from({ length: 3 }, () => connect(place)))
      let next = 0
      return {
        adapter: () => connections[next++ % connections.length].storage,
        remove: async () => void (await Promise.all(connections.map(async ({ end }) => end?.()))),
      }
    },
    async open(memory) {
      const { storage } = await connect(memory)
      return Agidb.open({ storage, ...OPTIONS })
    },
  }
}

/** The adapter of a place, for one program that is killed. */
export async function adapterOf(name: string, folder: string, tools: string): Promise<StorageAdapter> {
  if (name === 'folder') return (await folderStorage())(join(folder, 'killed'))
  return (await (await PLACES[name](folder, tools))('killed')).storage
}

function memory(): Place {
  return {
    durable: false,
    features: { durable: false },
    contractPlace: async () => ({ adapter: await internal('memory.js', 'memoryStorage') }),
    open: () => Agidb.open({ storage: 'memory', ...OPTIONS }),
  }
}

async function inFolder(folder: string): Promise<Place> {
  const storage = await folderStorage()
  let places = 0
  return {
    durable: true,
    features: ALL,
    async contractPlace() {
      const path = join(folder, `case-${places++}`)
      return { adapter: () => storage(path) }
    },
    open: (name) => Agidb.open({ path: join(folder, name), ...OPTIONS }),
  }
}

const folderStorage = () => internal<(path: string) => StorageAdapter>('node/node.js', 'nodeStorage')

/** An adapter that `open` makes by itself, and the package does not export. */
async function internal<T = () => StorageAdapter>(path: string, name: string): Promise<T> {
  const module = await load(new URL(`../../dist/src/storage/adapters/${path}`, import.meta.url).href)
  return (module as Record<string, T>)[name]
}

function sqlite(folder: string, Database: new (path: string) => SqliteDriver & { close(): void }): Connect {
  mkdirSync(folder, { recursive: true })
  return async (name) => {
    const driver = new Database(join(folder, `${name}.db`))
    return { storage: sqliteStorage(driver), end: () => driver.close() }
  }
}

/** A module that only some runtimes have. */
function load(name: string): Promise<unknown> {
  return import(name)
}
