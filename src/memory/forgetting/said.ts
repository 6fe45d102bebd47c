import type { GoalState } from '../../api/goal.js'
import type { LearningEvent } from '../../api/learning.js'
import type { ProcedureChanges } from '../../api/procedure.js'

/** What is said in words. Names of sessions, sources, tags and perspectives are labels, and no part of it. */
export interface Said {
  readonly texts: readonly string[]
  /** Names that stand by themselves. */
  readonly names: readonly string[]
}

/**
 * What an event says in words of its caller. What follows from episodes says nothing here: it goes with them, as does
 * the reason of a revision, which quotes its evidence.
 */
export function saidBy(event: LearningEvent): Said {
  switch (event.kind) {
    case 'goalSet':
      return texts(event.description, ...event.successCriteria)
    case 'goalRevised':
      return texts(event.changes.description, ...(event.changes.successCriteria ?? []))
    case 'goalStateChanged':
      return texts(reasonOf(event.from), reasonOf(event.to))
    case 'procedureLearned':
      return texts(...saidOfProcedure(event))
    case 'procedureRevised':
      return texts(event.reason, ...saidOfProcedure(event.changes))
    case 'procedureRetired':
      return texts(event.reason)
    case 'procedureExecuted':
      return texts(event.execution.note, ...event.execution.trace)
    case 'beliefAsserted':
    case 'beliefReasserted':
      return { ...texts(event.claim), names: present(event.subject, event.object) }
    case 'beliefWithdrawn':
      return texts(event.revision.evidence === undefined ? event.revision.reason : undefined)
    case 'attentionTraced':
      return texts(event.cue)
    case 'entitiesRelated':
      return { texts: [], names: [event.from, event.to] }
    case 'edgesForgotten':
      return { texts: [], names: (event.relations ?? []).flatMap(({ from, to }) => [from, to]) }
    default:
      return texts()
  }
}

function reasonOf(state: GoalState): string | undefined {
  return state.kind === 'paused' || state.kind === 'abandoned' ? state.reason : undefined
}

function saidOfProcedure({ name, trigger, steps = [], preconditions = [] }: ProcedureChanges) {
  return [name, trigger, ...steps, ...preconditions]
}

function texts(...all: readonly (string | undefined)[]): Said {
  return { texts: present(...all), names: [] }
}

function present(...all: readonly (string | undefined)[]): string[] {
  return all.filter((one) => one !== undefined)
}
