import { z } from 'zod'
import { records } from '../fields.js'
import { shownEntry, shownGoal } from '../shown.js'
import { defineTool } from '../tool.js'

/** Who the agent is by what it knows. */
export const identity = defineTool({
  name: 'identity',
  title: 'Identity',
  description:
    'The briefing that an agent starts with: core knowledge, open threads, recent learnings, goals and beliefs. Call ' +
    'it at the beginning of a session.',
  input: z.strictObject({
    budgetTokens: z.number().int().min(1).max(100_000).default(1_000).describe('length of the text; default 1,000'),
  }),
  output: z.object({
    core: records,
    openThreads: records,
    recentLearnings: records,
    goals: records,
    beliefs: records,
    knowledge: records,
    perspectives: records,
    citations: z.array(z.object({ number: z.number(), id: z.string() })),
  }),
  effect: 'reads',
  async run({ budgetTokens }, { db }) {
    const [{ text, ids }, who] = await Promise.all([db.entries.priming({ budgetTokens }), db.entries.identity()])
    return {
      data: {
        core: who.core.map(({ entry, salience }) => ({ ...shownEntry(entry), salience })),
        openThreads: who.openThreads.map(({ entry, reason }) => ({ ...shownEntry(entry), reason })),
        recentLearnings: who.recentLearnings.map(shownEntry),
        goals: who.goals.slice(0, 100).map(shownGoal),
        beliefs: who.beliefs,
        knowledge: who.atoms,
        perspectives: who.centroids.map(({ centroid: _, ...rest }) => rest),
        citations: ids.map((id, i) => ({ number: i + 1, id })),
      },
      text,
      note: text === '' ? 'Nothing is known yet.' : undefined,
    }
  },
})
