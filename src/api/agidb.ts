import type { BeliefMethods } from './methods/beliefs.js'
import type { SubscribeMethods } from './methods/changes.js'
import type { ConceptMethods } from './methods/concepts.js'
import type { ConflictMethods } from './methods/conflicts.js'
import type { DatabaseMethods } from './methods/database.js'
import type { Entries } from './methods/entries.js'
import type { EpisodeMethods } from './methods/episodes.js'
import type { ForgettingMethods } from './methods/forgetting.js'
import type { GoalMethods } from './methods/goals.js'
import type { Graph } from './methods/graph.js'
import type { SemanticMethods } from './methods/knowledge.js'
import type { ProcedureMethods } from './methods/procedures.js'
import type { RecallMethods } from './methods/recall.js'
import type { SelfMethods } from './methods/self.js'
import type { SenseMethods } from './methods/senses.js'
import type { SensoryMethods } from './methods/sensory.js'
import type { PortableMethods } from './methods/transfer.js'
import type { SyncMethods } from './methods/sync.js'
import type { TranslationMethods } from './methods/translations.js'
import type { WorkingMethods } from './methods/working.js'

declare global {
  // As in TypeScript's own `esnext.disposable`, for programs that are compiled without that library.
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol
  }
}

/**
 * A memory. The in-process engine and the client of an engine worker both implement it; all that crosses is
 * structured-cloneable.
 */
export interface Agidb
  extends EpisodeMethods,
    RecallMethods,
    SensoryMethods,
    SenseMethods,
    WorkingMethods,
    SemanticMethods,
    ProcedureMethods,
    GoalMethods,
    BeliefMethods,
    ConceptMethods,
    ConflictMethods,
    SelfMethods,
    TranslationMethods,
    ForgettingMethods,
    SubscribeMethods,
    PortableMethods,
    SyncMethods,
    DatabaseMethods {
  /** The three graphs of the memory: associations, order in time, entities. See docs/graphs.md. */
  readonly graph: Graph
  /** Documents, and notes beside them: docs/documents.md. */
  readonly entries: Entries
  /** The same as {@link close}, for `await using db = await Agidb.open(…)`. */
  [Symbol.asyncDispose](): Promise<void>
}
