import { z } from 'zod'
import { time } from '../fields.js'
import { defineTool } from '../tool.js'

/** Answers questions about the agent itself. */
export const introspect = defineTool({
  name: 'introspect',
  title: 'Introspect',
  description:
    'Answers a question about oneself over a time: what was learned, attended to, what changed a belief, which goals ' +
    'moved, how far the self drifted, what it is most like.',
  input: z.strictObject({
    question: z
      .enum([
        'what did I learn',
        'what was I attending to',
        'what changed my mind',
        'which goals moved',
        'how much did I drift',
        'what am I most like',
      ])
      .default('what did I learn'),
    since: time.optional().describe('from this time on (ISO 8601); default ever'),
    until: time.optional().describe('before this time (ISO 8601); default now'),
    about: z.string().optional().describe('only of this belief or goal, by its id'),
  }),
  output: z.looseObject({ question: z.string(), summary: z.string() }),
  effect: 'reads',
  async run(query, { db }) {
    const { events, ...answer } = await db.introspect(query)
    return { data: { ...answer, events: events.length } }
  },
})
