import { z } from 'zod'
import { filter, limit, perspective, records, time } from '../fields.js'
import { shownEntry } from '../shown.js'
import { defineTool } from '../tool.js'

/** Finds passages of documents. */
export const searchDocuments = defineTool({
  name: 'search_documents',
  title: 'Search documents',
  description:
    'Finds sections and passages of stored documents by what they say, best first, each with its place in the ' +
    'document. For what was said in conversations, use recall, which finds both.',
  input: z.strictObject({
    query: z.string().default('').describe('what is looked for; may be empty with similarTo'),
    k: limit(100, 5),
    perSection: z
      .number()
      .int()
      .min(1)
      .max(100)
      .optional()
      .describe('the most results of one section; default 1, with deep no limit'),
    childrenK: z.number().int().min(0).max(100).default(0).describe('the best parts of each result'),
    perspective: perspective.optional(),
    deep: z.boolean().optional().describe('whether what is out of sight or was replaced is found, too'),
    since: time.optional().describe('only what began at this time or later (ISO 8601)'),
    until: time.optional().describe('only what began before this time (ISO 8601)'),
    recencyWindow: z.enum(['hour', 'day', 'week', 'month', 'year']).optional().describe('prefer what was used in it'),
    ongoing: z.boolean().optional().describe('only open threads'),
    similarTo: z.string().optional().describe('the id of an entry: only content like that'),
    filter: filter.optional(),
  }),
  output: z.object({ results: records }),
  effect: 'reads',
  async run({ query, ...options }, { db }) {
    const found = await db.entries.search(query, options)
    const results = found.map(({ entry, score, salience, path, children }, i) => ({
      number: i + 1,
      score,
      salience,
      ...shownEntry(entry),
      headings: path.map(({ heading }) => heading).filter((heading) => heading !== undefined),
      ...(children.length > 0 && { children: children.map((child) => shownEntry(child.entry)) }),
    }))
    const lines = results.map(({ number, source = '', path, text }) =>
      oneLine(`[${number}] ${source} ${path}: ${text}`),
    )
    return {
      data: { results },
      text: lines.join('\n'),
      note: results.length === 0 ? 'No document says anything like this.' : 'Cite a result as [n].',
    }
  },
})

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ')
}
