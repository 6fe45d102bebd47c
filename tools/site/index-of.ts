import { Agidb } from '../../src/runtimes/node/index.js'
import type { Page } from './pages.js'

/** What the search of the site asks: all pages as documents of a memory, exported. */
export async function searchIndex(pages: readonly Page[]): Promise<Uint8Array> {
  const db = await Agidb.open({ storage: 'memory', extract: 'none' })
  try {
    // What changed in which version answers no question of a reader.
    for (const { source, path, markdown } of pages)
      if (source !== 'CHANGELOG.md') await db.entries.ingest(markdown, { source: path, parser: 'markdown' })
    const pieces: Uint8Array[] = []
    for await (const piece of await db.export()) pieces.push(piece)
    return Buffer.concat(pieces)
  } finally {
    await db.close()
  }
}
