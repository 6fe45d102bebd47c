import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { AgidbError } from '../../base/errors.js'
import type { McpHandler } from '../http.js'

/**
 * Milliseconds without a request after which a connection is closed. Node's five seconds are too few: a request that
 * arrives while a long call runs would find its connection closed, and a client cannot know whether to repeat it.
 */
const KEEP_ALIVE_MS = 120_000

/** A server that listens. */
export interface Listening {
  /** The port that it got. */
  readonly port: number
  close(): Promise<void>
}

/**
 * Answers HTTP requests by a handler.
 *
 * @param host where it listens
 * @param port 0 lets the system choose
 * @throws AgidbError `AGIDB_IN_USE` where another program has the port, else `AGIDB_UNSUPPORTED`
 */
export async function serve(handler: McpHandler, host: string, port: number): Promise<Listening> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (incoming, outgoing) => {
    answer(handler, incoming, outgoing).catch(() => outgoing.destroy()) // the client has gone away
  })
  await listening(server, host, port)
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      await handler.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const isTaken = cause.code === 'EADDRINUSE'
      const said = isTaken ? 'another program has this port; give another one' : cause.message
      const code = isTaken ? 'AGIDB_IN_USE' : 'AGIDB_UNSUPPORTED'
      reject(new AgidbError(code, `cannot listen at ${host}, port ${port}: ${said}`, { host, port }, { cause }))
    })
    server.listen(port, host, resolve)
  })
}

async function answer(handler: McpHandler, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const request = requestOf(incoming)
  if (request === undefined) {
    outgoing.writeHead(400).end()
    return
  }
  const response = await handler.handle(request)
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  outgoing.flushHeaders()
  if (response.body === null) outgoing.end()
  else await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing)
  // What was refused unread must not be taken for the next request.
  if (!incoming.complete) incoming.destroy()
}

/** The request as the web has it, or `undefined` where its host or path is none. */
function requestOf(incoming: IncomingMessage): Request | undefined {
  const { host } = incoming.headers
  const { method = 'GET', url = '/' } = incoming
  if (host === undefined || !url.startsWith('/')) return undefined
  try {
    const headers = new Headers()
    for (const [name, value] of Object.entries(incoming.headers))
      for (const one of [value ?? []].flat()) headers.append(name, one)
    const hasBody = method !== 'GET' && method !== 'HEAD'
    const init = {
      ...{ method, headers },
      ...(hasBody && { body: Readable.toWeb(incoming), duplex: 'half' }),
    }
    return new Request(new URL(`http://${host}${url}`), init as RequestInit)
  } catch {
    return undefined
  }
}
