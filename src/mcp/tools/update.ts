import { z } from 'zod'
import { id, metadata, time, triple } from '../fields.js'
import { shownEpisode } from '../shown.js'
import { defineTool } from '../tool.js'

/** Changes a memory in its place. */
export const update = defineTool({
  name: 'update',
  title: 'Update a memory',
  description:
    'Changes what a memory says. A field that is left out stays as it is, null takes it away. What it said before ' +
    'stays in its history, unless keep is false. For what changed in the world, remember the new fact instead.',
  input: z.strictObject({
    id,
    text: z.string().optional(),
    speaker: z.string().nullable().optional(),
    session: z.string().nullable().optional(),
    source: z.string().nullable().optional(),
    at: time.optional(),
    validTo: time.nullable().optional(),
    tags: z.array(z.string()).nullable().optional(),
    metadata: metadata.nullable().optional(),
    expiresAt: time.nullable().optional(),
    triples: z.array(triple).nullable().optional(),
    keep: z.boolean().optional().describe('whether the earlier version is kept; default true'),
  }),
  output: z.object({ memory: z.looseObject({ id: z.string() }) }),
  effect: 'writes',
  destructive: true,
  idempotent: true,
  run: async ({ id: which, keep, ...patch }, { db }) => ({
    data: { memory: shownEpisode(await db.update(which, patch, { keep })) },
  }),
})
