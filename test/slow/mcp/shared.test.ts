import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, inject, test } from 'vitest'
import { agidb, scratch } from '../cli/agidb.js'

const MAIN = inject('cli')
const { path, write } = scratch()

/** Starts `agidb mcp` on a folder, and connects the official client to it. */
async function connect(folder: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const args = [MAIN, 'mcp', '--db', folder, '--priming', '0']
  await client.connect(new StdioClientTransport({ command: process.execPath, args }))
  return client
}

async function remember(client: Client, text: string): Promise<void> {
  const { isError } = await client.callTool({ name: 'remember', arguments: { text } })
  expect(isError ?? false).toBe(false)
}

async function best(client: Client, query: string): Promise<unknown> {
  const { structuredContent } = await client.callTool({ name: 'recall', arguments: { query, k: 1 } })
  return (structuredContent as { matches: { text: string }[] }).matches[0]?.text
}

async function stats(folder: string): Promise<{ episodes: number }> {
  const { code, out } = await agidb('stats', '--db', folder, '--json')
  expect(code).toBe(0)
  return JSON.parse(out) as { episodes: number }
}

test('commands and a second server use the memory of a server, and each finds what others write', async () => {
  const folder = path('used')
  const first = await connect(folder)
  await remember(first, 'The rent is due on Friday.')
  const file = write('chat.txt', 'Sarah: Bawri is a thai place in Bandra.\nSarah: It opens at six.\n')
  const remembered = await agidb('remember', file, '--db', folder)
  expect(remembered).toMatchObject({ code: 0, out: expect.stringContaining('3 memories in ') })
  expect(await best(first, 'which thai place?')).toBe('Bawri is a thai place in Bandra.')
  const second = await connect(folder)
  await remember(second, 'The plumber comes on Tuesday.')
  expect(await best(first, 'when does the plumber come?')).toBe('The plumber comes on Tuesday.')
  expect(await stats(folder)).toMatchObject({ episodes: 4 })
  const recalled = await agidb('recall', 'when is the rent due?', '--db', folder, '--json')
  expect(recalled.code).toBe(0)
  expect(recalled.out).toContain('The rent is due on Friday.')

  // The second server goes on when the first one ends.
  await first.close()
  await remember(second, 'The keys are under the mat.')
  expect(await best(second, 'where are the keys?')).toBe('The keys are under the mat.')
  await second.close()
  expect(await stats(folder)).toMatchObject({ episodes: 5 })
})

test('a ranker of its own is not used by the server, so a command with one waits and says so', async () => {
  const folder = path('ranked')
  const server = await connect(folder)
  await remember(server, 'The rent is due on Friday.')
  const asked = await agidb('recall', 'rent', '--ranker', 'fusion', '--db', folder)
  expect(asked).toMatchObject({ code: 1, err: expect.stringContaining('AGIDB_IN_USE') })
  await server.close()
})
