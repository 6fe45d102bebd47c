import type { ConsolidateOptions, AtomQuery, SemanticMethods } from '../api/atom.js'
import type { BeliefId, BeliefMethods, BeliefOptions, NewBelief } from '../api/belief.js'
import type { Caller } from '../api/caller.js'
import type { EpisodeId, TimeInput } from '../api/episode.js'
import type { EndGoalOptions, GoalId, GoalMethods, GoalPatch, GoalQuery, NewGoal } from '../api/goal.js'
import type { IntrospectionQuery, SelfMethods } from '../api/introspection.js'
import type { LearningQuery } from '../api/learning.js'
import type {
  ExecutionOutcome, NewProcedure, ProcedureId, ProcedureMethods, ProcedurePatch, ProcedureQuery,
} from '../api/procedure.js'
import type { NewSensoryFrame, SensoryMethods } from '../api/sensory.js'
import type { WorkingMethods } from '../api/working.js'
import type { Mind } from './memory.js'

type Methods = SensoryMethods & WorkingMethods & SemanticMethods & ProcedureMethods & GoalMethods & BeliefMethods & SelfMethods

/** The methods of the floors beside the episodes, each by the floor that has it. */
export abstract class MindMethods implements Methods {
  /** @throws AgidbError `AGIDB_CLOSED` */
  protected abstract get mind(): Mind
  /** In whose name they write. */
  protected abstract get caller(): Caller

  async observeSensory(frame: NewSensoryFrame) {
    return this.mind.senses.observe(frame, this.caller)
  }

  async workingState() {
    return this.mind.senses.state()
  }

  async surpriseScore(frame: NewSensoryFrame) {
    return this.mind.senses.surprise(frame)
  }

  async surpriseScoreBrainCalibrated(frame: NewSensoryFrame) {
    return this.mind.senses.calibratedSurprise(frame)
  }

  async workingMemory(session: string, options?: { readonly capacity?: number }) {
    return this.mind.working.of(session, options)
  }

  async consolidate(options?: ConsolidateOptions) {
    return this.mind.atoms.consolidate(options, this.caller)
  }

  async semanticAtoms(query?: AtomQuery) {
    return this.mind.atoms.query(query)
  }

  async learnProcedure(procedure: NewProcedure) {
    return this.mind.procedures.learn(procedure, this.caller)
  }

  async proceduresFor(cue: string, options?: { readonly k?: number }) {
    return this.mind.procedures.for(cue, options)
  }

  async recordExecution(id: ProcedureId, outcome: ExecutionOutcome) {
    return this.mind.procedures.record(id, outcome, this.caller)
  }

  async procedures(query?: ProcedureQuery) {
    return this.mind.procedures.list(query)
  }

  async reviseProcedure(id: ProcedureId, patch: ProcedurePatch) {
    return this.mind.procedures.revise(id, patch, this.caller)
  }

  async retireProcedure(id: ProcedureId, reason: string) {
    return this.mind.procedures.retire(id, reason, this.caller)
  }

  async getProcedure(id: ProcedureId) {
    return this.mind.procedures.get(id)
  }

  async setGoal(goal: NewGoal) {
    return this.mind.goals.set(goal, this.caller)
  }

  async reviseGoal(id: GoalId, patch: GoalPatch) {
    return this.mind.goals.revise(id, patch, this.caller)
  }

  async pauseGoal(id: GoalId, reason?: string) {
    return this.mind.goals.pause(id, reason, this.caller)
  }

  async resumeGoal(id: GoalId) {
    return this.mind.goals.resume(id, this.caller)
  }

  async completeGoal(id: GoalId, evidence?: readonly EpisodeId[], options?: EndGoalOptions) {
    return this.mind.goals.complete(id, evidence, options, this.caller)
  }

  async abandonGoal(id: GoalId, reason: string, options?: EndGoalOptions) {
    return this.mind.goals.abandon(id, reason, options, this.caller)
  }

  async goals(query?: GoalQuery) {
    return this.mind.goals.list(query)
  }

  async activeGoals() {
    return this.mind.goals.active()
  }

  async goalTree(root: GoalId) {
    return this.mind.goals.tree(root)
  }

  async getGoal(id: GoalId) {
    return this.mind.goals.get(id)
  }

  async assertBelief(belief: NewBelief) {
    return this.mind.beliefs.assert(belief, this.caller)
  }

  async reviseBelief(id: BeliefId, evidenceId: EpisodeId) {
    return this.mind.beliefs.revise(id, evidenceId, this.caller)
  }

  async reviseBeliefs(episodeId: EpisodeId) {
    return this.mind.beliefs.reviseAll(episodeId, this.caller)
  }

  async whatDoIBelieve(about: string, options?: BeliefOptions) {
    return this.mind.beliefs.about(about, options)
  }

  async beliefHistory(id: BeliefId) {
    return this.mind.beliefs.history(id)
  }

  async withdrawBelief(id: BeliefId, reason: string) {
    return this.mind.beliefs.withdraw(id, reason, this.caller)
  }

  async getBelief(id: BeliefId) {
    return this.mind.beliefs.get(id)
  }

  async whatDidILearn(since: TimeInput, query?: LearningQuery) {
    return this.mind.self.learnedSince(since, query)
  }

  async selfVector() {
    return this.mind.self.vector()
  }

  async selfVectorAt(time: TimeInput) {
    return this.mind.self.vectorAt(time)
  }

  async selfSimilarity(textOrId: string) {
    return this.mind.self.similarity(textOrId)
  }

  async introspect(query: IntrospectionQuery) {
    return this.mind.self.introspect(query)
  }
}

/** The same methods in the name of another caller. */
export class MindMethodsFor extends MindMethods {
  constructor(
    protected readonly mind: Mind,
    protected readonly caller: Caller,
  ) {
    super()
  }
}
