import { HEAP, sampledBytes } from '../core/heap.js'
import type { LearningEvent } from '../core/learning.js'
import type { Execution, Procedure, ProcedureId } from '../core/procedure.js'
import { conceptKey } from '../hdc/concept.js'

/** A procedure as its events tell it; its executions only grow. */
export type LearnedProcedure = Omit<Procedure, 'strength' | 'degraded'>

/** What V8 takes for a procedure beside the events that tell of it, and for its place by id and by name. */
const PROCEDURE = HEAP.object + 10 * HEAP.field + HEAP.name + HEAP.entry

/** The procedures and how their executions went: a function of the learning events (floor 5). */
export class ProcedureTable {
  readonly #procedures = new Map<ProcedureId, LearnedProcedure & { readonly executions: Execution[] }>()
  /** By the key under which spellings of one name meet. */
  readonly #named = new Map<string, ProcedureId>()
  readonly #executions = new Set<string>()

  get size(): number {
    return this.#procedures.size
  }

  /** Bytes of memory beside those of the events, about. */
  get bytes(): number {
    const executions = sampledBytes(this.#procedures.values(), this.size, ({ executions: { length } }) => HEAP.array + HEAP.field * length)
    return this.size * PROCEDURE + executions + this.#executions.size * HEAP.entry
  }

  /** Answers the procedure that the event is about, if it is about one. */
  apply(event: LearningEvent): ProcedureId | undefined {
    if (event.kind === 'procedureLearned') {
      const { procedure: id, name, trigger, steps, preconditions, provenance, at } = event
      this.#procedures.set(id, { id, name, trigger, steps, preconditions, executions: [], successes: 0, failures: 0, recordedAt: at, provenance })
      this.#named.set(conceptKey(name), id)
      return id
    }
    if (event.kind !== 'procedureExecuted') return undefined
    const { procedure, execution } = event
    const before = this.#procedures.get(procedure)!
    before.executions.push(execution)
    this.#executions.add(execution.id)
    const { successes, failures } = before
    this.#procedures.set(procedure, { ...before, successes: successes + Number(execution.success), failures: failures + Number(!execution.success) })
    return procedure
  }

  get(id: ProcedureId): LearnedProcedure | undefined {
    return this.#procedures.get(id)
  }

  /** The procedure that has this name, in any spelling. */
  named(name: string): LearnedProcedure | undefined {
    const id = this.#named.get(conceptKey(name))
    return id === undefined ? undefined : this.#procedures.get(id)
  }

  hasExecution(id: string): boolean {
    return this.#executions.has(id)
  }
}

/**
 * How well a procedure works: the mean of the Beta(1 + successes, 1 + failures) posterior of its success, which is a half
 * before it was ever executed (Laplace's rule of succession).
 */
export function strengthOf({ successes, failures }: Pick<LearnedProcedure, 'successes' | 'failures'>): number {
  return (1 + successes) / (2 + successes + failures)
}
