import type { GoalState } from '../api/goal.js'
import type { LearningEvent, LearningKind } from '../api/learning.js'

/** The ids that an event of each kind refers to; a kind that is missing here does not compile. */
const REFERENCES: {
  readonly [Kind in LearningKind]: (event: LearningEvent<Kind>) => readonly (string | null | undefined)[]
} = {
  episodeStored: ({ episode }) => [episode],
  episodeSuperseded: ({ episode, by }) => [episode, by],
  sensoryFramePromoted: ({ frame, episode, differsFrom }) => [frame, episode, differsFrom],
  semanticAtomFormed: ({ atom, episodes }) => [atom, ...episodes],
  semanticAtomRevised: ({ atom, episodes }) => [atom, ...episodes],
  contradictionDetected: ({ atoms }) => atoms,
  consolidationRun: ({ through }) => [through],
  procedureLearned: ({ procedure, provenance }) => [procedure, ...provenance.episodes],
  procedureRevised: ({ procedure, evidence }) => [procedure, ...evidence],
  procedureRetired: ({ procedure }) => [procedure],
  procedureExecuted: ({ procedure, execution }) => [procedure, execution.id],
  goalSet: ({ goal, parent, provenance }) => [goal, parent, ...provenance.episodes],
  goalRevised: ({ goal, changes }) => [goal, changes.parent],
  goalStateChanged: ({ goal, from, to, by, with: above, children }) => [
    goal,
    by,
    above,
    ...(children?.goals ?? []),
    ...evidenceOf(from),
    ...evidenceOf(to),
  ],
  beliefAsserted: ({ belief, evidence, provenance }) => [belief, ...evidence, ...provenance.episodes],
  beliefRevised: ({ belief, revision }) => [belief, revision.evidence],
  beliefWithdrawn: ({ belief, revision }) => [belief, revision.evidence],
  attentionTraced: ({ recall, episodes }) => [recall, ...episodes],
  selfVectorUpdated: ({ atoms }) => atoms,
}

/** Every kind of learning event. */
export const LEARNING_KINDS = Object.keys(REFERENCES) as LearningKind[]

/**
 * The ids of all that an event refers to: of episodes, frames, atoms, procedures, executions, goals, beliefs and
 * recalls.
 */
export function idsOf(event: LearningEvent): Set<string> {
  // The table has for each kind what takes events of that kind, which its type cannot say of a kind that is not known
  // yet.
  const references = REFERENCES[event.kind] as (event: LearningEvent) => readonly (string | null | undefined)[]
  return new Set(references(event).filter((id) => typeof id === 'string'))
}

function evidenceOf(state: GoalState): readonly string[] {
  return state.kind === 'completed' ? state.evidence : []
}
