import { HEAP, sampledBytes } from '../../base/heap-size.js'
import type { LearningEvent } from '../../api/learning.js'
import type { Execution, Procedure, ProcedureChanges, ProcedureId, ProcedureRevision } from '../../api/procedure.js'
import { conceptKey } from '../../encoding/concept.js'

/** A procedure as its events tell it; its executions only grow. */
export type LearnedProcedure = Omit<Procedure, 'strength'>

type Kept = LearnedProcedure & { readonly executions: Execution[] }
type Said = Required<ProcedureChanges>

/** What V8 takes for a procedure beside the events that tell of it, and for its place by id and by name. */
const PROCEDURE = HEAP.object + 12 * HEAP.field + HEAP.name + HEAP.entry
/** What it takes for a revision beside its event. */
const REVISION = 2 * HEAP.object + 9 * HEAP.field

/** The procedures and how their executions went: a function of the learning events (floor 5). */
export class ProcedureTable {
  /** In the order in which they were learned. */
  readonly #procedures = new Map<ProcedureId, Kept>()
  /** Those in use, by the key under which spellings of one name meet. */
  readonly #named = new Map<string, ProcedureId>()
  readonly #executions = new Set<string>()
  #revisions = 0

  get size(): number {
    return this.#procedures.size
  }

  /** Bytes of memory beside those of the events, about. */
  get bytes(): number {
    const executions = sampledBytes(
      this.#procedures.values(),
      this.size,
      ({ executions: { length } }) => HEAP.array + HEAP.field * length,
    )
    return this.size * PROCEDURE + executions + this.#executions.size * HEAP.entry + this.#revisions * REVISION
  }

  /** Answers the procedure that the event is about, if it is about one. */
  apply(event: LearningEvent): ProcedureId | undefined {
    if (event.kind === 'procedureLearned') {
      const { procedure: id, name, trigger, steps, preconditions, provenance, at, lost } = event
      this.#procedures.set(id, {
        id,
        name,
        trigger,
        steps,
        preconditions,
        executions: [],
        successes: 0,
        failures: 0,
        degraded: lost === true,
        recordedAt: at,
        revisions: [],
        provenance,
      })
      this.#named.set(conceptKey(name), id)
      return id
    }
    if (!isProcedureEvent(event)) return undefined
    const before = this.#procedures.get(event.procedure)
    if (before === undefined) return undefined
    if (event.kind === 'procedureExecuted') {
      const { execution } = event
      before.executions.push(execution)
      this.#executions.add(execution.id)
      this.#procedures.set(before.id, { ...before, ...counted(before, execution) })
    } else if (event.kind === 'procedureRevised') {
      this.#rename(before, event.changes.name)
      this.#procedures.set(before.id, revised(before, event))
      this.#revisions++
    } else {
      this.#rename(before, undefined)
      this.#procedures.set(before.id, { ...before, retired: { at: event.at, reason: event.reason } })
    }
    return before.id
  }

  /** All procedures that had been learned by a time, epoch milliseconds, as they were then. */
  at(time: number): LearnedProcedure[] {
    return [...this.#procedures.keys()].flatMap((id) => this.asOf(id, time) ?? [])
  }

  /** A procedure by what had been learned of it at a time, epoch milliseconds, inclusive. */
  asOf(id: ProcedureId, time: number): LearnedProcedure | undefined {
    const now = this.#procedures.get(id)
    if (now === undefined || time === Infinity) return now
    const isKnown = (at: string) => Date.parse(at) <= time
    if (!isKnown(now.recordedAt)) return undefined
    const executions = now.executions.filter(({ recordedAt }) => isKnown(recordedAt))
    const successes = executions.filter(({ success }) => success).length
    const later = now.revisions.filter(({ at }) => !isKnown(at))
    const said = later.reduceRight<Partial<Said>>((said, { before }) => ({ ...said, ...before }), {})
    const since = new Set(later.flatMap(({ evidence }) => evidence))
    const { retired, ...rest } = now
    return {
      ...rest,
      ...said,
      executions,
      successes,
      failures: executions.length - successes,
      revisions: now.revisions.filter(({ at }) => isKnown(at)),
      ...(retired !== undefined && isKnown(retired.at) && { retired }),
      provenance: { ...now.provenance, episodes: now.provenance.episodes.filter((episode) => !since.has(episode)) },
    }
  }

  get(id: ProcedureId): LearnedProcedure | undefined {
    return this.#procedures.get(id)
  }

  /** The procedure in use that has this name, in any spelling. */
  named(name: string): LearnedProcedure | undefined {
    const id = this.#named.get(conceptKey(name))
    return id === undefined ? undefined : this.#procedures.get(id)
  }

  hasExecution(id: string): boolean {
    return this.#executions.has(id)
  }

  /** Gives a procedure another name; without one its name is free. */
  #rename({ id, name, retired }: Kept, to: string | undefined): void {
    const isNamed = this.#named.get(conceptKey(name)) === id
    if (isNamed) this.#named.delete(conceptKey(name))
    if (to !== undefined && retired === undefined) this.#named.set(conceptKey(to), id)
  }
}

type ProcedureEvent = LearningEvent<'procedureLearned' | 'procedureRevised' | 'procedureRetired' | 'procedureExecuted'>

/** Whether an event tells of a procedure. */
export function isProcedureEvent(event: LearningEvent): event is ProcedureEvent {
  return (
    event.kind === 'procedureLearned' ||
    event.kind === 'procedureRevised' ||
    event.kind === 'procedureRetired' ||
    event.kind === 'procedureExecuted'
  )
}

function counted({ successes, failures }: Kept, { success }: Execution): Pick<Kept, 'successes' | 'failures'> {
  return { successes: successes + Number(success), failures: failures + Number(!success) }
}

/** A procedure after a revision. Only new episodes come to its evidence. */
function revised(procedure: Kept, { at, changes, evidence, reason, lost }: LearningEvent<'procedureRevised'>): Kept {
  const before = Object.fromEntries(
    Object.keys(changes).map((key) => [key, procedure[key as keyof Said]]),
  ) as ProcedureChanges
  const revision: ProcedureRevision = { at, changes, before, evidence, ...(reason !== undefined && { reason }) }
  const { episodes } = procedure.provenance
  return {
    ...procedure,
    ...changes,
    degraded: procedure.degraded || lost === true,
    revisions: [...procedure.revisions, revision],
    provenance: { ...procedure.provenance, episodes: [...new Set([...episodes, ...evidence])] },
  }
}

/**
 * How well a procedure works: the mean of the Beta(1 + successes, 1 + failures) posterior of its success, which is a
 * half before it was ever executed (Laplace's rule of succession).
 */
export function strengthOf({ successes, failures }: Pick<LearnedProcedure, 'successes' | 'failures'>): number {
  return (1 + successes) / (2 + successes + failures)
}
