// Runs in workerd: a Durable Object that holds a memory and serves it to clients of the Model Context Protocol.
import { Agidb } from 'agidb'
import codebook from 'agidb/codebook.bin'
import kernel from 'agidb/kernel.wasm'
import { createMcpHandler, type McpHandler } from 'agidb/mcp'

/** The requests of all clients reach the same object. */
export class Memory {
  #handler: Promise<McpHandler> | undefined

  async fetch(request: Request): Promise<Response> {
    this.#handler ??= open()
    return (await this.#handler).handle(request)
  }
}

async function open(): Promise<McpHandler> {
  const db = await Agidb.open({ storage: 'memory', kernel, codebook })
  return createMcpHandler(db, { token: 'a-token-of-the-tests', hosts: ['localhost', '127.0.0.1'] })
}

interface Environment {
  readonly MEMORY: { idFromName(name: string): unknown; get(id: unknown): Memory }
}

export default {
  fetch: (request: Request, { MEMORY }: Environment) => MEMORY.get(MEMORY.idFromName('ann')).fetch(request),
}
