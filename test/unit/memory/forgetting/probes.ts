import type { Agidb } from '../../../../src/api/agidb.js'
import type { EntrySearchOptions } from '../../../../src/api/entry.js'
import type { Episode } from '../../../../src/api/episode.js'
import type { LearningEvent } from '../../../../src/api/learning.js'
import type { Procedure } from '../../../../src/api/procedure.js'
import { answers, type Known, timeless } from '../answers.js'

/** What events are of the record of an unlearning, which is all that a memory keeps of it. */
const AUDIT: readonly LearningEvent['kind'][] = ['unlearned', 'restored']

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
  return named(await asked(db, known, AUDIT), nameOf)
}

/**
 * The same without what was decided at its time and is not decided again: how surprising a perception was, and what a
 * traced recall considered; and without how many frames came, which counts those that nobody knew any more when their
 * session was forgotten.
 */
export async function lastingProbes(db: Agidb, known: Known, nameOf: (id: string) => string): Promise<unknown> {
  const answered = await asked(db, known, [...AUDIT, 'attentionTraced'])
  return lasting(named({ answered, searched: await searchProbes(db) }, nameOf))
}

async function asked(db: Agidb, known: Known, hidden: readonly LearningEvent['kind'][]): Promise<unknown> {
  const answered = await answers(
    overridden(db, {
      getGoal: (id) => db.getGoal(id),
      goalTree: (id) => missing(() => db.goalTree(id)) as ReturnType<Agidb['goalTree']>,
      getBelief: (id) => db.getBelief(id),
      beliefHistory: (id) => missing(() => db.beliefHistory(id)) as ReturnType<Agidb['beliefHistory']>,
      whatDidILearn: async (since) => (await db.whatDidILearn(since)).filter(({ kind }) => !hidden.includes(kind)),
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
  const listed: Episode[] = []
  for await (const page of db.episodes()) listed.push(...page)
  return {
    answered,
    listed,
    versions: await Promise.all(listed.map(({ id }) => db.history(id))),
    counts: { episodes, sessions, speakers, concepts, terms, atoms, procedures, goals, beliefs },
    recalled: await Promise.all(CUES.map(async (cue) => recalled(await db.recall(cue, { k: 5, context: 1 })))),
    inSession: await Promise.all(
      known.sessions.map(async (session) => recalled(await db.recall('what was said?', { session }))),
    ),
    introspected: await Promise.all(QUESTIONS.slice(1).map(async (question) => await db.introspect({ question }))),
    procedures: (await db.procedures({ state: 'all' })).map(marked),
    goals: await db.goals(),
    conflicts: await db.conflicts(),
    concepts: await Promise.all(
      (await db.concepts({ limit: 1_000 })).map(async (one) => [one, await db.concept(one.id)]),
    ),
    graph: await graphProbes(db, listed),
    documents: await documentProbes(db),
    candidates: await db.beliefCandidates({ minSupport: 1, minConfidence: 0 }),
    believed: await Promise.all(CUES.map((cue) => db.whatDoIBelieve(cue, { k: 20 }))),
    similar: await Promise.all(CUES.map((cue) => db.selfSimilarity(cue))),
    surprise: await Promise.all(CUES.map((text) => db.surpriseScore({ modality: 'text', text }))),
  }
}

/** Everything that the graphs answer, but for the bytes that they take. */
async function graphProbes(db: Agidb, listed: readonly Episode[]): Promise<unknown> {
  const ids = listed.map(({ id }) => id)
  const { association, chain, entity, coActivation } = await db.graph.stats()
  const exported = JSON.parse(await new Response(await db.graph.export('json')).text()) as { nodes: unknown[] }
  return {
    around: await Promise.all(ids.map((id) => db.graph.neighbours(id, { depth: 2 }))),
    active: await Promise.all(ids.map((id) => db.graph.activate([id], { k: 100 }))),
    timelines: await Promise.all(ids.map((id) => db.graph.timeline(id, { before: 9, after: 9 }))),
    entities: await db.graph.entities({ k: 1_000 }),
    named: await Promise.all(['Ann', 'Bo', 'tea'].map((name) => db.graph.entity(name))),
    relations: await db.graph.relations(),
    paths: await Promise.all(ids.slice(1).map((id) => db.graph.paths(ids[0], id, { k: 20 }))),
    exported,
    counts: [association, chain, entity, coActivation].map(({ bytes: _, ...counts }) => counts),
  }
}

/**
 * What searches find. They count as accesses, so they come last and tell nothing that goes by accesses, and a memory
 * that is probed again is not asked for them.
 */
async function searchProbes({ entries }: Agidb): Promise<unknown> {
  const perspectives = await entries.perspectives()
  const found = async (cue: string, options: EntrySearchOptions) => {
    const matches = await entries.search(cue, { ...options, alpha: 0 })
    return matches.map(({ entry: { id }, similarity, path, children }) => ({
      id,
      similarity,
      path: path.map(idOf),
      children: children.map(({ entry }) => entry.id),
    }))
  }
  return [
    await Promise.all(perspectives.map(({ id }) => found('tea', { perspective: id }))),
    await Promise.all(CUES.map((cue) => found(cue, {}))),
    await Promise.all(CUES.map((cue) => found(cue, { deep: true, k: 100 }))),
  ]
}

function idOf({ id }: { readonly id: string }): string {
  return id
}

/** Everything that documents answer but for searches. */
async function documentProbes({ entries }: Agidb): Promise<unknown> {
  const listed = await entries.browse({ deep: true, limit: 1_000 })
  const ids = listed.map(({ id }) => id)
  const sources = await entries.sources()
  const perspectives = await entries.perspectives()
  return {
    listed,
    seen: (await entries.browse({ limit: 1_000 })).map(({ id }) => id),
    sources,
    trees: await Promise.all(sources.map(({ source }) => entries.tree(source))),
    salience: await Promise.all(ids.map((id) => entries.salience(id))),
    suggested: await Promise.all(ids.map((id) => entries.suggestPerspectives(id))),
    perspectives,
    identity: await entries.identity(),
    priming: await entries.priming(),
    aging: await entries.aging.configure(),
  }
}

/** What {@link lastingProbes} leave out. */
const PASSING: ReadonlySet<string> = new Set(['surprise', 'differsFrom', 'observed', 'dropped'])

function lasting(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lasting)
  if (typeof value !== 'object' || value === null) return value
  if ('question' in value && value.question === 'what was I attending to') return { question: value.question }
  const told = Object.entries(value).filter(([key]) => !PASSING.has(key))
  return Object.fromEntries(told.map(([key, one]) => [key, lasting(one)]))
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
  if (value instanceof Uint8Array) return [...value].join(' ')
  // What one of the twins never made is unknown to both.
  if (Array.isArray(value)) return value.filter((one) => one !== undefined).map((one) => named(one, nameOf))
  if (typeof value !== 'object' || value === null) return value
  // The marks of what lost evidence.
  const told = Object.entries(value).filter(([key]) => key !== 'degraded' && key !== 'lost')
  return Object.fromEntries(
    told.map(([key, one]) => [key, key === 'upTo' || key === 'decays' ? 'slot' : named(one, nameOf)]),
  )
}
