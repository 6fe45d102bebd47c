import type { Caller } from '../api/caller.js'
import type { BeliefMethods } from '../api/methods/beliefs.js'
import type { ConflictMethods } from '../api/methods/conflicts.js'
import type { GoalMethods } from '../api/methods/goals.js'
import type { SemanticMethods } from '../api/methods/knowledge.js'
import type { ProcedureMethods } from '../api/methods/procedures.js'
import type { SelfMethods } from '../api/methods/self.js'
import type { SensoryMethods } from '../api/methods/sensory.js'
import type { WorkingMethods } from '../api/methods/working.js'
import type { Floors } from './memory.js'

/** The public methods of the projections beside the episodes. */
export type MemoryMethods = SensoryMethods &
  WorkingMethods &
  SemanticMethods &
  ProcedureMethods &
  GoalMethods &
  BeliefMethods &
  ConflictMethods &
  SelfMethods

/** Methods by name, each a function of the arguments that its caller gave. */
export type ServiceMethods = Readonly<Record<string, (...args: never[]) => unknown>>

/** Gives public methods that act on a memory in the name of a caller. */
export type MethodService = (memory: Floors, caller: Caller) => ServiceMethods

/** The service of the product: what each projection's service gives. */
export function memoryMethods(memory: Floors, caller: Caller): MemoryMethods {
  return {
    ...memory.sensory.methods(caller),
    ...memory.working.methods(),
    ...memory.atoms.methods(caller),
    ...memory.procedures.methods(caller),
    ...memory.goals.methods(caller),
    ...memory.beliefs.methods(caller),
    ...memory.conflicts.methods(),
    ...memory.self.methods(),
  }
}
