import { join } from 'node:path'
import { peer } from '../peers/contender.js'
import { embedding } from './embedding.js'
import { filesIn } from './files.js'
import type { Subject } from './store.js'

interface Database {
  exec(sql: string): Promise<unknown>
  query<Row>(sql: string, values?: readonly unknown[]): Promise<{ rows: Row[] }>
  close(): Promise<void>
}

/**
 * PGlite (Postgres in WebAssembly) with pgvector, in a folder. It searches exactly: pgvector's HNSW draws random
 * numbers, so that two tables with the same rows answer differently.
 */
export const pglite: readonly Subject[] = [
  subject('`delete from`', ''),
  subject('`delete from`, then `vacuum`', 'vacuum memories'),
  subject('`delete from`, then `vacuum full`', 'vacuum full memories'),
]

function subject(means: string, after: string): Subject {
  return {
    name: 'PGlite + pgvector',
    means,
    async open(folder) {
      const { PGlite } = await peer<{ PGlite: { create(options: object): Promise<Database> } }>(
        '@electric-sql/pglite/dist/index.js',
      )
      const { vector } = await peer<{ vector: object }>('@electric-sql/pglite-pgvector/dist/index.js')
      const dataDir = join(folder, 'pglite')
      const db = await PGlite.create({ dataDir, extensions: { vector } })
      await db.exec('create extension vector; create table memories (id text primary key, body text, v vector(256))')
      const written = (text: string) => `[${embedding(text).join(',')}]`
      return {
        async add(items) {
          const columns = [
            items.map(({ id }) => id),
            items.map(({ text }) => text),
            items.map(({ text }) => written(text)),
          ]
          await db.query(
            'insert into memories select id, body, v::vector ' +
              'from unnest($1::text[], $2::text[], $3::text[]) as t(id, body, v)',
            columns,
          )
        },
        async delete(items) {
          await db.query('delete from memories where id = any($1)', [items.map(({ id }) => id)])
          if (after !== '') await db.exec(after)
        },
        async search(cue, k) {
          const { rows } = await db.query<{ id: string; score: number }>(
            `select id, 1 - (v <=> $1) as score from memories order by v <=> $1 limit ${k}`,
            [written(cue)],
          )
          return rows
        },
        async stored() {
          await db.exec('checkpoint')
          await db.close()
          return filesIn(dataDir)
        },
      }
    },
  }
}
