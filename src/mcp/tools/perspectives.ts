import { z } from 'zod'
import { needed, records } from '../fields.js'
import { defineTool } from '../tool.js'

/** The sides from which documents are seen. */
export const perspectives = defineTool({
  name: 'perspectives',
  title: 'Perspectives',
  description:
    'The sides from which documents are seen. list: all of them, each with a hint of what belongs to it. define: one ' +
    'of your own, or another hint for it. remove: one of your own. assign: says from which sides an entry is seen.',
  input: z.strictObject({
    action: z.enum(['list', 'define', 'remove', 'assign']).default('list'),
    name: z.string().optional().describe('define, remove: the perspective'),
    hint: z.string().optional().describe('define: what belongs to it, in words'),
    entry: z.string().optional().describe('assign: the id of the entry'),
    perspectives: z.array(z.string()).max(64).optional().describe('assign: all perspectives that it is to have'),
  }),
  output: z.object({ perspectives: records }),
  effect: ({ action }) => (action === 'list' ? 'reads' : 'writes'),
  destructive: true,
  idempotent: true,
  async run({ action, name, hint, entry, perspectives: assigned }, { db: { entries } }) {
    const need = <T>(what: string, value: T | undefined) => needed('perspectives', action, what, value)
    if (action === 'define') await entries.definePerspective(need('name', name), need('hint', hint))
    if (action === 'remove') await entries.removePerspective(need('name', name))
    if (action === 'assign')
      await entries.update(need('entry', entry), { perspectives: need('perspectives', assigned) })
    return { data: { perspectives: await entries.perspectives() } }
  },
})
