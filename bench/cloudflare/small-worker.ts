// Runs in workerd: a Worker whose memories have no codebook.
import { AgidbObject, type RemoteMethods } from 'agidb/cloudflare'
import kernel from 'agidb/kernel.wasm'

export class Memory extends AgidbObject {
  override options = { kernel, extract: 'none' as const }
}

interface Environment {
  readonly MEMORY: { idFromName(name: string): unknown; get(id: unknown): RemoteMethods }
}

export default {
  async fetch(request: Request, { MEMORY }: Environment): Promise<Response> {
    const { user, text, question } = (await request.json()) as Record<string, string>
    const memory = MEMORY.get(MEMORY.idFromName(user))
    await memory.observe(text)
    return Response.json(await memory.recall(question))
  },
}
