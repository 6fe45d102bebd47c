import { AgidbError } from '../base/errors.js'
import type { Agidb } from './agidb.js'
import { frozen, methodAt, putMethod } from './method-path.js'
import { beliefMethods } from './methods/beliefs.js'
import { changeMethods } from './methods/changes.js'
import { conceptMethods } from './methods/concepts.js'
import { conflictMethods } from './methods/conflicts.js'
import { databaseMethods } from './methods/database.js'
import { episodeMethods } from './methods/episodes.js'
import { forgettingMethods } from './methods/forgetting.js'
import { goalMethods } from './methods/goals.js'
import { entryMethods, type EntryMethods } from './methods/entries.js'
import { graphMethods, type GraphMethods } from './methods/graph.js'
import { knowledgeMethods } from './methods/knowledge.js'
import { procedureMethods } from './methods/procedures.js'
import { recallMethods } from './methods/recall.js'
import { selfMethods } from './methods/self.js'
import { senseMethods } from './methods/senses.js'
import { sensoryMethods } from './methods/sensory.js'
import { syncMethods } from './methods/sync.js'
import { transferMethods } from './methods/transfer.js'
import { translationMethods } from './methods/translations.js'
import { workingMethods } from './methods/working.js'
import type { MethodSpec, MethodTable } from './methods/method.js'

/** The public methods by the names under which they are registered: those of `db.graph` as `graph.neighbours`. */
export type MethodsByName = Omit<Agidb, 'graph' | 'entries'> & GraphMethods & EntryMethods

/** Every public method, with how it is carried; one that is missing does not compile. */
export const METHODS: { readonly [M in keyof MethodsByName & string]: MethodSpec } = {
  ...episodeMethods,
  ...recallMethods,
  ...sensoryMethods,
  ...senseMethods,
  ...workingMethods,
  ...knowledgeMethods,
  ...procedureMethods,
  ...goalMethods,
  ...beliefMethods,
  ...conceptMethods,
  ...graphMethods,
  ...entryMethods,
  ...conflictMethods,
  ...selfMethods,
  ...translationMethods,
  ...forgettingMethods,
  ...changeMethods,
  ...transferMethods,
  ...syncMethods,
  ...databaseMethods,
}

/** The methods of a database that answer with one promise. */
export type Method = {
  [M in keyof MethodsByName & string]: MethodsByName[M] extends (...args: never[]) => Promise<unknown> ? M : never
}[keyof MethodsByName & string]

/** What a call of `M` resolves to. */
export type Result<M extends Method> = Awaited<ReturnType<MethodsByName[M]>>

/** What a table says of a method, or `undefined`. Own names only: whatever an object inherits is no method. */
export function specOf(methods: MethodTable, method: unknown): MethodSpec | undefined {
  return typeof method === 'string' && Object.hasOwn(methods, method) ? methods[method] : undefined
}

/** Whether a call would change the memory. */
export function changes(method: string, args: readonly unknown[], methods: MethodTable = METHODS): boolean {
  const effect = specOf(methods, method)?.effect
  return (typeof effect === 'function' ? effect(args) : effect) === 'writes'
}

/** The refusal of a call that would write. */
export function refusedToWrite(method: string): AgidbError {
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
export function publicView(db: Agidb, readOnly: boolean, methods: MethodTable = METHODS): Agidb {
  const view: Record<PropertyKey, unknown> = {}
  // Older browsers do not have the symbol.
  if (Symbol.asyncDispose !== undefined) view[Symbol.asyncDispose] = db.close.bind(db)
  for (const method of Object.keys(methods)) {
    const call = methodAt(db, method)
    const guarded = (...args: unknown[]) =>
      changes(method, args, methods) ? Promise.reject(refusedToWrite(method)) : call(...args)
    putMethod(view, method, readOnly ? guarded : call)
  }
  return frozen(view, methods) as unknown as Agidb
}
