import type { ExportOptions, ExportSource, ImportOptions, ImportReport } from '../portable.js'
import type { Registration } from './method.js'

/** How a memory leaves a place and comes to another. */
export interface PortableMethods {
  /**
   * All that the memory holds at the moment at which this resolves, as a stream of bytes. What is written while it is
   * being read is not in it, and does not wait for it. A stream that is not wanted to its end must be cancelled.
   *
   * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION`, `AGIDB_TOO_LARGE` (over 16 exports at once);
   * the stream fails with `AGIDB_CLOSED` when the memory is closed before its end, or an import into it begins.
   */
  export(options?: ExportOptions): Promise<ReadableStream<Uint8Array>>
  /**
   * Fills the memory from an export, all or nothing: it is read, checked and indexed to its end beside what is there,
   * and then takes its place. Whatever is asked for meanwhile waits. Of JSON lines each is observed as a new episode,
   * under its `id` if it has one.
   *
   * @throws AgidbError `AGIDB_NOT_EMPTY` without `replace` when there is something; `AGIDB_FOREIGN_FILE`,
   * `AGIDB_NEWER_FORMAT`, `AGIDB_CORRUPT`, `AGIDB_PASSPHRASE`, `AGIDB_TOO_LARGE`, `AGIDB_TRANSCRIPT` (a line of JSON
   * lines), `AGIDB_DUPLICATE_ID`, `AGIDB_ABORTED`, `AGIDB_QUOTA`, `AGIDB_STORAGE`; then the memory is as it was.
   */
  import(source: ExportSource, options?: ImportOptions): Promise<ImportReport>
}

export const transferMethods: Registration<PortableMethods> = {
  export: { effect: 'reads', output: 'bytes' },
  import: { effect: 'writes', input: 'bytes', interruption: { options: 1, rejects: 'when-answered' } },
}
