import type { Agidb, IngestReport } from '../../src/runtimes/browser/index.js'

/** Endings of files that are documents; what has another one is taken for a transcript. */
const ENDINGS = /\.(?:md|markdown|mdx|html|htm)$/i

/** Whether a file is a document. */
export function isDocument({ name }: File): boolean {
  return ENDINGS.test(name)
}

/** Stores a document under the path that it has in its folder, or under its name. */
export async function readDocument(db: Agidb, file: File): Promise<IngestReport> {
  const source = file.webkitRelativePath === '' ? file.name : file.webkitRelativePath
  return db.entries.ingest(new Uint8Array(await file.arrayBuffer()), { source })
}
