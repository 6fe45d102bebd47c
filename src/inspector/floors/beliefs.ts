import type { Belief, BeliefId, BeliefRevision } from '../../api/belief.js'
import type { EpisodeId } from '../../api/episode.js'
import { bar, button, type Child, element, field } from '../dom/element.js'
import { counted, percent, short, time } from '../dom/format.js'
import { Paged } from '../dom/paged.js'
import { renew } from '../dom/renew.js'
import type { Desk, View } from '../view.js'
import { askWhy } from './reason.js'

/** Beliefs that a search shows at most. */
const FOUND = 50

/** What is held to be true, how surely, and on what it rests. */
export class Beliefs implements View {
  readonly name = 'Beliefs'
  readonly element = element('div', { class: 'page' })
  readonly #desk: Desk
  readonly #about = element('input', {
    type: 'search',
    autocomplete: 'off',
    placeholder: 'About whom or what',
    'aria-label': 'Search the beliefs',
  })
  readonly #list = element('ul', { class: 'items', 'aria-label': 'Beliefs' })
  readonly #paged = new Paged(() => void this.#desk.act(() => this.show()))

  constructor(desk: Desk) {
    this.#desk = desk
    const search = element(
      'form',
      { class: 'search', role: 'search' },
      this.#about,
      element('button', { part: 'button' }, 'Search'),
    )
    search.addEventListener('submit', (event) => {
      event.preventDefault()
      void desk.act(() => this.show())
    })
    this.#about.addEventListener('search', () => this.#about.value === '' && void desk.act(() => this.show()))
    this.element.append(
      search,
      ...(desk.isReadOnly
        ? []
        : [
            element(
              'div',
              { class: 'moves' },
              button('Add a belief', 'assert', () => void this.#assert()),
            ),
          ]),
      this.#list,
    )
  }

  async show(): Promise<void> {
    const { beliefs, of } = await this.#read()
    const items = beliefs.map((belief) => this.#item(belief))
    const more = this.#paged.more(of)
    renew(
      this.#list,
      ...(items.length === 0 ? [element('li', { class: 'nothing' }, 'Nothing is believed.')] : items),
      more && element('li', {}, more),
    )
  }

  async #read(): Promise<{ readonly beliefs: readonly Belief[]; readonly of: number }> {
    const { db } = this.#desk
    const about = this.#about.value.trim()
    if (about !== '') {
      const found = await db.whatDoIBelieve(about, { k: FOUND })
      return { beliefs: found, of: found.length }
    }
    const events = await db.whatDidILearn(0, { kinds: ['beliefAsserted'] })
    const ids = events.flatMap((event) => (event.kind === 'beliefAsserted' ? [event.belief] : [])).reverse()
    const beliefs = await Promise.all(ids.slice(0, this.#paged.shown).map((id) => db.getBelief(id)))
    return { beliefs: beliefs.filter((belief) => belief !== undefined), of: ids.length }
  }

  #item(belief: Belief): HTMLElement {
    const { id, claim, confidence, withdrawn, evidence, contradictions } = belief
    return element(
      'li',
      { class: withdrawn === undefined ? 'item' : 'item gone', 'data-item': id, tabindex: '-1' },
      element('p', { class: 'text' }, claim),
      element('p', { class: 'sure' }, bar(confidence), element('span', {}, `${percent(confidence)} sure`)),
      element('p', { class: 'note' }, noteOf(belief)),
      ...this.#links('Supported by', id, evidence),
      ...this.#links('Contradicted by', id, contradictions),
      this.#past(belief),
      withdrawn !== undefined || this.#desk.isReadOnly
        ? undefined
        : element(
            'div',
            { class: 'moves' },
            button('Withdraw …', `withdraw ${id}`, () => void this.#withdraw(belief)),
          ),
    )
  }

  #links(label: string, belief: BeliefId, ids: readonly EpisodeId[]): Child[] {
    if (ids.length === 0) return []
    const list = element('ul', { class: 'near' })
    const details = element(
      'details',
      { 'data-key': `${label} ${belief}` },
      element('summary', {}, `${label} ${counted(ids.length, 'memory', 'memories')}`),
      list,
    )
    const fill = async () => {
      const episodes = await Promise.all(ids.slice(0, FOUND).map((id) => this.#desk.db.getEpisode(id)))
      list.replaceChildren(
        ...episodes.flatMap((episode) =>
          episode === undefined
            ? []
            : [
                element(
                  'li',
                  {},
                  button(short(episode.text), `go ${episode.id}`, () => this.#desk.open(episode.id), { class: 'link' }),
                ),
              ],
        ),
      )
    }
    details.addEventListener('toggle', () => details.open && void this.#desk.act(fill))
    return [details]
  }

  #past({ id, revisions }: Belief): HTMLElement {
    const list = element('ol', { class: 'past' })
    const details = element(
      'details',
      { 'data-key': `past ${id}` },
      element('summary', {}, `History: ${counted(revisions, 'revision', 'revisions')}`),
      list,
    )
    const fill = async () =>
      list.replaceChildren(
        ...(await this.#desk.db.beliefHistory(id)).map((revision) => element('li', {}, stepOf(revision))),
      )
    details.addEventListener('toggle', () => details.open && void this.#desk.act(fill))
    return details
  }

  async #assert(): Promise<void> {
    const claim = element('input', { required: '', autocomplete: 'off', autofocus: '' })
    const sure = element('input', { type: 'number', min: '0', max: '100', step: '1', value: '50' })
    const { done } = this.#desk.ask({
      title: 'Add a belief',
      yes: 'Add',
      body: [field('What is true', claim), field('How sure, in per cent', sure)],
      act: async () =>
        void (await this.#desk.db.assertBelief({ claim: claim.value, confidence: Number(sure.value) / 100 })),
    })
    if (await done) this.#desk.say('Added.')
  }

  #withdraw({ id, claim }: Belief): Promise<void> {
    const act = (reason: string) => this.#desk.db.withdrawBelief(id, reason)
    return askWhy(this.#desk, { title: 'Withdraw a belief', yes: 'Withdraw', text: claim, act })
  }
}

function noteOf({ withdrawn, conflictsWith, validFrom, validTo, unsettled }: Belief): string {
  if (withdrawn !== undefined) return `Withdrawn ${time(withdrawn.at)}: ${withdrawn.reason}`
  const until = validTo === undefined ? '' : ` until ${time(validTo)}`
  const parts = [
    `Held of ${time(validFrom)}${until || ' on'}.`,
    conflictsWith.length === 0
      ? ''
      : `Conflicts with ${counted(conflictsWith.length, 'other belief', 'other beliefs')}.`,
    unsettled.length === 0 ? '' : `${counted(unsettled.length, 'memory', 'memories')} unsettled.`,
  ]
  return parts.filter((part) => part !== '').join(' ')
}

function stepOf({ at, kind, before, after, verdict, reason }: BeliefRevision): string {
  const moved = before === undefined ? percent(after) : `${percent(before)} → ${percent(after)}`
  const why = reason === kind ? '' : `: ${reason}`
  return `${time(at)}, ${kind}${verdict === undefined ? '' : ` (${verdict})`}, ${moved}${why}`
}
