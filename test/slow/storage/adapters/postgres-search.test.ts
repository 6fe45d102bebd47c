// Signatures that PostgreSQL searches: with pgvector and without, in PGlite and in a server of this machine.
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { peer } from '../../../../bench/peers/contender.js'
import { postgresStorage } from '../../../../src/storage/adapters/postgres/postgres.js'
import { storageContract, type PartName } from '../../../../src/storage/contract/index.js'
import { PostgresServer, postgresPrograms } from '../../../fixtures/postgres-server.js'

const PARTS: readonly PartName[] = ['signatures', 'checkpoint', 'maintenance', 'nearest']
const bin = postgresPrograms()
const withVector = await pgvector()

/** A PGlite with pgvector, which `npm ci --prefix bench/peers` installs; `undefined` where it is not there. */
async function pgvector(): Promise<(() => Promise<PGlite>) | undefined> {
  try {
    const { vector } = await peer<{ vector: object }>('@electric-sql/pglite-pgvector/dist/index.js')
    const peers = await peer<{ PGlite: typeof PGlite }>('@electric-sql/pglite/dist/index.js')
    return async () => {
      const database = (await peers.PGlite.create({ extensions: { vector } } as object)) as PGlite
      await database.exec('create extension vector')
      return database
    }
  } catch {
    return undefined
  }
}

describe.each([
  ['PGlite', async () => PGlite.create()],
  ['PGlite with pgvector', withVector],
])('%s', (_, create) => {
  describe.skipIf(create === undefined)('that searches', () => {
    let server: PGlite
    let places = 0
    beforeAll(async () => void (server = await create!()))
    afterAll(() => server.close())

    const tests = storageContract({ durable: true, parts: PARTS }, () => {
      const namespace = `it's \\place ${places++}`
      return { adapter: () => postgresStorage(server, { namespace, search: 'server' }) }
    })
    for (const { name, run } of tests) test(`keeps the contract: ${name}`, run)
  })
})

describe.skipIf(bin === undefined)('a PostgreSQL of this machine that searches', () => {
  let server: PostgresServer
  let places = 0
  beforeAll(async () => {
    server = new PostgresServer(bin!)
    await server.start()
  })
  afterAll(() => server.remove())

  const tests = storageContract({ durable: true, parts: PARTS }, async () => {
    const clients = [await server.connect(), await server.connect(), await server.connect()]
    const namespace = `place ${places++}`
    let next = 0
    return {
      adapter: () => postgresStorage(clients[next++ % clients.length], { namespace, search: 'server' }),
      remove: async () => void (await Promise.all(clients.map((client) => client.end()))),
    }
  })
  for (const { name, run } of tests) test(`keeps the contract: ${name}`, run)
})
