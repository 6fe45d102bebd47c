import { FIELD_LIMITS } from '../../api/field-limits.js'
import type { GoalState } from '../../api/goal.js'
import type { ImportCheck } from '../record-kind.js'
import { either, maybe, name, names, object, oneOf, string, text, texts, time, whole } from '../shapes.js'
import { type EventKind, provenance, stored } from './event-kind.js'

/** Goals above a goal, at most: how deep an imported tree may be. */
const MAX_DEPTH = 1_000

const { goal } = FIELD_LIMITS

const completion = oneOf('all', 'any')
const state = either(
  object({ kind: oneOf('active') }),
  object({ kind: oneOf('paused'), since: time, reason: maybe(string(goal.reason)) }),
  object({ kind: oneOf('completed'), at: time, evidence: names(goal.evidence) }),
  object({ kind: oneOf('abandoned'), at: time, reason: string(goal.reason) }),
)

/** A goal was set. */
export const goalSet: EventKind<'goalSet'> = {
  wording: ['set', 'goal', 'goals'],
  shape: stored({
    goal: name,
    description: text(goal.description),
    parent: maybe(name),
    successCriteria: texts(goal.successCriteria),
    deadline: maybe(time),
    completion,
    provenance,
  }),
  creates: true,
  subjects: ({ goal }) => [goal],
  references: ({ parent, provenance }) => [parent, ...provenance.episodes],
  conflict: ({ goal, parent }, check) => placed(goal, parent, check),
}

/** What a goal says changed, or what it serves. */
export const goalRevised: EventKind<'goalRevised'> = {
  wording: ['made', 'revision of a goal', 'revisions of goals'],
  shape: stored({
    goal: name,
    changes: object({
      description: maybe(text(goal.description)),
      parent: maybe(either(name, oneOf(null))),
      successCriteria: maybe(texts(goal.successCriteria)),
      deadline: maybe(either(time, oneOf(null))),
      completion: maybe(completion),
    }),
  }),
  subjects: ({ goal }) => [goal],
  references: ({ changes }) => [changes.parent],
  conflict({ goal, changes: { parent } }, check) {
    // A revision of a goal that is not there tells nothing.
    if (parent === undefined || !check.shared(newTree).has(goal)) return undefined
    return placed(goal, parent ?? undefined, check)
  },
}

/** A goal was paused, resumed, completed or abandoned. */
export const goalStateChanged: EventKind<'goalStateChanged'> = {
  wording: ['saw', 'change of the state of a goal', 'changes of the states of goals'],
  shape: stored({
    goal: name,
    from: state,
    to: state,
    by: maybe(name),
    with: maybe(name),
    children: maybe(
      object({
        became: oneOf('kept', 'abandoned', 'completed'),
        count: whole,
        goals: names(goal.children),
      }),
    ),
  }),
  subjects: ({ goal }) => [goal],
  references: ({ from, to, by, with: above, children }) => [
    by,
    above,
    ...(children?.goals ?? []),
    ...evidenceOf(from),
    ...evidenceOf(to),
  ],
}

function evidenceOf(state: GoalState): readonly string[] {
  return state.kind === 'completed' ? state.evidence : []
}

/** The goals of an import, each with the goal above it. */
function newTree(): Map<string, string | undefined> {
  return new Map()
}

/** Puts a goal below another in the tree of an import; answers what is wrong with that. */
function placed(goal: string, parent: string | undefined, check: ImportCheck): string | undefined {
  const tree = check.shared(newTree)
  let depth = 0
  for (let above = parent; above !== undefined; above = tree.get(above)) {
    if (above === goal || !tree.has(above) || depth++ === MAX_DEPTH)
      return 'puts a goal below itself, below one that is not there, or too deep'
  }
  tree.set(goal, parent)
  return undefined
}
