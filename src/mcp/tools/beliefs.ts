import { z } from 'zod'
import { limit, needed, records, time } from '../fields.js'
import { shownBelief } from '../shown.js'
import { defineTool } from '../tool.js'

const ACTIONS = ['about', 'assert', 'revise', 'withdraw', 'history'] as const
const WRITING: readonly string[] = ['assert', 'revise', 'withdraw']

/** What the agent holds to be true, and how sure it is. */
export const beliefs = defineTool({
  name: 'beliefs',
  title: 'Beliefs',
  description:
    'What is held to be true, with a confidence that evidence changes. about: what is believed about a concept. ' +
    'assert: holds a claim to be true. revise: weighs a memory as evidence. withdraw: holds it no more. history: ' +
    'what became of a belief.',
  input: z.strictObject({
    action: z.enum(ACTIONS).default('about'),
    about: z.string().optional().describe('about: a person, a thing, a topic'),
    k: limit(100, 10),
    minConfidence: z.number().min(0).max(1).optional(),
    validAsOf: time.optional(),
    transactionAsOf: time.optional(),
    claim: z.string().optional().describe('assert: what is held to be true, in words'),
    subject: z.string().optional().describe('assert: the claim as a statement, all three parts'),
    predicate: z.string().optional(),
    object: z.string().optional(),
    confidence: z.number().min(0).max(1).optional().describe('assert: how sure, 0 to 1; default 0.5'),
    evidence: z.array(z.string()).max(1_000).optional().describe('assert: ids of memories that it rests on'),
    id: z.string().optional().describe('revise, withdraw, history: the belief'),
    memory: z.string().optional().describe('revise: the id of the memory that is weighed'),
    reason: z.string().optional().describe('withdraw: why'),
  }),
  output: z.object({
    beliefs: records.optional(),
    revisions: records.optional(),
    change: z.looseObject({}).optional(),
  }),
  effect: ({ action }) => (WRITING.includes(action) ? 'writes' : 'reads'),
  destructive: true,
  async run(args, { db }) {
    const need = <T>(name: string, value: T | undefined) => needed('beliefs', args.action, name, value)
    switch (args.action) {
      case 'about': {
        const { k, minConfidence, validAsOf, transactionAsOf } = args
        const options = { k, minConfidence, validAsOf, transactionAsOf }
        const found = await db.whatDoIBelieve(need('about', args.about), options)
        return { data: { beliefs: found.map((belief) => ({ ...shownBelief(belief), foundBy: belief.foundBy })) } }
      }
      case 'assert': {
        const { subject, predicate, object, confidence, evidence } = args
        const claim = need('claim', args.claim)
        const made = await db.assertBelief({ claim, subject, predicate, object, confidence, evidence })
        const belief = await db.getBelief(made)
        return { data: { beliefs: belief === undefined ? [] : [shownBelief(belief)] } }
      }
      case 'revise':
        return { data: { change: await db.reviseBelief(need('id', args.id), need('memory', args.memory)) } }
      case 'withdraw':
        await db.withdrawBelief(need('id', args.id), need('reason', args.reason))
        return { data: { change: { id: args.id, withdrawn: true } } }
      case 'history':
        return { data: { revisions: await db.beliefHistory(need('id', args.id)) } }
    }
  },
})
