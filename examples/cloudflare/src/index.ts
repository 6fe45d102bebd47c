// A memory for each user: one Durable Object each. POST /ann remembers the body, GET /ann?q=… recalls.
import { AgidbObject, remoteError } from 'agidb/cloudflare'
import codebook from 'agidb/codebook.bin'
import kernel from 'agidb/kernel.wasm'

export class Memory extends AgidbObject {
  override options = { kernel, codebook }
}

interface Env {
  readonly MEMORY: DurableObjectNamespace<Memory>
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const memory = env.MEMORY.get(env.MEMORY.idFromName(pathname))
    try {
      if (request.method === 'POST') return Response.json({ id: await memory.observe(await request.text()) })
      const { matches } = await memory.recall(searchParams.get('q') ?? '', { k: 5 })
      return Response.json(matches.map(({ text, confidence }) => ({ text, confidence })))
    } catch (error) {
      const { code, message } = remoteError(error) ?? { code: 'unknown', message: String(error) }
      return Response.json({ code, message }, { status: 400 })
    }
  },
}
