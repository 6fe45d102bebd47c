import { randomHex } from '../base/hex.js'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { Agidb } from '../api/agidb.js'
import { checkKeys, checkWhole, invalid } from '../api/check.js'
import { accessOf, refusalOf } from './access.js'
import { createMcpServer, type McpServerOptions } from './server.js'

/** Options of {@link createMcpHandler}. */
export interface McpHandlerOptions extends McpServerOptions {
  /** The bearer token that every request has to bring, at least 16 characters without spaces. */
  readonly token: string
  /**
   * Hosts that requests may be sent to, without a port, such as `memory.example` or `[::1]`. Default: those of this
   * machine, `localhost` and so on.
   */
  readonly hosts?: readonly string[]
  /** Further origins of pages that may send requests, such as `https://app.example`. Default: the server's own only. */
  readonly origins?: readonly string[]
  /** The path at which it answers. Default `/mcp`. */
  readonly path?: string
  /** Sessions at once, 1 to 10,000. Default 256. A further client is refused with 503. */
  readonly maxSessions?: number
  /** Minutes without a request after which a session makes room for others, 1 to 10,080. Default 30. */
  readonly idleMinutes?: number
  /** Bytes of a request, 1 to 64 MiB. Default 4 MiB. */
  readonly maxBytes?: number
}

/** Answers requests of the streamable HTTP transport. */
export interface McpHandler {
  handle(request: Request): Promise<Response>
  /** How many clients have a session. */
  readonly sessions: number
  /** Ends all sessions. The memory stays open. */
  close(): Promise<void>
}

/** Host names of this machine. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'] as const

interface Session {
  readonly server: McpServer
  readonly transport: WebStandardStreamableHTTPServerTransport
  /** When it was used last, by the monotonic clock, in milliseconds. */
  used: number
  /** Requests that are being answered. */
  running: number
}

/**
 * Serves a memory to many clients by the streamable HTTP transport of the Model Context Protocol, each in a session of
 * its own. It takes and gives the `Request` and `Response` of the web, so it runs in Node, Bun, Deno and a Durable
 * Object. It sends no CORS headers.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` or `AGIDB_UNKNOWN_OPTION` for wrong options
 */
export function createMcpHandler(db: Agidb, options: McpHandlerOptions): McpHandler {
  const { token, hosts = LOOPBACK, origins = [], path = '/mcp', ...more } = options ?? {}
  const { maxSessions = 256, idleMinutes = 30, maxBytes = 4 * 1_048_576, ...serverOptions } = more
  checkKeys('options', serverOptions, ['name', 'version', 'readOnly', 'primingTokens', 'tools'])
  if (typeof token !== 'string' || !/^\S{16,}$/.test(token))
    throw invalid('token must be a string of at least 16 characters without spaces', { what: 'token' })
  const access = accessOf({ token, hosts, origins })
  if (typeof path !== 'string' || !path.startsWith('/')) throw invalid('path must begin with a slash', { what: 'path' })
  checkWhole('maxSessions', maxSessions, 1, 10_000)
  checkWhole('idleMinutes', idleMinutes, 1, 10_080)
  checkWhole('maxBytes', maxBytes, 1, 64 * 1_048_576)
  const sessions = new Sessions(db, serverOptions, maxSessions, idleMinutes * 60_000, maxBytes)
  return {
    async handle(request) {
      const refusal = refusalOf(request, access)
      if (refusal !== undefined) return refused(refusal.status, refusal.message)
      if (new URL(request.url).pathname !== path) return refused(404, `this server answers at ${path}`)
      return sessions.handle(request)
    },
    get sessions() {
      return sessions.size
    },
    close: () => sessions.close(),
  }
}

/** The sessions of a handler by their ids. */
class Sessions {
  readonly #db: Agidb
  readonly #options: McpServerOptions
  readonly #most: number
  readonly #idleMs: number
  readonly #maxBytes: number
  readonly #byId = new Map<string, Session>()
  /** Sessions that are being made; they count, so that many at once do not pass the bound. */
  #coming = 0
  #isClosed = false

  constructor(db: Agidb, options: McpServerOptions, most: number, idleMs: number, maxBytes: number) {
    this.#db = db
    this.#options = options
    this.#most = most
    this.#idleMs = idleMs
    this.#maxBytes = maxBytes
  }

  get size(): number {
    return this.#byId.size
  }

  async handle(request: Request): Promise<Response> {
    if (this.#isClosed) return refused(503, 'the server is closing')
    const id = request.headers.get('mcp-session-id')
    if (id !== null) {
      const session = this.#byId.get(id)
      return session === undefined ? refused(404, 'there is no such session') : this.#answer(session, request)
    }
    if (request.method !== 'POST') return refused(400, 'the header Mcp-Session-Id is missing')
    await this.#makeRoom()
    if (this.#byId.size + this.#coming >= this.#most) return refused(503, 'too many clients are connected')
    this.#coming++
    try {
      return await this.#begin(request)
    } finally {
      this.#coming--
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(Array.from(this.#byId.values(), ({ server }) => server.close()))
    this.#byId.clear()
  }

  /** Answers a first request. Only one that initializes makes a session. */
  async #begin(request: Request): Promise<Response> {
    const server = await createMcpServer(this.#db, this.#options)
    let session: Session | undefined
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomHex(32),
      maxRequestBodySize: this.#maxBytes,
      onsessioninitialized: (id) => {
        session = { server, transport, used: performance.now(), running: 0 }
        this.#byId.set(id, session)
      },
    })
    transport.onclose = () => void (transport.sessionId !== undefined && this.#byId.delete(transport.sessionId))
    try {
      await server.connect(transport)
      const response = await transport.handleRequest(request)
      if (session === undefined || this.#isClosed) await server.close()
      return response
    } catch (error) {
      await server.close()
      throw error
    }
  }

  async #answer(session: Session, request: Request): Promise<Response> {
    session.used = performance.now()
    session.running++
    try {
      return await session.transport.handleRequest(request)
    } finally {
      session.running--
      session.used = performance.now()
    }
  }

  /** Ends sessions that were idle for long, where there is no room for another. */
  async #makeRoom(): Promise<void> {
    if (this.#byId.size + this.#coming < this.#most) return
    const latest = performance.now() - this.#idleMs
    const idle = [...this.#byId.values()].filter(({ used, running }) => running === 0 && used < latest)
    await Promise.all(idle.map(({ server }) => server.close()))
  }
}

/** An answer that says no, in the form of the protocol. */
function refused(status: number, message: string): Response {
  const headers = {
    'content-type': 'application/json',
    ...(status === 401 && { 'www-authenticate': 'Bearer realm="agidb"' }),
  }
  const body = { jsonrpc: '2.0', error: { code: -32_000, message }, id: null }
  return new Response(JSON.stringify(body), { status, headers })
}
