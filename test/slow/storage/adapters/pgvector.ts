import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'

/** Makes a PGlite with pgvector. */
export async function pgvector(): Promise<PGlite> {
  const database = await PGlite.create({ extensions: { vector } })
  await database.exec('create extension vector')
  return database
}
