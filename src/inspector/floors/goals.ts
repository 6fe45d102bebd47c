import type { Goal, GoalId, GoalState } from '../../api/goal.js'
import { button, element, field } from '../dom/element.js'
import { day, time } from '../dom/format.js'
import { Paged } from '../dom/paged.js'
import { renew } from '../dom/renew.js'
import type { Desk, View } from '../view.js'
import { askWhy } from './reason.js'

/** What the agent wants, as a tree. */
export class Goals implements View {
  readonly name = 'Goals'
  readonly element = element('div', { class: 'page' })
  readonly #desk: Desk
  readonly #list = element('ul', { class: 'items', 'aria-label': 'Goals' })
  readonly #paged = new Paged(() => void this.#desk.act(() => this.show()))

  constructor(desk: Desk) {
    this.#desk = desk
    this.element.append(
      ...(desk.isReadOnly
        ? []
        : [
            element(
              'div',
              { class: 'moves' },
              button('Set a goal', 'set', () => void this.#desk.act(() => this.#set())),
            ),
          ]),
      this.#list,
    )
  }

  async show(): Promise<void> {
    const goals = await this.#desk.db.goals()
    const known = new Set(goals.map(({ id }) => id))
    const children = new Map<GoalId | undefined, Goal[]>()
    // The newest first; what serves a goal in the order in which it was set.
    for (const goal of goals) {
      const parent = goal.parent !== undefined && known.has(goal.parent) ? goal.parent : undefined
      children.set(parent, [...(children.get(parent) ?? []), goal])
    }
    const roots = (children.get(undefined) ?? []).reverse()
    const items = roots.slice(0, this.#paged.shown).map((goal) => this.#item(goal, children))
    const more = this.#paged.more(roots.length)
    renew(
      this.#list,
      ...(items.length === 0 ? [element('li', { class: 'nothing' }, 'There is no goal.')] : items),
      more && element('li', {}, more),
    )
  }

  #item(goal: Goal, children: ReadonlyMap<GoalId | undefined, readonly Goal[]>): HTMLElement {
    const { id, description, state, deadline, overdue, successCriteria } = goal
    const below = children.get(id) ?? []
    const isOver = state.kind === 'completed' || state.kind === 'abandoned'
    return element(
      'li',
      { class: isOver ? 'item over' : 'item', 'data-item': id, tabindex: '-1' },
      element('p', { class: 'text' }, description),
      element(
        'p',
        { class: 'note' },
        element('span', { class: `mark ${state.kind}` }, state.kind),
        ` ${detailOf(state)}`,
        deadline === undefined ? undefined : ` ${overdue ? 'Overdue since' : 'Until'} ${day(deadline)}.`,
      ),
      successCriteria.length === 0
        ? undefined
        : element(
            'ul',
            { class: 'criteria', 'aria-label': 'Reached when' },
            ...successCriteria.map((one) => element('li', {}, one)),
          ),
      isOver || this.#desk.isReadOnly ? undefined : this.#moves(goal),
      below.length === 0
        ? undefined
        : element(
            'ul',
            { 'aria-label': `What serves ${description}` },
            ...below.map((one) => this.#item(one, children)),
          ),
    )
  }

  #moves({ id, description, state }: Goal): HTMLElement {
    const { db } = this.#desk
    const act = (doing: () => Promise<unknown>) => void this.#desk.act(doing)
    return element(
      'div',
      { class: 'moves' },
      state.kind === 'paused'
        ? button('Resume', `pause ${id}`, () => act(() => db.resumeGoal(id)))
        : button('Pause', `pause ${id}`, () => act(() => db.pauseGoal(id))),
      state.kind === 'active' ? button('Complete', `complete ${id}`, () => act(() => db.completeGoal(id))) : undefined,
      button(
        'Abandon …',
        `abandon ${id}`,
        () =>
          void askWhy(this.#desk, {
            title: 'Abandon a goal',
            yes: 'Abandon',
            text: description,
            act: (reason) => db.abandonGoal(id, reason),
          }),
      ),
    )
  }

  async #set(): Promise<void> {
    const description = element('input', { required: '', autocomplete: 'off', autofocus: '' })
    const deadline = element('input', { type: 'date' })
    const open = (await this.#desk.db.goals({ state: ['active', 'paused'] })).slice(-200)
    const parent = element(
      'select',
      {},
      element('option', { value: '' }, 'None'),
      ...open.map((goal) => element('option', { value: goal.id }, goal.description)),
    )
    const { done } = this.#desk.ask({
      title: 'Set a goal',
      yes: 'Set',
      body: [field('What is wanted', description), field('It serves', parent), field('Until', deadline)],
      act: async () =>
        void (await this.#desk.db.setGoal({
          description: description.value,
          ...(parent.value !== '' && { parent: parent.value }),
          ...(deadline.value !== '' && { deadline: new Date(`${deadline.value}T23:59:59`) }),
        })),
    })
    if (await done) this.#desk.say('Set.')
  }
}

function detailOf(state: GoalState): string {
  switch (state.kind) {
    case 'active':
      return ''
    case 'paused':
      return `since ${time(state.since)}${state.reason === undefined ? '.' : `: ${state.reason}`}`
    case 'completed':
      return `${time(state.at)}.`
    case 'abandoned':
      return `${time(state.at)}: ${state.reason}`
  }
}
