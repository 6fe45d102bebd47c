// Where the devices of a person meet: a Durable Object with a memory of its own, which exchanges with each of them.
// GET answers what it has received, or with ?since=… the changes that a device lacks; POST takes in changes.
import { AgidbObject, remoteError } from 'agidb/cloudflare'
import codebook from 'agidb/codebook.bin'
import kernel from 'agidb/kernel.wasm'

export class MeetingPoint extends AgidbObject {
  override options = { kernel, codebook }
}

interface Env {
  readonly MEETING_POINT: DurableObjectNamespace<MeetingPoint>
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    // The token is the name of the object: who has it is a device of this person.
    const token = request.headers.get('authorization')?.replace(/^Bearer /, '') ?? ''
    if (token.length < 32) return new Response('a token of at least 32 characters is needed', { status: 401 })
    const memory = env.MEETING_POINT.get(env.MEETING_POINT.idFromName(token))
    const since = new URL(request.url).searchParams.get('since')
    try {
      if (request.method === 'POST')
        return Response.json(await memory.apply(new Uint8Array(await request.arrayBuffer())))
      if (since === null) return Response.json(await memory.versionVector())
      const { bytes, more } = await memory.changes(JSON.parse(since))
      return new Response(bytes, { headers: { 'agidb-more': String(more) } })
    } catch (error) {
      const { code, message } = remoteError(error) ?? { code: 'unknown', message: String(error) }
      return Response.json({ code, message }, { status: 400 })
    }
  },
}
