import type { Caller } from '../api/caller.js'
import type { BeliefMethods } from '../api/methods/beliefs.js'
import type { ConceptMethods } from '../api/methods/concepts.js'
import type { ConflictMethods } from '../api/methods/conflicts.js'
import type { EntryMethods } from '../api/methods/entries.js'
import type { ForgettingMethods } from '../api/methods/forgetting.js'
import type { GoalMethods } from '../api/methods/goals.js'
import type { GraphMethods } from '../api/methods/graph.js'
import type { SemanticMethods } from '../api/methods/knowledge.js'
import type { ProcedureMethods } from '../api/methods/procedures.js'
import type { SelfMethods } from '../api/methods/self.js'
import type { SensoryMethods } from '../api/methods/sensory.js'
import type { TranslationMethods } from '../api/methods/translations.js'
import type { WorkingMethods } from '../api/methods/working.js'
import type { Floors } from './memory.js'

/** The public methods of each service of the floors beside the episodes. */
interface ServicesOfMemory {
  readonly sensory: SensoryMethods
  readonly working: WorkingMethods
  readonly atoms: SemanticMethods
  readonly procedures: ProcedureMethods
  readonly goals: GoalMethods
  readonly beliefs: BeliefMethods
  readonly concepts: ConceptMethods
  readonly conflicts: ConflictMethods
  readonly self: SelfMethods
  readonly translations: TranslationMethods
  readonly associations: GraphMethods
  readonly documents: EntryMethods
  readonly forgetting: ForgettingMethods
}

type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never
/** The public methods of all floors beside the episodes; those of members such as `graph` stand there. */
export type MemoryMethods = Omit<
  Intersection<ServicesOfMemory[keyof ServicesOfMemory]>,
  keyof GraphMethods | keyof EntryMethods
>

/** Methods by name, each a function of the arguments that its caller gave. */
export type ServiceMethods = Readonly<Record<string, (...args: never[]) => unknown>>

/** Makes public methods that act on a memory on behalf of a caller. Their names are the same for every caller. */
export type MethodService = (memory: Floors, caller: Caller) => ServiceMethods

const SERVICES: {
  readonly [Service in keyof ServicesOfMemory]: (memory: Floors, caller: Caller) => ServicesOfMemory[Service]
} = {
  sensory: ({ sensory }, caller) => sensory.methods(caller),
  working: ({ working }) => working.methods(),
  atoms: ({ atoms }, caller) => atoms.methods(caller),
  procedures: ({ procedures }, caller) => procedures.methods(caller),
  goals: ({ goals }, caller) => goals.methods(caller),
  beliefs: ({ beliefs }, caller) => beliefs.methods(caller),
  concepts: ({ concepts }, caller) => concepts.methods(caller),
  conflicts: ({ conflicts }) => conflicts.methods(),
  self: ({ self }) => self.methods(),
  translations: ({ translations }) => translations.methods(),
  associations: ({ associations }, caller) => associations.methods(caller),
  documents: ({ documents }, caller) => documents.methods(caller),
  forgetting: ({ forgetting }, caller) => forgetting.methods(caller),
}

/** The name of a service of the floors. */
export type MemoryService = keyof ServicesOfMemory

/** The public methods of a service on behalf of a caller. */
export function methodsOf(memory: Floors, service: MemoryService, caller: Caller): ServiceMethods {
  return SERVICES[service](memory, caller) as unknown as ServiceMethods
}
