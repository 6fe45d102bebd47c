import type { Agidb, Goal, GoalId, GoalTree } from '../../src/runtimes/browser/index.js'
import { element } from '../element.js'
import { time } from '../format.js'
import { field, form, offer, press, pressWhy } from './form.js'
import type { Panel, Setting } from './panel.js'
import { renew } from './renew.js'
import { short } from './said.js'

/** What the agent wants: a tree, with the moves that each state allows. */
export function goalsPanel({ db, act }: Setting): Panel {
  const description = element('input', { required: '', autocomplete: 'off' })
  const parent = element('select')
  const completion = element(
    'select',
    {},
    element('option', { value: 'all' }, 'all that serve it are'),
    element('option', { value: 'any' }, 'any that serves it is'),
  )
  const trees = element('ul', { class: 'tree' })
  const set = form(
    'Set a goal',
    [field('What is wanted', description), field('It serves', parent), field('It is reached when', completion)],
    'Set the goal',
    () =>
      act(() =>
        db.setGoal({
          description: description.value,
          ...(parent.value !== '' && { parent: parent.value }),
          completion: completion.value === 'any' ? 'any' : 'all',
        }),
      ),
  )

  const node = ({ goal, children }: GoalTree): HTMLLIElement =>
    element(
      'li',
      { 'data-item': goal.id },
      element(
        'div',
        { class: `goal ${goal.state.kind}` },
        element('span', { class: 'text' }, goal.description),
        element('span', { class: 'stands' }, goal.overdue ? 'overdue' : goal.state.kind),
        outcome(goal),
        goal.history.length === 0 ? undefined : past(goal),
        element('div', { class: 'moves' }, ...moves(goal)),
      ),
      children.length === 0 ? undefined : element('ul', {}, ...children.map(node)),
    )

  /** Only what its state allows. */
  const moves = ({ id, state: { kind } }: Goal): HTMLElement[] => [
    ...(kind === 'active'
      ? [
          press('Complete', `complete ${id}`, () => void act(() => db.completeGoal(id))),
          press('Pause', `pause ${id}`, () => void act(() => db.pauseGoal(id))),
        ]
      : []),
    ...(kind === 'paused' ? [press('Resume', `resume ${id}`, () => void act(() => db.resumeGoal(id)))] : []),
    ...(kind === 'active' || kind === 'paused'
      ? [pressWhy('Abandon', `abandon ${id}`, (reason) => act(() => db.abandonGoal(id, reason)))]
      : []),
  ]

  return {
    name: 'Goals',
    about:
      'What it is after. Memories that are like an active goal are lifted when it recalls, and frames that ' +
      'are, are remembered.',
    body: [set, trees],
    count: ({ goals }) => goals,
    show: async () => {
      const goals = await allGoals(db)
      const open = goals.filter(({ state: { kind } }) => kind === 'active' || kind === 'paused')
      offer(parent, [['', 'nothing else'], ...open.map(({ id, description }) => [id, short(description)] as const)])
      const roots = goals.filter((goal) => goal.parent === undefined)
      const found = await Promise.all(roots.map(({ id }) => db.goalTree(id)))
      renew(trees, ...found.map(node))
    },
  }
}

/** Every goal that was ever set, the first first. */
async function allGoals(db: Agidb): Promise<Goal[]> {
  const events = await db.whatDidILearn(0, { kinds: ['goalSet'] })
  const goals = await Promise.all(
    events.map((event) => (event.kind === 'goalSet' ? db.getGoal(event.goal satisfies GoalId) : undefined)),
  )
  return goals.filter((goal) => goal !== undefined)
}

/** Why it stands where it stands. */
function outcome({ state, history }: Goal): HTMLElement | undefined {
  if (state.kind === 'abandoned') return element('small', {}, state.reason)
  if (state.kind === 'completed' && history.at(-1)?.by !== undefined) return element('small', {}, 'with what serves it')
  return state.kind === 'paused' && state.reason !== undefined ? element('small', {}, state.reason) : undefined
}

function past({ id, history, createdAt }: Goal): HTMLElement {
  return element(
    'details',
    { class: 'past', 'data-key': `past ${id}` },
    element('summary', {}, 'History'),
    element(
      'ol',
      {},
      element('li', {}, element('time', { datetime: createdAt }, time(createdAt)), ' set'),
      ...history.map(({ at, from, to }) =>
        element('li', {}, element('time', { datetime: at }, time(at)), ` ${from.kind} → ${to.kind}`),
      ),
    ),
  )
}
