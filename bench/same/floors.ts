import type { Database } from '../library.js'

/** The ids of what was made, and the names and times that are asked about. */
export interface Known {
  readonly episodes: readonly string[]
  readonly frames: readonly string[]
  readonly goals: readonly string[]
  readonly beliefs: readonly string[]
  readonly procedures: readonly string[]
  readonly sessions: readonly string[]
  readonly concepts: readonly string[]
  readonly times: readonly number[]
}

const EVER = 0
const QUESTIONS = [
  'what did I learn',
  'what was I attending to',
  'what changed my mind',
  'which goals moved',
  'how much did I drift',
  'what am I most like',
] as const

/** Everything that a memory answers about its floors, each floor by a name of its own. */
export async function floors(db: Database, known: Known): Promise<Record<string, unknown>> {
  const { episodes, goals, beliefs, procedures, sessions, concepts, times } = known
  const each = <T>(items: readonly T[], ask: (item: T) => Promise<unknown>) => Promise.all(items.map(ask))
  return {
    sensory: await db.workingState(),
    working: await each(sessions, (session) => db.workingMemory(session)),
    episodes: [await listed(db), await each(episodes, (id) => db.getEpisode(id))],
    atoms: [
      await db.semanticAtoms({ limit: 1000 }),
      await each(times, (time) => db.semanticAtoms({ transactionAsOf: time, validAsOf: time })),
      await each(concepts, (concept) => db.semanticAtoms({ concept })),
    ],
    procedures: [
      await db.procedures({ state: 'all' }),
      await each(procedures, (id) => db.getProcedure(id)),
      await each(times, (asOf) => db.procedures({ asOf })),
      await db.proceduresFor('what to do when it rains'),
    ],
    goals: [
      await db.goals(),
      await db.activeGoals(),
      await each(goals, (id) => db.getGoal(id)),
      await each(goals, (id) => db.goalTree(id)),
      await each(times, (asOf) => db.goals({ asOf })),
    ],
    beliefs: [
      await each(beliefs, (id) => db.getBelief(id)),
      await each(beliefs, (id) => db.beliefHistory(id)),
      await each(concepts, (about) => db.whatDoIBelieve(about)),
      await each(times, (time) => db.whatDoIBelieve(concepts[0], { validAsOf: time, transactionAsOf: time })),
    ],
    learned: await db.whatDidILearn(EVER),
    self: [
      await db.selfVector(),
      await each(times, (time) => db.selfVectorAt(time)),
      await each(concepts, (concept) => db.selfSimilarity(concept)),
      await each(QUESTIONS, (question) => db.introspect({ question })),
    ],
    recalled: await each(concepts, (concept) => db.recall(`what about ${concept}?`)),
    counts: counts(await db.stats()),
  }
}

/** All episodes, in order. */
async function listed(db: Database): Promise<unknown[]> {
  const all = []
  for await (const page of db.episodes()) all.push(...page)
  return all
}

/**
 * What `stats` counts. Main memory is left out, because the ways to estimate it may change; so are the sentences for
 * people, and the bytes on disk, which depend on when a checkpoint was written.
 */
export function counts(stats: Awaited<ReturnType<Database['stats']>>): unknown {
  const { episodes, sessions, speakers, concepts, terms, atoms, procedures, goals, beliefs, events } = stats
  const { durability, role, kernel, codebook, ranker, opening } = stats
  return {
    episodes,
    sessions,
    speakers,
    concepts,
    terms,
    atoms,
    procedures,
    goals,
    beliefs,
    events,
    durability,
    role,
    kernel,
    codebook,
    ranker,
    opening: opening.map(({ kind }) => kind),
  }
}
