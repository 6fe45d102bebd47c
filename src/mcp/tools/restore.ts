import { z } from 'zod'
import { defineTool } from '../tool.js'

/** Takes back what was forgotten. */
export const restore = defineTool({
  name: 'restore',
  title: 'Restore what was forgotten',
  description: 'Brings back all that one call of forget took away, until its window is over.',
  input: z.strictObject({ auditId: z.string().describe('the auditId that forget answered') }),
  output: z.object({ auditId: z.string(), episodesRestored: z.number(), eventsRestored: z.number() }),
  effect: 'writes',
  run: async ({ auditId }, { db }) => {
    const { episodesRestored, eventsRestored } = await db.restoreWithinWindow(auditId)
    return { data: { auditId, episodesRestored, eventsRestored } }
  },
})
