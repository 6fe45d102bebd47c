import { AgidbError } from '../base/errors.js'
import type { ExportOptions } from '../api/portable.js'
import type { Snapshot } from '../write/snapshot.js'
import type { StoredEpisode } from '../api/storage.js'
import { checkExport, exportBytes, sealingFor } from '../transfer/export.js'
import { streamOf } from '../transfer/stream.js'
import type { EngineContext } from './context.js'

/** Each may have to keep what changes before it is read. */
const MAX_OPEN_EXPORTS = 16

/** The memory as it is now, as a stream of bytes; it can be written to while that is read. */
export async function exportMemory(
  context: EngineContext,
  options: ExportOptions,
): Promise<ReadableStream<Uint8Array>> {
  const {
    writer,
    config: { databaseId, clock, recordKinds },
  } = context
  checkExport(options)
  if (writer.snapshots.size >= MAX_OPEN_EXPORTS) {
    throw new AgidbError(
      'AGIDB_TOO_LARGE',
      `${MAX_OPEN_EXPORTS} exports are under way; read one to its end or cancel it`,
      { limit: MAX_OPEN_EXPORTS },
    )
  }
  const sealed = await sealingFor(options)
  const snapshot = await writer.snapshot()
  const contents = {
    databaseId,
    recordKinds,
    exportedAt: Math.max(0, clock()),
    slots: snapshot.slots,
    rows: rowsOf(snapshot, context),
  }
  return streamOf(exportBytes(contents, options, sealed), () => writer.release(snapshot))
}

/** The rows of a snapshot, as long as the memory is open. */
async function* rowsOf(snapshot: Snapshot, { checkOpen, writer }: EngineContext): AsyncGenerator<StoredEpisode[]> {
  for (;;) {
    checkOpen()
    if (!writer.snapshots.has(snapshot))
      throw new AgidbError(
        'AGIDB_CLOSED',
        'the export ended when an import began; a memory cannot be imported from itself',
      )
    const rows = await writer.still(() => snapshot.read())
    if (rows.length === 0) return
    yield rows
  }
}
