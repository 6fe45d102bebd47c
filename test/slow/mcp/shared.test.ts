import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, inject, test } from 'vitest'
import { Agidb } from '../../../src/runtimes/node/index.js'
import { agidb, outcomeOf, scratch, start } from '../cli/agidb.js'

const { path, write } = scratch()

/** A client of a server in a process of its own, as a desktop application starts one. */
async function connect(db: string, ...flags: string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const args = [inject('cli'), 'mcp', '--db', db, ...flags]
  await client.connect(new StdioClientTransport({ command: process.execPath, args }))
  return client
}

async function recalled(client: Client, query: string): Promise<string> {
  return JSON.stringify(await client.callTool({ name: 'recall', arguments: { query, k: 3 } }))
}

test('a server, a second server and commands use one folder at the same time', async () => {
  const db = path('shared')
  const server = await connect(db)
  await server.callTool({ name: 'remember', arguments: { text: 'The rent is due on Friday.' } })

  expect((await agidb('recall', 'when is the rent due?', '--db', db)).out).toContain('Friday')
  const file = write('chat.txt', 'Sarah: Bawri is a thai place in Bandra.\n')
  expect(await agidb('remember', file, '--db', db)).toMatchObject({
    code: 0,
    out: expect.stringContaining('2 memories'),
  })
  expect(await recalled(server, 'thai place')).toContain('Bawri')

  const second = await connect(db)
  await second.callTool({ name: 'remember', arguments: { text: 'The dentist moved to Hill Road.' } })
  expect(await recalled(server, 'dentist')).toContain('Hill Road')

  await server.close() // the second one takes the folder over
  await second.callTool({ name: 'remember', arguments: { text: 'The depot is in Oslo.' } })
  const { out } = await agidb('stats', '--db', db, '--json')
  expect(JSON.parse(out)).toMatchObject({ episodes: 4 })
  expect(await recalled(await connect(db, '--read-only'), 'depot')).toContain('Oslo')
  await second.close()
})

test('options that hold in one process alone are refused while a server has the folder', async () => {
  const db = path('ranker')
  const server = await connect(db)
  await server.callTool({ name: 'remember', arguments: { text: 'The rent is due on Friday.' } })
  const { code, err } = await agidb('recall', 'rent', '--ranker', 'fusion', '--db', db)
  expect({ code, err }).toMatchObject({ code: 1, err: expect.stringMatching(/end that process.*AGIDB_IN_USE/s) })
  await server.close()
})

test('a process that does not share its folder is named', async () => {
  const db = path('alone')
  const alone = await Agidb.open({ path: db })
  for (const command of [['mcp'], ['stats']]) {
    const { code, err } = await outcomeOf(start(...command, '--db', db))
    expect(code).toBe(1)
    expect(err).toContain(`process ${process.pid}`)
    expect(err).toMatch(/does not share it, as agidb mcp .*share: true.*AGIDB_IN_USE/s)
  }
  await alone.close()
})
