import type { Agidb } from '../../../../src/api/agidb.js'
import type { LearningEvent } from '../../../../src/api/learning.js'
import type { Procedure } from '../../../../src/api/procedure.js'
import { listed } from '../../engine/open.js'
import { answers, type Known, timeless } from '../answers.js'

/** What events are of the record of an unlearning, which is all that a memory keeps of it. */
const AUDIT: ReadonlySet<LearningEvent['kind']> = new Set<LearningEvent['kind']>(['unlearned', 'restored'])

const CUES = ['tea', 'Who likes tea?', 'coffee in Oslo', 'what did Ann say?', 'the pump is broken', 'rain', 'Bo']
const QUESTIONS = [
  'what did I learn',
  'what was I attending to',
  'what changed my mind',
  'which goals moved',
  'how much did I drift',
  'what am I most like',
] as const

/**
 * Everything that a memory answers, but for the record of what it forgot, ids of events and slots (which go by the
 * order of writing), and the mark of procedures that lost evidence. Two memories are twins when this is equal.
 *
 * @param known ids and names to ask by; those that one of the twins does not know are answered `AGIDB_NOT_FOUND`.
 * @param nameOf gives ids that are drawn anew in each memory a name that both have.
 */
export async function probes(db: Agidb, known: Known, nameOf: (id: string) => string = (id) => id): Promise<unknown> {
  const asked = await answers(
    overridden(db, {
      getGoal: (id) => db.getGoal(id),
      goalTree: (id) => missing(() => db.goalTree(id)) as ReturnType<Agidb['goalTree']>,
      getBelief: (id) => db.getBelief(id),
      beliefHistory: (id) => missing(() => db.beliefHistory(id)) as ReturnType<Agidb['beliefHistory']>,
      whatDidILearn: async (since) => (await db.whatDidILearn(since)).filter(({ kind }) => !AUDIT.has(kind)),
      getProcedure: async (id) => marked(await db.getProcedure(id)),
      proceduresFor: async (cue) => (await db.proceduresFor(cue)).map(marked) as never,
      introspect: async (query) => {
        const answer = await db.introspect(query)
        return (query.question === 'what did I learn' ? { question: query.question } : answer) as typeof answer
      },
    }),
    known,
  )
  const { episodes, sessions, speakers, concepts, terms, atoms, procedures, goals, beliefs } = await db.stats()
  const all = {
    asked,
    episodes: await listed(db),
    counts: { episodes, sessions, speakers, concepts, terms, atoms, procedures, goals, beliefs },
    recalled: await Promise.all(CUES.map(async (cue) => recalled(await db.recall(cue, { k: 5, context: 1 })))),
    inSession: await Promise.all(
      known.sessions.map(async (session) => recalled(await db.recall('what was said?', { session }))),
    ),
    introspected: await Promise.all(QUESTIONS.slice(1).map(async (question) => await db.introspect({ question }))),
    procedures: (await db.procedures({ state: 'all' })).map(marked),
    goals: await db.goals(),
    conflicts: await db.conflicts(),
    believed: await Promise.all(CUES.map((cue) => db.whatDoIBelieve(cue, { k: 20 }))),
    similar: await Promise.all(CUES.map((cue) => db.selfSimilarity(cue))),
    surprise: await Promise.all(CUES.map((text) => db.surpriseScore({ modality: 'text', text }))),
  }
  return named(all, nameOf)
}

/** A memory some of whose methods are others. */
function overridden(db: Agidb, others: Partial<Agidb>): Agidb {
  return new Proxy(db, {
    get(_, name) {
      const method = others[name as keyof Agidb] ?? db[name as keyof Agidb]
      return (method as (...args: unknown[]) => unknown).bind(db)
    },
  })
}

async function missing<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if ((error as { readonly code?: string }).code === 'AGIDB_NOT_FOUND') return undefined
    throw error
  }
}

function recalled(answer: Awaited<ReturnType<Agidb['recall']>>): unknown {
  return { ...timeless(answer), procedures: answer.procedures.map(marked) }
}

/** A procedure without the mark that it lost evidence. */
function marked<P extends Procedure | undefined>(procedure: P): P {
  return procedure === undefined ? procedure : { ...procedure, degraded: false }
}

/** Plain data with other names for ids; keys in one order, and bytes as numbers. */
function named(value: unknown, nameOf: (id: string) => string): unknown {
  if (typeof value === 'string') return value.startsWith('ev_') && value.length === 29 ? 'ev' : nameOf(value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  // What one of the twins never made is unknown to both.
  if (Array.isArray(value)) return value.filter((one) => one !== undefined).map((one) => named(one, nameOf))
  if (typeof value !== 'object' || value === null) return value
  // The marks of what lost evidence.
  const told = Object.entries(value).filter(([key]) => key !== 'degraded' && key !== 'lost')
  return Object.fromEntries(told.map(([key, one]) => [key, key === 'upTo' ? 'slot' : named(one, nameOf)]))
}
