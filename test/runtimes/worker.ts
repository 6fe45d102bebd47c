// Runs in workerd, where WebAssembly cannot be compiled from bytes: the kernel is imported.
import { Agidb } from 'agidb'
import kernel from 'agidb/kernel.wasm'
import { FIXED, rememberAndRecall } from './remember-and-recall.ts'

export default {
  async fetch(request: Request): Promise<Response> {
    const imported = new URL(request.url).searchParams.has('kernel')
    try {
      const db = await Agidb.open({ storage: 'memory', ...(imported && { kernel }), ...FIXED })
      return Response.json(await rememberAndRecall(db))
    } catch (error) {
      return new Response(String(error instanceof Error ? error.stack : error), { status: 500 })
    }
  },
}
