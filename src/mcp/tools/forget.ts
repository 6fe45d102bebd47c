import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { z } from 'zod'
import type { Agidb } from '../../api/agidb.js'
import type { UnlearnReport, UnlearnTarget } from '../../api/forgetting.js'
import { AgidbError } from '../../base/errors.js'
import { encodeUtf8 } from '../../base/utf8.js'
import { filter, names, records } from '../fields.js'
import { excerpt } from '../shown.js'
import { defineTool, type ToolAnswer } from '../tool.js'

/** Things that a dry run lists. */
const LISTED = 50

/** Forgets with all that follows, after a dry run that says what that is. */
export const forget = defineTool({
  name: 'forget',
  title: 'Forget',
  description:
    'Forgets memories with all that follows from them. Give one target. The first call changes nothing: it says ' +
    'what would go and gives a `confirm` code. Show that to the user, then call again with the same target, the ' +
    'code and a reason. The tool restore brings it back until `restorableUntil`; then its text is erased.',
  input: z.strictObject({
    ids: z.array(z.string()).min(1).max(1_000).optional().describe('ids of memories'),
    speaker: names.optional().describe('all that these speakers said'),
    session: names.optional().describe('all of these sessions'),
    source: names.optional().describe('all that came from these sources; a document is a source'),
    concept: z
      .string()
      .optional()
      .describe('all that names this, under any of its names: memories, beliefs, goals, procedures'),
    belief: z.string().optional().describe('the id of a belief; the memories that it rests on stay'),
    pattern: z
      .strictObject({
        subject: z.string().optional(),
        predicate: z.string().optional(),
        object: z.string().optional(),
      })
      .optional()
      .describe('memories and beliefs that state this'),
    filter: filter.optional(),
    all: z.literal(true).optional().describe('all that the memory holds'),
    confirm: z.string().optional().describe('the code that the dry run gave'),
    reason: z.string().optional().describe('why; kept for good, so it should not repeat what is forgotten'),
  }),
  output: z.object({
    dryRun: z.boolean(),
    confirm: z.string().optional(),
    auditId: z.string().optional(),
    restorableUntil: z.string().optional(),
    counts: z.record(z.string(), z.number()),
    affected: records,
  }),
  effect: ({ confirm }) => (confirm === undefined ? 'reads' : 'writes'),
  destructive: true,
  async run({ confirm, reason, ...named }, { db }) {
    const target = targetOf(named)
    const planned = await db.unlearn(target, 'dry run', { dryRun: true })
    const code = codeOf(target, planned)
    if (confirm === undefined) return plan(db, planned, code)
    if (confirm !== code)
      throw new AgidbError(
        'AGIDB_INVALID_ARGUMENT',
        'confirm is not the code of this target as the memory is now; call forget without it to see what would go',
        { what: 'confirm' },
      )
    if (reason === undefined)
      throw new AgidbError('AGIDB_INVALID_ARGUMENT', 'reason is missing; say why this is forgotten', { what: 'reason' })
    const report = await db.unlearn(target, reason)
    const { auditId, tombstoneExpiry } = report
    return {
      data: { dryRun: false, auditId, restorableUntil: tombstoneExpiry, counts: countsOf(report), affected: [] },
      note:
        `Forgotten. Until ${tombstoneExpiry} restore with ${auditId} brings it back, and its text stays stored; ` +
        'afterwards it is erased. To erase it now, the user runs "agidb expire --all".',
    }
  },
})

/** @throws AgidbError `AGIDB_INVALID_ARGUMENT` where not exactly one target is given */
function targetOf({ ids, ...named }: { readonly ids?: readonly string[] } & Readonly<Record<string, unknown>>) {
  const targets = Object.entries({ episode: ids, ...named }).filter(([, value]) => value !== undefined)
  const [target] = targets
  if (targets.length === 1) return { [target![0]]: target![1] } as unknown as UnlearnTarget
  throw new AgidbError(
    'AGIDB_INVALID_ARGUMENT',
    `forget: ${targets.length} targets are given; give one of ids, speaker, session, source, concept, belief, ` +
      'pattern, filter, all',
  )
}

async function plan(db: Agidb, planned: UnlearnReport, code: string): Promise<ToolAnswer> {
  const { nodes } = planned.graph
  if (planned.selfVectorDriftHamming === 0)
    return { data: { dryRun: true, counts: countsOf(planned), affected: [] }, note: 'There is nothing to forget.' }
  const affected = await Promise.all(
    nodes.slice(0, LISTED).map(async (node) => {
      if (node.kind !== 'episode') return node
      const text = (await db.getEpisode(node.id))?.text
      return { ...node, ...(text !== undefined && excerpt(text)) }
    }),
  )
  const what = nodes.length === 1 ? '1 thing' : `${nodes.length} things`
  return {
    data: { dryRun: true, confirm: code, counts: countsOf(planned), affected },
    note: `Nothing was changed. ${what} would go or change; confirm with "${code}" to forget this.`,
  }
}

/** A code that only somebody who has seen this dry run knows: it changes when anything else would go. */
function codeOf(target: UnlearnTarget, { graph, ...counts }: UnlearnReport): string {
  const { episodesRemoved, beliefsRemoved } = counts
  const nodes = graph.nodes.map(({ id, becomes }) => `${id} ${becomes}`).sort()
  const digest = sha256(encodeUtf8(JSON.stringify([target, episodesRemoved, beliefsRemoved, nodes])))
  return bytesToHex(digest.subarray(0, 8))
}

/** How much goes, without what nothing of goes. */
function countsOf(report: UnlearnReport): Record<string, number> {
  const numbers = Object.entries(report).filter(([, value]) => typeof value === 'number' && value > 0)
  return Object.fromEntries(numbers) as Record<string, number>
}
