import type { PGlite } from '@electric-sql/pglite'
import { peer } from '../../../../bench/peers/contender.js'

/** Makes a PGlite with pgvector, which `npm ci --prefix bench/peers` installs; `undefined` where it is not there. */
export const pgvector = await found()

async function found(): Promise<(() => Promise<PGlite>) | undefined> {
  try {
    const { vector } = await peer<{ vector: object }>('@electric-sql/pglite-pgvector/dist/index.js')
    const { PGlite } = await peer<{ PGlite: { create(options: object): Promise<PGlite> } }>(
      '@electric-sql/pglite/dist/index.js',
    )
    return async () => {
      const database = await PGlite.create({ extensions: { vector } })
      await database.exec('create extension vector')
      return database
    }
  } catch {
    return undefined
  }
}
