import { beliefMethods } from '../api/methods/beliefs.js'
import { conceptMethods } from '../api/methods/concepts.js'
import { conflictMethods } from '../api/methods/conflicts.js'
import { entryMethods } from '../api/methods/entries.js'
import { forgettingMethods } from '../api/methods/forgetting.js'
import { goalMethods } from '../api/methods/goals.js'
import { graphMethods } from '../api/methods/graph.js'
import { knowledgeMethods } from '../api/methods/knowledge.js'
import type { MethodTable } from '../api/methods/method.js'
import { procedureMethods } from '../api/methods/procedures.js'
import { selfMethods } from '../api/methods/self.js'
import { sensoryMethods } from '../api/methods/sensory.js'
import { translationMethods } from '../api/methods/translations.js'
import { workingMethods } from '../api/methods/working.js'
import type { MemoryService } from '../memory/methods.js'

/** The methods of each service of the floors, known before these are loaded. */
export const METHODS_OF_MEMORY: Readonly<Record<MemoryService, MethodTable>> = {
  sensory: sensoryMethods,
  working: workingMethods,
  atoms: knowledgeMethods,
  procedures: procedureMethods,
  goals: goalMethods,
  beliefs: beliefMethods,
  concepts: conceptMethods,
  conflicts: conflictMethods,
  self: selfMethods,
  translations: translationMethods,
  associations: graphMethods,
  documents: entryMethods,
  forgetting: forgettingMethods,
}
