import { join } from 'node:path'
import { peer, type Contender, type Index, type Setting } from './contender.js'

interface Database {
  exec(sql: string): Promise<unknown>
  query<Row>(sql: string, values?: readonly unknown[], options?: { blob: Blob }): Promise<{ rows: Row[] }>
  close(): Promise<void>
}

interface Kind<Item> {
  readonly column: string
  readonly distance: string
  readonly operators: string
  written(item: Item): string
}

const BITS: Kind<Uint8Array> = {
  column: 'bit(8192)',
  distance: '<~>',
  operators: 'bit_hamming_ops',
  written: (bits) => Array.from(bits, reversed).join(''),
}
const LATENTS: Kind<Float32Array> = {
  column: 'vector(256)',
  distance: '<=>',
  operators: 'vector_cosine_ops',
  written: (latent) => `[${latent.join(',')}]`,
}

/** PGlite (Postgres in WebAssembly) with pgvector, in a folder: an exact scan, and its HNSW as it comes. */
export const pgvectorBits = [
  contender('PGlite + pgvector', BITS, false),
  contender('PGlite + pgvector, HNSW', BITS, true),
]
export const pgvectorLatents = [
  contender('PGlite + pgvector', LATENTS, false),
  contender('PGlite + pgvector, HNSW', LATENTS, true),
]

function contender<Item>(name: string, kind: Kind<Item>, hnsw: boolean): Contender<Item> {
  const opened = async ({ folder }: Setting): Promise<Database> => {
    const { PGlite } = await peer<{ PGlite: { create(options: object): Promise<Database> } }>(
      '@electric-sql/pglite/dist/index.js',
    )
    const { vector } = await peer<{ vector: object }>('@electric-sql/pglite-pgvector/dist/index.js')
    return PGlite.create({ dataDir: join(folder, 'pglite'), extensions: { vector } })
  }
  return {
    name,
    async open(setting) {
      const db = await opened(setting)
      await db.exec(`create extension vector; create table vectors (id integer primary key, v ${kind.column})`)
      return indexed(db, kind, hnsw)
    },
    reopen: async (setting) => indexed(await opened(setting), kind, hnsw),
  }
}

function indexed<Item>(db: Database, { written, distance, operators }: Kind<Item>, hnsw: boolean): Index<Item> {
  let next = 0
  return {
    async add(items) {
      const blob = new Blob(items.map((item) => `${next++}\t${written(item)}\n`))
      await db.query(`copy vectors from '/dev/blob'`, [], { blob })
    },
    async finish() {
      if (hnsw) await db.exec(`create index on vectors using hnsw (v ${operators})`)
    },
    async search(query, k) {
      const { rows } = await db.query<{ id: number }>(`select id from vectors order by v ${distance} $1 limit ${k}`, [
        written(query),
      ])
      return rows.map(({ id }) => id)
    },
    save: () => db.close(),
  }
}

/** The bits of a byte, dimension 0 first. */
function reversed(byte: number): string {
  return [...byte.toString(2).padStart(8, '0')].reverse().join('')
}
