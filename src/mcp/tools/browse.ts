import { z } from 'zod'
import type { EntryTree } from '../../api/entry.js'
import { limit, perspective, records, time } from '../fields.js'
import { shownEntry } from '../shown.js'
import { defineTool } from '../tool.js'
import { uriOf } from '../uri.js'

/** Entries that an outline shows. */
const OUTLINED = 500

/** Looks through documents without a question. */
export const browse = defineTool({
  name: 'browse',
  title: 'Browse documents',
  description:
    'Looks through stored documents without a question. entries: newest first, from a perspective or a document. ' +
    'documents: the names of all documents. outline: the headings of one document.',
  input: z.strictObject({
    action: z.enum(['entries', 'documents', 'outline']).default('entries'),
    document: z.string().optional().describe('the name of a document; needed for outline'),
    perspective: perspective.optional(),
    since: time.optional(),
    until: time.optional(),
    deep: z.boolean().optional().describe('whether what is out of sight is shown, too'),
    limit: limit(100, 20),
  }),
  output: z.object({ entries: records.optional(), documents: records.optional(), outline: records.optional() }),
  effect: 'reads',
  async run({ action, document, ...options }, { db }) {
    if (action === 'entries') {
      const entries = await db.entries.browse({ ...options, source: document })
      return { data: { entries: entries.map(shownEntry) } }
    }
    if (action === 'documents') {
      const sources = await db.entries.sources()
      const documents = sources.map(({ source, entries }) => ({ source, entries, uri: uriOf('documents', source) }))
      return { data: { documents } }
    }
    const outline = headingsOf(await db.entries.tree(document ?? ''))
    return {
      data: { outline: outline.slice(0, OUTLINED) },
      ...(outline.length > OUTLINED && { note: tooLong(outline) }),
    }
  },
})

/** The sections of a document in its order. */
function headingsOf(trees: readonly EntryTree[]): { id: string; level: number; heading: string }[] {
  return trees.flatMap(({ entry: { id, level, heading }, children }) => [
    ...(heading === undefined ? [] : [{ id, level, heading }]),
    ...headingsOf(children),
  ])
}

function tooLong({ length }: { readonly length: number }): string {
  return `The first ${OUTLINED} of ${length} headings.`
}
