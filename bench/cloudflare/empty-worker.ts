// Runs in workerd: a Worker without a memory, and an object that does nothing.
import { DurableObject } from 'cloudflare:workers'

export class Memory extends DurableObject {
  async answer(): Promise<object> {
    return { matches: [0] }
  }
}

interface Environment {
  readonly MEMORY: { idFromName(name: string): unknown; get(id: unknown): Memory }
}

export default {
  async fetch(_: Request, { MEMORY }: Environment): Promise<Response> {
    return Response.json(await MEMORY.get(MEMORY.idFromName('sarah')).answer())
  },
}
