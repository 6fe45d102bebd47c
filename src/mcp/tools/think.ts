import { z } from 'zod'
import { needed } from '../fields.js'
import { shownEntry } from '../shown.js'
import { defineTool } from '../tool.js'

const READING = ['status', 'discover', 'history', 'salience', 'suggest', 'reflection'] as const
const WRITING = ['consolidate', 'reflect', 'age', 'promote', 'demote', 'relate', 'unrelate', 'visibility'] as const

/** Tidies up what is known of documents. */
export const think = defineTool({
  name: 'think',
  title: 'Think about documents',
  description:
    'Tidies up what is known. status, history: how much there is, when it was thought. discover: entries that are ' +
    'alike and not linked. consolidate: summarizes groups of them. reflection: what you are asked to reflect on; ' +
    'reflect: takes your answer with its ids. salience, suggest: how significant an entry is, and from which further ' +
    'perspectives it may be seen. promote, demote, visibility, relate, unrelate: change an entry. age: takes out of ' +
    'sight what nobody needs.',
  input: z.strictObject({
    action: z.enum([...READING, ...WRITING]).default('status'),
    id: z.string().optional().describe('the entry'),
    kind: z.string().optional().describe('relate, unrelate: superseded_by, summarized_by, related_to, derived_from …'),
    target: z.string().optional().describe('relate, unrelate: the other entry'),
    visibility: z.string().optional().describe('visibility: always, normal, deep_only, expiring, seasonal'),
    expiresAt: z.string().optional().describe('visibility: until when an expiring entry is seen (ISO 8601)'),
    answer: z.string().optional().describe('reflect: your answer, JSON as reflection asks for'),
    ids: z.array(z.string()).max(10_000).optional().describe('reflect: the ids that reflection gave'),
  }),
  output: z.object({ action: z.string(), result: z.unknown() }),
  effect: ({ action }) => ((READING as readonly string[]).includes(action) ? 'reads' : 'writes'),
  async run({ action, id, kind, target, visibility, expiresAt, answer, ids }, { db, progress }) {
    const { entries } = db
    const need = <T>(name: string, value: T | undefined) => needed('think', action, name, value)
    const done = (result: unknown) => ({ data: { action, result } })
    switch (action) {
      case 'consolidate':
      case 'reflect': {
        progress(0, 1)
        const report = await (action === 'reflect'
          ? entries.reflect(need('answer', answer), need('ids', ids))
          : entries.think('consolidate'))
        progress(1, 1)
        return done({ entries: report.entries.map(shownEntry), aging: report.aging })
      }
      case 'reflection': {
        const { request, ids: asked } = await entries.reflection()
        const { system, prompt, schema } = request
        return {
          data: { action, result: { system, prompt, schema, ids: asked } },
          text: prompt,
          note: `${system}\nAnswer as JSON of the schema in the structured content; think takes it as reflect.`,
        }
      }
      case 'salience':
        return done(await entries.salience(need('id', id)))
      case 'suggest':
        return done(await entries.suggestPerspectives(need('id', id)))
      case 'age':
        return done(await entries.aging.apply())
      case 'promote':
        return done(shownEntry(await entries.promote(need('id', id))))
      case 'demote':
        return done(shownEntry(await entries.demote(need('id', id))))
      case 'relate':
        return done((await entries.relate(need('id', id), need('kind', kind), need('target', target))) ?? null)
      case 'unrelate':
        return done((await entries.unrelate(need('id', id), need('kind', kind), need('target', target))) ?? null)
      case 'visibility':
        await entries.setVisibility(need('id', id), need('visibility', visibility), { expiresAt })
        return done(null)
      default:
        return done(await entries.think(action))
    }
  },
})
