import type { BeliefParts } from './beliefs/beliefs.js'
import type { ConceptParts } from './concepts/concepts.js'
import type { Drafts } from './forgetting/forgetting.js'
import type { GoalParts } from './goals/goals.js'
import type { AtomParts } from './knowledge/atoms.js'
import type { ProcedureParts } from './procedures/procedures.js'
import type { SelfParts } from './self/self.js'
import type { SensoryParts } from './sensory/sensory.js'
import type { TranslationParts } from './translations/translations.js'

type Loaded<P extends keyof AtomParts> = Awaited<ReturnType<AtomParts[P]>>

/** Parts of the floors that are large and not needed for a first answer: each is loaded when it is first asked for. */
export interface FloorParts extends ConceptParts, GoalParts, ProcedureParts, SelfParts, SensoryParts, TranslationParts {
  /** Forgets, restores and erases, and works out what of atoms and beliefs is otherwise when episodes change. */
  readonly forgetting: () => Promise<Drafts & Loaded<'forgetting'> & Awaited<ReturnType<BeliefParts['forgetting']>>>
  /** Comes to believe what episodes state, and has them revise beliefs. */
  readonly believing: BeliefParts['believing']
  /** Consolidates. */
  readonly consolidation: () => Promise<Loaded<'consolidation'>>
}
