import type { Agidb } from './agidb.js'
import { AgidbError } from '../base/errors.js'

/** The methods of a database that answer with one promise. */
export type Method = {
  [M in keyof Agidb & string]: Agidb[M] extends (...args: never[]) => Promise<unknown> ? M : never
}[keyof Agidb & string]

/** What a call of `M` resolves to. */
export type Result<M extends Method> = Awaited<ReturnType<Agidb[M]>>

/** What each method does to the memory, or does if its options say so; one that is missing here does not compile. */
export const METHODS: { readonly [M in Method]: 'reads' | 'writes' | 'repairs' } = {
  observe: 'writes',
  observeMany: 'writes',
  getEpisode: 'reads',
  supersede: 'writes',
  recall: 'reads',
  attentionTrace: 'reads',
  stats: 'reads',
  flush: 'reads',
  close: 'reads',
  observeSensory: 'writes',
  workingState: 'reads',
  surpriseScore: 'reads',
  surpriseScoreBrainCalibrated: 'reads',
  workingMemory: 'reads',
  consolidate: 'writes',
  semanticAtoms: 'reads',
  learnProcedure: 'writes',
  proceduresFor: 'reads',
  recordExecution: 'writes',
  getProcedure: 'reads',
  procedures: 'reads',
  reviseProcedure: 'writes',
  retireProcedure: 'writes',
  setGoal: 'writes',
  reviseGoal: 'writes',
  pauseGoal: 'writes',
  resumeGoal: 'writes',
  completeGoal: 'writes',
  abandonGoal: 'writes',
  goals: 'reads',
  activeGoals: 'reads',
  goalTree: 'reads',
  getGoal: 'reads',
  assertBelief: 'writes',
  reviseBelief: 'writes',
  reviseBeliefs: 'writes',
  whatDoIBelieve: 'reads',
  beliefHistory: 'reads',
  withdrawBelief: 'writes',
  getBelief: 'reads',
  export: 'reads',
  import: 'writes',
  compact: 'writes',
  verify: 'repairs',
  whatDidILearn: 'reads',
  selfVector: 'reads',
  selfVectorAt: 'reads',
  selfSimilarity: 'reads',
  introspect: 'reads',
}

/** Whether a call would change the memory: `verify` does when it is to repair. */
export function changes(method: Method, args: readonly unknown[]): boolean {
  const does = METHODS[method]
  return does === 'repairs'
    ? (args[0] as { readonly repair?: unknown } | null | undefined)?.repair === true
    : does === 'writes'
}

/** The refusal of a call that would write. */
export function refusedToWrite(method: Method): AgidbError {
  return new AgidbError(
    'AGIDB_READ_ONLY',
    `${method} would change the memory, which was opened with readOnly: true; open it without to write`,
    { method },
  )
}

/**
 * A memory as a program gets it: the methods of {@link Agidb} and nothing else of the object that has them.
 *
 * @param readOnly the calls that would change the memory reject with `AGIDB_READ_ONLY`.
 */
export function publicView(db: Agidb, readOnly: boolean): Agidb {
  const view: Partial<Record<keyof Agidb, unknown>> = {
    episodes: db.episodes.bind(db),
    subscribe: db.subscribe.bind(db),
  }
  // Older browsers do not have the symbol.
  if (Symbol.asyncDispose !== undefined) view[Symbol.asyncDispose] = db.close.bind(db)
  for (const method of Object.keys(METHODS) as Method[]) {
    const call = (db[method] as (...args: unknown[]) => unknown).bind(db)
    view[method] = !readOnly
      ? call
      : (...args: unknown[]) => (changes(method, args) ? Promise.reject(refusedToWrite(method)) : call(...args))
  }
  return Object.freeze(view) as Agidb
}
