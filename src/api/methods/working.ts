import type { WorkingMemory } from '../working.js'
import type { Registration } from './method.js'

/** The method of floor 2. */
export interface WorkingMethods {
  /**
   * What of a session is still present. Nothing is stored: it is a view of the episodes and goals as they are now. A
   * session that is not known yet has no turns.
   *
   * @param options.capacity 1 to 100. Default 7 (Miller 1956).
   */
  workingMemory(session: string, options?: { readonly capacity?: number }): Promise<WorkingMemory>
}

export const workingMethods: Registration<WorkingMethods> = {
  workingMemory: { effect: 'reads' },
}
