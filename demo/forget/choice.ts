import type { Match, UnlearnTarget } from '../../src/runtimes/browser/index.js'
import { element } from '../element.js'
import { counted } from '../format.js'
import { field, offer } from '../mind/form.js'
import { short } from '../mind/said.js'
import type { Tally } from './tally.js'

type Kind = 'episode' | 'speaker' | 'session'

/** The choice of what is to be forgotten: a match of the last answer, a speaker or a conversation. */
export class Choice {
  readonly #kind = element(
    'select',
    {},
    ...[
      ['episode', 'a memory'],
      ['speaker', 'a speaker'],
      ['session', 'a conversation'],
    ].map(([value, label]) => element('option', { value }, label)),
  )
  readonly #which = element('select', { required: '' })
  readonly fields = [field('What to forget', this.#kind), field('Which', this.#which)]
  #matches: readonly Match[] = []
  #tally: Tally = { speakers: [], sessions: [] }

  /** @param changed - called when something else is chosen */
  constructor(changed: () => void) {
    this.#kind.addEventListener('change', () => {
      this.#offer()
      changed()
    })
    this.#which.addEventListener('change', changed)
  }

  /** What is chosen; `undefined` where there is nothing to choose from. */
  get target(): UnlearnTarget | undefined {
    const { value } = this.#which
    return value === '' ? undefined : ({ [this.#kind.value]: value } as UnlearnTarget)
  }

  /** Chooses a match. */
  pick(match: Match): void {
    this.#kind.value = 'episode'
    this.#offer()
    this.#which.value = match.id
  }

  /** Takes what there is to choose from. What was chosen stays chosen where it is still there. */
  show(matches: readonly Match[], tally: Tally): void {
    this.#matches = matches
    this.#tally = tally
    this.#offer()
  }

  #offer(): void {
    const options = this.#options(this.#kind.value as Kind)
    offer(this.#which, options.length === 0 ? [['', NOTHING[this.#kind.value as Kind]]] : options)
    this.#which.disabled = options.length === 0
  }

  #options(kind: Kind): (readonly [value: string, label: string])[] {
    if (kind === 'episode')
      return this.#matches.map(({ id, speaker, text }) => [
        id,
        short(speaker === undefined ? text : `${speaker}: ${text}`),
      ])
    const names = kind === 'speaker' ? this.#tally.speakers : this.#tally.sessions
    return names.map(([name, memories]) => [name, `${name} (${counted(memories, 'memory', 'memories')})`])
  }
}

const NOTHING: Readonly<Record<Kind, string>> = {
  episode: 'ask something first',
  speaker: 'no memory names who said it',
  session: 'no memory names its conversation',
}
