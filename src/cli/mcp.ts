import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import { AgidbError } from '../base/errors.js'
import type { McpServerOptions } from '../mcp/index.js'
import { configurationOf, DB_HELP } from './configuration.js'
import { interruption } from './interruption.js'
import { wholeNumber } from './number-option.js'
import { openExisting } from './existing.js'
import { openWhenFree, type Opened } from './open.js'
import { EXIT_HELP } from './output.js'
import { printable } from './terminal.js'
import { version } from './version.js'

interface McpFlags {
  readonly db: string
  readonly http?: boolean
  readonly host?: string
  readonly port?: number
  readonly allowHost?: readonly string[]
  readonly allowOrigin?: readonly string[]
  readonly readOnly?: boolean
  readonly priming: number
}

/** Adds `agidb mcp` to the program. */
export function addMcp(program: Command): void {
  program
    .command('mcp')
    .summary('serve the memory to agents by the Model Context Protocol')
    .description(
      'Serves the memory to an agent over standard input and output, or with --http to many over HTTP. Over HTTP ' +
        'every request brings a bearer token: that of AGIDB_MCP_TOKEN, else one that is made and printed. Needs ' +
        'the packages @modelcontextprotocol/sdk and zod.',
    )
    .option('--db <folder>', `the memory, a folder; made when it is not there; ${DB_HELP}`)
    .option('--http', 'listen for HTTP instead of standard input')
    .option('--host <address>', 'where to listen; AGIDB_HOST (default: 127.0.0.1, this machine alone)')
    .option('--port <number>', 'AGIDB_PORT (default: 8080); 0 chooses a free one', wholeNumber(0, 65_535))
    .option('--allow-host <name...>', 'further host names that requests may be sent to')
    .option(
      '--allow-origin <origin...>',
      "further origins of pages that may send requests (default: the server's own alone)",
    )
    .option('--read-only', 'change nothing')
    .option(
      '--priming <tokens>',
      'how much of what the memory knows an agent gets when it connects; 0 for nothing',
      wholeNumber(0, 100_000),
      500,
    )
    .option('--json', 'print errors as JSON')
    .addHelpText(
      'after',
      `
Example:
  $ agidb mcp --db memory
  $ AGIDB_MCP_TOKEN=$(openssl rand -hex 32) agidb mcp --http --port 8080 --db memory
${EXIT_HELP}`,
    )
    .action(mcp)
}

async function mcp({ db: path, readOnly, priming, ...flags }: McpFlags): Promise<void> {
  await expectSdk()
  const { settings } = configurationOf(path)
  const isReadOnly = readOnly === true || settings.readOnly
  const db = isReadOnly
    ? await openExisting(path, { readOnly: true, encodes: true, extract: 'none' })
    : await openWhenFree(path, { encodes: true, learns: true, shares: true })
  const options = { version: version(), readOnly: isReadOnly, primingTokens: priming }
  const interrupted = interruption()
  try {
    if (flags.http !== true) await overStdio(db, options, interrupted.signal)
    else await overHttp(db, options, { ...flags, ...placeOf(flags, settings) }, interrupted.signal)
  } finally {
    interrupted.release()
    await db.close()
  }
}

/** @throws AgidbError `AGIDB_UNSUPPORTED` where the packages are not installed */
async function expectSdk(): Promise<void> {
  try {
    await Promise.all([import('@modelcontextprotocol/sdk/types.js'), import('zod')])
  } catch (cause) {
    const message = 'agidb mcp needs two more packages; install them: npm install @modelcontextprotocol/sdk zod'
    throw new AgidbError('AGIDB_UNSUPPORTED', message, {}, { cause })
  }
}

/** Serves one client until it closes standard input, or the signal fires. */
async function overStdio(db: Opened, options: McpServerOptions, signal: AbortSignal): Promise<void> {
  const [{ createMcpServer }, { serveStdio }] = await Promise.all([
    import('../mcp/index.js'),
    import('../mcp/node/stdio.js'),
  ])
  const server = await createMcpServer(db, options)
  server.server.onerror = ({ message }) => {
    process.stderr.write(`agidb: ${printable(message.slice(0, 500))}\n`)
  }
  await serveStdio(server, signal)
}

/** Where it listens: as typed, else as configured. */
function placeOf(
  { host, port }: McpFlags | Omit<McpFlags, 'db' | 'priming'>,
  settings: { host: string; port: number },
) {
  return { host: host ?? settings.host, port: port ?? settings.port }
}

/** Serves many clients until the signal fires. */
async function overHttp(
  db: Opened,
  options: McpServerOptions,
  {
    host,
    port,
    allowHost = [],
    allowOrigin = [],
  }: Pick<McpFlags, 'allowHost' | 'allowOrigin'> & { host: string; port: number },
  signal: AbortSignal,
): Promise<void> {
  const [{ createMcpHandler }, { serve }] = await Promise.all([
    import('../mcp/index.js'),
    import('../mcp/node/serve.js'),
  ])
  const given = process.env['AGIDB_MCP_TOKEN']
  const token = given === undefined || given === '' ? randomBytes(32).toString('hex') : given
  const name = host.includes(':') ? `[${host}]` : host
  // Of an address with a zone, such as fe80::1%eth0, a request has the address alone.
  const hosts = ['localhost', '127.0.0.1', '[::1]', name.replace(/%[^\]]*/, ''), ...allowHost]
  const handler = createMcpHandler(db, { ...options, token, hosts, origins: allowOrigin })
  const listening = await serve(handler, host, port)
  process.stderr.write(`agidb: http://${printable(name)}:${listening.port}/mcp\n`)
  if (token !== given) process.stderr.write(`agidb: Authorization: Bearer ${token}\n`)
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await listening.close()
}
