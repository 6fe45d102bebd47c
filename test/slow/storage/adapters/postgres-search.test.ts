// Signatures that PostgreSQL searches: with pgvector and without, in PGlite and in a server of this machine.
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { postgresStorage } from '../../../../src/storage/adapters/postgres/postgres.js'
import { storageContract, type PartName } from '../../../../src/storage/contract/index.js'
import { PostgresServer, postgresPrograms } from '../../../fixtures/postgres-server.js'
import { pgvector } from './pgvector.js'

const PARTS: readonly PartName[] = ['signatures', 'checkpoint', 'maintenance', 'nearest']
const bin = postgresPrograms()
describe.each([
  ['PGlite', async () => PGlite.create()],
  ['PGlite with pgvector', pgvector],
])('%s that searches', (_, create) => {
  let server: PGlite
  let places = 0
  beforeAll(async () => void (server = await create()))
  afterAll(() => server.close())

  const tests = storageContract({ durable: true, parts: PARTS }, () => {
    const namespace = `it's \\place ${places++}`
    return { adapter: () => postgresStorage(server, { namespace, search: 'server' }) }
  })
  for (const { name, run } of tests) test(`keeps the contract: ${name}`, run)
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
