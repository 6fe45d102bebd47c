import { z } from 'zod'
import type { RecallWithPrompt } from '../../api/recall.js'
import { filter, limit, names, records, time } from '../fields.js'
import { excerpt } from '../shown.js'
import { defineTool } from '../tool.js'
import { uriOf } from '../uri.js'

/** Finds memories for a question. */
export const recall = defineTool({
  name: 'recall',
  title: 'Recall',
  description:
    'Finds what is remembered about a question or a topic, best first: what was said and written, beliefs, knowledge ' +
    'and goals. The answer is text within a budget of tokens, a numbered line each; cite a line as [n]. Call it ' +
    'before you answer anything that may have been talked about before.',
  input: z.strictObject({
    query: z.string().optional().describe('a question, or words that were said; may be left out with a pattern'),
    budgetTokens: z.number().int().min(1).max(100_000).default(1_000).describe('length of the text; default 1,000'),
    k: limit(100, 10),
    speaker: names.optional(),
    session: names.optional(),
    source: names.optional(),
    from: time.optional().describe('only what began at this time or later (ISO 8601)'),
    to: time.optional().describe('only what began before this time (ISO 8601)'),
    validAsOf: time.optional().describe('only what was true at this time (ISO 8601)'),
    transactionAsOf: time.optional().describe('only what had been recorded by this time (ISO 8601)'),
    subject: z.string().optional().describe('the subject of a statement to look for'),
    predicate: z.string().optional().describe('the predicate of a statement to look for'),
    object: z.string().optional().describe('the object of a statement to look for'),
    minConfidence: z.number().min(0).max(1).optional().describe('only memories of at least this confidence'),
    tierFloor: z.enum(['exact', 'similarity', 'gist', 'nearest']).optional().describe('the weakest kind of evidence'),
    context: z.number().int().min(0).max(10).optional().describe('turns before and after each memory'),
    asker: z.string().optional().describe('the speaker who asks: whom "I" and "my" mean'),
    deep: z.boolean().optional().describe('whether documents that are out of sight are searched, too'),
    filter: filter.optional(),
  }),
  output: z.object({
    citations: z.array(z.object({ number: z.number(), id: z.string(), kind: z.string() })),
    matches: records,
    tier: z.string(),
    lowConfidence: z.boolean(),
  }),
  effect: 'reads',
  async run({ query, from, to, subject, predicate, object, ...options }, { db, signal }) {
    const hasPattern = [subject, predicate, object].some((part) => part !== undefined)
    const found = await db.recall(query, {
      ...options,
      signal,
      ...((from ?? to) !== undefined && { at: { from, to } }),
      ...(hasPattern && { structured: { subject, predicate, object } }),
    })
    const lowConfidence = found.matches[0]?.lowConfidence ?? true
    return {
      data: {
        citations: citationsOf(found),
        matches: found.matches.map(shownMatch),
        tier: found.tierUsed,
        lowConfidence,
      },
      text: found.prompt.text,
      note:
        found.prompt.ids.length === 0
          ? 'Nothing is remembered about this.'
          : lowConfidence
            ? 'Nothing speaks clearly for these; they are the nearest. Say so rather than rely on them.'
            : 'Cite a line as [n].',
    }
  },
})

/** What each numbered line of the text is. */
function citationsOf({ prompt, beliefs, semanticAtoms, activeGoals }: RecallWithPrompt) {
  const kinds = new Map<string, string>()
  for (const [kind, several] of Object.entries({ belief: beliefs, atom: semanticAtoms, goal: activeGoals }))
    for (const { id } of several) kinds.set(id, kind)
  return prompt.ids.map((id, i) => ({ number: i + 1, id, kind: kinds.get(id) ?? 'memory' }))
}

function shownMatch(match: RecallWithPrompt['matches'][number]) {
  const { id, text, speaker, session, source, at, confidence, tier, lowConfidence, entry, context, replacedBy } = match
  return {
    id,
    ...excerpt(text),
    ...{ speaker, session, source, at, confidence, tier, lowConfidence, context, replacedBy },
    tags: match.tags,
    metadata: match.metadata,
    document: entry && { path: entry.path, source: entry.source, heading: entry.heading },
    uri: uriOf(entry === undefined ? 'episodes' : 'entries', id),
  }
}
