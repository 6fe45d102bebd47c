import { FIELD_LIMITS } from '../../api/field-limits.js'
import { boolean, maybe, name, names, object, oneOf, string, text, texts, time } from '../shapes.js'
import { type EventKind, provenance, stored } from './event-kind.js'

const { procedure } = FIELD_LIMITS

/** A procedure was learned. */
export const procedureLearned: EventKind<'procedureLearned'> = {
  wording: ['learned', 'procedure', 'procedures'],
  shape: stored({
    procedure: name,
    name: text(procedure.name),
    trigger: text(procedure.trigger),
    steps: texts(procedure.steps),
    preconditions: texts(procedure.preconditions),
    provenance,
    lost: maybe(oneOf(true)),
  }),
  creates: true,
  subjects: ({ procedure }) => [procedure],
  references: ({ provenance }) => provenance.episodes,
}

/** What a procedure says changed, or it has more evidence. */
export const procedureRevised: EventKind<'procedureRevised'> = {
  wording: ['made', 'revision of a procedure', 'revisions of procedures'],
  shape: stored({
    procedure: name,
    changes: object({
      name: maybe(text(procedure.name)),
      trigger: maybe(text(procedure.trigger)),
      steps: maybe(texts(procedure.steps)),
      preconditions: maybe(texts(procedure.preconditions)),
    }),
    evidence: names(procedure.evidence),
    reason: maybe(string(procedure.reason)),
    lost: maybe(oneOf(true)),
  }),
  subjects: ({ procedure }) => [procedure],
  references: ({ evidence }) => evidence,
}

/** A procedure is used no more. */
export const procedureRetired: EventKind<'procedureRetired'> = {
  wording: ['retired', 'procedure', 'procedures'],
  shape: stored({ procedure: name, reason: string(procedure.reason) }),
  subjects: ({ procedure }) => [procedure],
  references: () => [],
}

/** A procedure was executed. */
export const procedureExecuted: EventKind<'procedureExecuted'> = {
  wording: ['recorded', 'execution of a procedure', 'executions of procedures'],
  shape: stored({
    procedure: name,
    execution: object({
      id: name,
      success: boolean,
      trace: texts(procedure.trace),
      note: maybe(string(procedure.note)),
      at: time,
      recordedAt: time,
    }),
  }),
  subjects: ({ procedure, execution }) => [procedure, execution.id],
  references: () => [],
}
