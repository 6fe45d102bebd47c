import type { Agidb } from '../../../src/api/agidb.js'
import type { ExportOptions } from '../../../src/api/portable.js'

/** All bytes of an export. */
export async function exported(db: Agidb, options?: ExportOptions): Promise<Uint8Array> {
  return new Uint8Array(await new Response(await db.export(options)).arrayBuffer())
}
