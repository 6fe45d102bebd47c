import type { AtomQuery, ConsolidateOptions, ConsolidationReport, SemanticAtom } from '../atom.js'
import type { Registration } from './method.js'

/** The methods of floor 4. */
export interface SemanticMethods {
  /**
   * Makes knowledge of what episodes say alike: once for each episode, in the order in which they were observed. The
   * same episodes give the same atoms, in however many runs. One run at a time: a call during another's waits for it,
   * and then looks at what came since. Episodes that come during a run are left to the next.
   *
   * @throws AgidbError `AGIDB_ABORTED` when the signal fired, `AGIDB_CLOSED` when the database was closed meanwhile.
   */
  consolidate(options?: ConsolidateOptions): Promise<ConsolidationReport>
  semanticAtoms(query?: AtomQuery): Promise<SemanticAtom[]>
}

export const knowledgeMethods: Registration<SemanticMethods> = {
  consolidate: { effect: 'writes', interruption: { options: 0, rejects: 'when-answered' } },
  semanticAtoms: { effect: 'reads' },
}
