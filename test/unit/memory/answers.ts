import type { Agidb } from '../../../src/api/agidb.js'
import type { Recall } from '../../../src/api/recall.js'

const EVER = '1970-01-01T00:00:00Z'

/** What was made, by whose ids the rest is asked. */
export interface Known {
  readonly goals: readonly string[]
  readonly beliefs: readonly string[]
  readonly procedures: readonly string[]
  readonly sessions: readonly string[]
  readonly concepts: readonly string[]
  readonly times: readonly number[]
}

/** A recall without what is its own each time. */
export function timeless({ id: _, elapsedMs: __, ...answer }: Recall): Omit<Recall, 'id' | 'elapsedMs'> {
  return answer
}

/** Everything that a database answers about its floors: two that answer alike are alike. */
export async function answers(
  db: Agidb,
  { goals, beliefs, procedures, sessions, concepts, times }: Known,
): Promise<unknown> {
  const each = <T>(items: readonly T[], ask: (item: T) => Promise<unknown>) => Promise.all(items.map(ask))
  return {
    learned: await db.whatDidILearn(EVER),
    goals: await each(goals, (id) => db.getGoal(id)),
    trees: await each(goals, (id) => db.goalTree(id)),
    active: await db.activeGoals(),
    beliefs: await each(beliefs, (id) => db.getBelief(id)),
    histories: await each(beliefs, (id) => db.beliefHistory(id)),
    believed: await each(concepts, (about) => db.whatDoIBelieve(about)),
    believedThen: await each(times, (time) =>
      db.whatDoIBelieve(concepts[0] ?? 'x', { validAsOf: time, transactionAsOf: time }),
    ),
    procedures: await each(procedures, (id) => db.getProcedure(id)),
    procedural: await db.proceduresFor('what to do when it rains'),
    atoms: await db.semanticAtoms(),
    atomsThen: await each(times, (time) => db.semanticAtoms({ transactionAsOf: time })),
    present: await each(sessions, (session) => db.workingMemory(session)),
    buffer: await db.workingState(),
    self: await db.selfVector(),
    selfThen: await each(times, (time) => db.selfVectorAt(time)),
    recalled: await each(concepts, async (cue) => timeless(await db.recall(`what about ${cue}?`))),
    introspected: await each(
      [
        'what did I learn',
        'what was I attending to',
        'what changed my mind',
        'which goals moved',
        'how much did I drift',
      ] as const,
      (question) => db.introspect({ question }),
    ),
  }
}
