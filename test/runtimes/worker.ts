// Runs in workerd, where WebAssembly cannot be compiled from bytes: the kernel is imported; and the codebook, as
// Wrangler does with .bin files.
import { Agidb } from 'agidb'
import codebook from 'agidb/codebook.bin'
import kernel from 'agidb/kernel.wasm'
import { FIXED, rememberAndRecall } from './remember-and-recall.ts'

export default {
  async fetch(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url)
    const given = { ...(searchParams.has('kernel') && { kernel }), ...(searchParams.has('codebook') && { codebook }) }
    try {
      const db = await Agidb.open({ storage: 'memory', ...given, ...FIXED })
      return Response.json(await rememberAndRecall(db))
    } catch (error) {
      return new Response(String(error instanceof Error ? error.stack : error), { status: 500 })
    }
  },
}
