import type { ConsolidateOptions, AtomQuery, SemanticMethods } from '../api/atom.js'
import type { BeliefId, BeliefMethods, BeliefOptions, NewBelief } from '../api/belief.js'
import type { Caller } from '../api/caller.js'
import type { EpisodeId, TimeInput } from '../api/episode.js'
import type { EndGoalOptions, GoalId, GoalMethods, GoalPatch, GoalQuery, NewGoal } from '../api/goal.js'
import type { IntrospectionQuery, SelfMethods } from '../api/introspection.js'
import type { LearningQuery } from '../api/learning.js'
import type {
  ExecutionOutcome,
  NewProcedure,
  ProcedureId,
  ProcedureMethods,
  ProcedurePatch,
  ProcedureQuery,
} from '../api/procedure.js'
import type { NewSensoryFrame, SensoryMethods } from '../api/sensory.js'
import type { WorkingMethods } from '../api/working.js'
import type { Floors } from './memory.js'

type Methods = SensoryMethods &
  WorkingMethods &
  SemanticMethods &
  ProcedureMethods &
  GoalMethods &
  BeliefMethods &
  SelfMethods

/** The methods of the floors beside the episodes, each by the floor that has it. */
export abstract class FloorMethods implements Methods {
  /** @throws AgidbError `AGIDB_CLOSED` */
  protected abstract get floors(): Floors
  /** In whose name they write. */
  protected abstract get caller(): Caller

  async observeSensory(frame: NewSensoryFrame) {
    return this.floors.sensory.observe(frame, this.caller)
  }

  async workingState() {
    return this.floors.sensory.state()
  }

  async surpriseScore(frame: NewSensoryFrame) {
    return this.floors.sensory.surprise(frame)
  }

  async surpriseScoreBrainCalibrated(frame: NewSensoryFrame) {
    return this.floors.sensory.calibratedSurprise(frame)
  }

  async workingMemory(session: string, options?: { readonly capacity?: number }) {
    return this.floors.working.of(session, options)
  }

  async consolidate(options?: ConsolidateOptions) {
    return this.floors.atoms.consolidate(options, this.caller)
  }

  async semanticAtoms(query?: AtomQuery) {
    return this.floors.atoms.query(query)
  }

  async learnProcedure(procedure: NewProcedure) {
    return this.floors.procedures.learn(procedure, this.caller)
  }

  async proceduresFor(cue: string, options?: { readonly k?: number }) {
    return this.floors.procedures.for(cue, options)
  }

  async recordExecution(id: ProcedureId, outcome: ExecutionOutcome) {
    return this.floors.procedures.record(id, outcome, this.caller)
  }

  async procedures(query?: ProcedureQuery) {
    return this.floors.procedures.list(query)
  }

  async reviseProcedure(id: ProcedureId, patch: ProcedurePatch) {
    return this.floors.procedures.revise(id, patch, this.caller)
  }

  async retireProcedure(id: ProcedureId, reason: string) {
    return this.floors.procedures.retire(id, reason, this.caller)
  }

  async getProcedure(id: ProcedureId) {
    return this.floors.procedures.get(id)
  }

  async setGoal(goal: NewGoal) {
    return this.floors.goals.set(goal, this.caller)
  }

  async reviseGoal(id: GoalId, patch: GoalPatch) {
    return this.floors.goals.revise(id, patch, this.caller)
  }

  async pauseGoal(id: GoalId, reason?: string) {
    return this.floors.goals.pause(id, reason, this.caller)
  }

  async resumeGoal(id: GoalId) {
    return this.floors.goals.resume(id, this.caller)
  }

  async completeGoal(id: GoalId, evidence?: readonly EpisodeId[], options?: EndGoalOptions) {
    return this.floors.goals.complete(id, evidence, options, this.caller)
  }

  async abandonGoal(id: GoalId, reason: string, options?: EndGoalOptions) {
    return this.floors.goals.abandon(id, reason, options, this.caller)
  }

  async goals(query?: GoalQuery) {
    return this.floors.goals.list(query)
  }

  async activeGoals() {
    return this.floors.goals.active()
  }

  async goalTree(root: GoalId) {
    return this.floors.goals.tree(root)
  }

  async getGoal(id: GoalId) {
    return this.floors.goals.get(id)
  }

  async assertBelief(belief: NewBelief) {
    return this.floors.beliefs.assert(belief, this.caller)
  }

  async reviseBelief(id: BeliefId, evidenceId: EpisodeId) {
    return this.floors.beliefs.revise(id, evidenceId, this.caller)
  }

  async reviseBeliefs(episodeId: EpisodeId) {
    return this.floors.beliefs.reviseAll(episodeId, this.caller)
  }

  async whatDoIBelieve(about: string, options?: BeliefOptions) {
    return this.floors.beliefs.about(about, options)
  }

  async beliefHistory(id: BeliefId) {
    return this.floors.beliefs.history(id)
  }

  async withdrawBelief(id: BeliefId, reason: string) {
    return this.floors.beliefs.withdraw(id, reason, this.caller)
  }

  async getBelief(id: BeliefId) {
    return this.floors.beliefs.get(id)
  }

  async whatDidILearn(since: TimeInput, query?: LearningQuery) {
    return this.floors.self.learnedSince(since, query)
  }

  async selfVector() {
    return this.floors.self.vector()
  }

  async selfVectorAt(time: TimeInput) {
    return this.floors.self.vectorAt(time)
  }

  async selfSimilarity(textOrId: string) {
    return this.floors.self.similarity(textOrId)
  }

  async introspect(query: IntrospectionQuery) {
    return this.floors.self.introspect(query)
  }
}

/** The same methods in the name of another caller. */
export class FloorMethodsFor extends FloorMethods {
  constructor(
    protected readonly floors: Floors,
    protected readonly caller: Caller,
  ) {
    super()
  }
}
