import { z } from 'zod'
import { needed, records, time } from '../fields.js'
import { shownGoal } from '../shown.js'
import { defineTool } from '../tool.js'

const ACTIONS = ['list', 'set', 'revise', 'pause', 'resume', 'complete', 'abandon'] as const
/** Goals that an answer lists. */
const LISTED = 100

/** What the agent wants. */
export const goals = defineTool({
  name: 'goals',
  title: 'Goals',
  description:
    'What is wanted. Active goals lift memories that serve them. list: the goals, by default the active ones. set: a ' +
    'new goal. revise, pause, resume, complete, abandon: what becomes of a goal.',
  input: z.strictObject({
    action: z.enum(ACTIONS).default('list'),
    state: z.enum(['active', 'paused', 'completed', 'abandoned', 'any']).default('active').describe('list: which'),
    id: z.string().optional().describe('the goal; for all actions but list and set'),
    description: z.string().optional().describe('set, revise: what is wanted, in words'),
    parent: z.string().optional().describe('set, revise: the goal that it serves'),
    successCriteria: z
      .array(z.string())
      .max(64)
      .optional()
      .describe('set, revise: by what one sees that it is reached'),
    deadline: time.optional().describe('set, revise: until when (ISO 8601)'),
    evidence: z.array(z.string()).max(1_000).optional().describe('complete: ids of memories that show it'),
    children: z.enum(['keep', 'abandon', 'complete']).optional().describe('complete, abandon: the goals below it'),
    reason: z.string().optional().describe('abandon, pause: why'),
  }),
  output: z.object({ goals: records, total: z.number() }),
  effect: ({ action }) => (action === 'list' ? 'reads' : 'writes'),
  async run(args, { db }) {
    const { action, description, parent, successCriteria, deadline, evidence, children, reason } = args
    const need = <T>(name: string, value: T | undefined) => needed('goals', action, name, value)
    if (action === 'list') {
      const found = await db.goals(args.state === 'any' ? {} : { state: args.state })
      return { data: { goals: found.slice(0, LISTED).map(shownGoal), total: found.length } }
    }
    const patch = { description, parent, successCriteria, deadline }
    const id =
      action === 'set'
        ? await db.setGoal({ ...patch, description: need('description', description) })
        : need('id', args.id)
    if (action === 'revise') await db.reviseGoal(id, patch)
    if (action === 'pause') await db.pauseGoal(id, reason)
    if (action === 'resume') await db.resumeGoal(id)
    if (action === 'complete') await db.completeGoal(id, evidence, { children })
    if (action === 'abandon') await db.abandonGoal(id, need('reason', reason), { children })
    const goal = await db.getGoal(id)
    return { data: { goals: goal === undefined ? [] : [shownGoal(goal)], total: goal === undefined ? 0 : 1 } }
  },
})
