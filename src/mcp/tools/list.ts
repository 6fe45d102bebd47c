import { z } from 'zod'
import type { Episode } from '../../api/episode.js'
import { filter, limit, names, records, tags, time } from '../fields.js'
import { shownEpisode } from '../shown.js'
import { defineTool } from '../tool.js'

/** Lists episodes in pages. */
export const list = defineTool({
  name: 'list',
  title: 'List memories',
  description:
    'Lists memories in the order in which they were observed, a page at a time, with filters and without a question. ' +
    'Give `next` of the answer as `after` for the next page.',
  input: z.strictObject({
    after: z.string().optional().describe('the id after which the page starts'),
    limit: limit(100, 20),
    speaker: names.optional(),
    session: names.optional(),
    source: names.optional(),
    tags: tags.optional(),
    from: time.optional().describe('only what began at this time or later (ISO 8601)'),
    to: time.optional().describe('only what began before this time (ISO 8601)'),
    filter: filter.optional(),
  }),
  output: z.object({ memories: records, next: z.string().optional() }),
  effect: 'reads',
  async run({ tags: labels, from, to, filter: given, limit: most, ...options }, { db }) {
    const pages = db.episodes({
      ...options,
      limit: most,
      ...((from ?? to) !== undefined && { at: { from, to } }),
      ...(labels === undefined
        ? { filter: given }
        : { filter: { and: [{ tags: labels }, ...(given ? [given] : [])] } }),
    })
    let page: readonly Episode[] = []
    for await (page of pages) break
    const next = page.length === most ? page.at(-1)!.id : undefined
    return { data: { memories: page.map(shownEpisode), next } }
  },
})
