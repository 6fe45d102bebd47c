import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js'

/**
 * Serves one client over standard input and output until it closes standard input and all that it asked is answered,
 * until it has gone away, or until the signal fires. Nothing else may be written to standard output meanwhile.
 */
export async function serveStdio(server: McpServer, signal: AbortSignal): Promise<void> {
  const transport = new StdioServerTransport()
  const ended = new Promise<void>((resolve) => {
    server.server.onclose = resolve
    process.stdout.once('close', resolve).once('error', () => resolve())
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await server.connect(transport)
  const pending = new Pending(transport)
  await Promise.race([ended, inputEnded().then(() => pending.answered())])
  await server.close()
}

function inputEnded(): Promise<void> {
  return new Promise((resolve) => {
    if (process.stdin.readableEnded) resolve()
    process.stdin.once('end', resolve).once('close', resolve)
  })
}

/** The requests of a connected transport that are not answered yet. */
class Pending {
  readonly #ids = new Set<RequestId>()
  #onAnswered: (() => void) | undefined

  constructor(transport: StdioServerTransport) {
    const receive = transport.onmessage
    const send = transport.send.bind(transport)
    transport.onmessage = (message) => {
      if ('method' in message && 'id' in message) this.#ids.add(message.id)
      const cancelled = cancelledBy(message)
      receive?.(message)
      if (cancelled !== undefined) this.#done(cancelled)
    }
    transport.send = async (message) => {
      await send(message)
      if (!('method' in message) && message.id !== undefined) this.#done(message.id)
    }
  }

  /** Resolves when every request is answered or cancelled. */
  answered(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#ids.size === 0) resolve()
      else this.#onAnswered = resolve
    })
  }

  #done(id: RequestId): void {
    this.#ids.delete(id)
    if (this.#ids.size === 0) this.#onAnswered?.()
  }
}

/** The request that a message cancels: nobody waits for its answer. */
function cancelledBy(message: JSONRPCMessage): RequestId | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined
  return message.params?.['requestId'] as RequestId | undefined
}
