import { z } from 'zod'
import type { Observation } from '../../api/episode.js'
import { AgidbError } from '../../base/errors.js'
import { metadata, perspective, time, triple } from '../fields.js'
import { defineTool } from '../tool.js'

const context = {
  speaker: z.string().optional().describe('who said it'),
  session: z.string().optional().describe('the conversation that it belongs to'),
  source: z.string().optional().describe('the channel that it came through'),
  at: time.optional().describe('when it happened or began to be true (ISO 8601); default now'),
  validTo: time.optional().describe('until when it is true (ISO 8601)'),
  tags: z.array(z.string()).optional().describe('labels to find it by'),
  metadata: metadata.optional(),
  expiresAt: time.optional().describe('when it is to be forgotten (ISO 8601)'),
  triples: z.array(triple).optional().describe('statements that the text makes'),
  goal: z.string().optional().describe('the id of the goal for which it was observed'),
  beliefs: z.array(z.string()).optional().describe('the ids of the beliefs with which it was observed'),
}

/** Stores texts as episodes, or one text as a document. */
export const remember = defineTool({
  name: 'remember',
  title: 'Remember',
  description:
    'Stores a fact, a preference, a decision or an event, one sentence or so a memory, durably. Give `text` for one, ' +
    '`items` for several, or `text` with `document` to store a whole document (Markdown, HTML or plain text) under a ' +
    'name; the same name again replaces what changed in it.',
  input: z.strictObject({
    text: z.string().optional().describe('what is to be remembered'),
    ...context,
    items: z
      .array(z.strictObject({ text: z.string(), ...context }))
      .max(1_000)
      .optional()
      .describe('several memories at once, in their order'),
    document: z.string().optional().describe('the name of the document that the text is: a path or an address'),
    perspectives: z.array(perspective).max(64).optional().describe('from which sides a document is seen'),
  }),
  output: z.object({
    ids: z.array(z.string()),
    document: z
      .object({ source: z.string(), added: z.number(), kept: z.number(), moved: z.number(), superseded: z.number() })
      .optional(),
  }),
  effect: 'writes',
  async run({ text, items, document, perspectives, ...rest }, { db, signal, progress }) {
    if ((text === undefined) === (items === undefined)) throw wrong('give either text or items')
    if (perspectives !== undefined && document === undefined) throw wrong('perspectives belong to a document')
    if (document !== undefined) {
      if (text === undefined) throw wrong('a document is given as text')
      const { at, tags, metadata: more, ...others } = rest
      const [other] = Object.keys(others)
      if (other !== undefined) throw wrong(`a document has no ${other}; it takes at, tags, metadata and perspectives`)
      const { entries, source, added, kept, moved, superseded } = await db.entries.ingest(text, {
        ...{ source: document, at, tags, metadata: more, perspectives },
      })
      return { data: { ids: entries, document: { source, added, kept, moved, superseded } } }
    }
    if (text !== undefined) return { data: { ids: [await db.observe(text, rest)] } }
    const [more] = Object.keys(rest)
    if (more !== undefined) throw wrong(`with items, ${more} is given in each item`)
    const ids = await db.observeMany(items as readonly Observation[], {
      signal,
      onProgress: ({ done, total = items!.length }) => progress(done, total),
    })
    return { data: { ids } }
  },
})

function wrong(message: string): AgidbError {
  return new AgidbError('AGIDB_INVALID_ARGUMENT', `remember: ${message}`)
}
