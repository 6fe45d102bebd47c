import { join } from 'node:path'
import { peer, type Contender, type Index, type Setting } from './contender.js'

interface Sqlite {
  DatabaseSync: new (
    path: string,
    options: { allowExtension: boolean },
  ) => {
    enableLoadExtension(allow: boolean): void
    loadExtension(path: string): void
    exec(sql: string): void
    prepare(sql: string): { run(...values: unknown[]): unknown; all(...values: unknown[]): { rowid: number }[] }
    close(): void
  }
}

/** sqlite-vec, native, in a file, by an exact scan. */
export const sqliteVecBits = contender<Uint8Array>('sqlite-vec (native)', 'v bit[8192]', 'vec_bit(?)')
export const sqliteVecLatents = contender<Float32Array>(
  'sqlite-vec (native)',
  'v float[256] distance_metric=cosine',
  '?',
)

function contender<Item extends Uint8Array | Float32Array>(
  name: string,
  column: string,
  value: string,
): Contender<Item> {
  const made = async ({ folder }: Setting, there: boolean): Promise<Index<Item>> => {
    const { DatabaseSync } = await peer<Sqlite>('@photostructure/sqlite/dist/index.mjs')
    const { getLoadablePath } = await peer<{ getLoadablePath(): string }>('sqlite-vec/index.mjs')
    const db = new DatabaseSync(join(folder, 'vectors.sqlite'), { allowExtension: true })
    db.enableLoadExtension(true)
    db.loadExtension(getLoadablePath())
    if (!there) db.exec(`create virtual table vectors using vec0(${column})`)
    const insert = db.prepare(`insert into vectors (rowid, v) values (?, ${value})`)
    const nearest = db.prepare(`select rowid from vectors where v match ${value} and k = ? order by distance`)
    let next = 0n
    return {
      add(items) {
        db.exec('begin')
        for (const item of items) insert.run(next++, bytes(item))
        db.exec('commit')
      },
      search: (query, k) => nearest.all(bytes(query), k).map(({ rowid }) => rowid),
      save: () => db.close(),
    }
  }
  return { name, open: (setting) => made(setting, false), reopen: (setting) => made(setting, true) }
}

function bytes({ buffer, byteOffset, byteLength }: Uint8Array | Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
