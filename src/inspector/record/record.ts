import type { MemoryChange } from '../../api/change.js'
import type { Episode, EpisodeId } from '../../api/episode.js'
import type { Match } from '../../api/recall.js'
import { button, element, facts } from '../dom/element.js'
import { time } from '../dom/format.js'
import { renew } from '../dom/renew.js'
import type { Desk } from '../view.js'
import { edit, replace } from './edit.js'
import { history } from './history.js'
import { media } from './media.js'
import { neighbours } from './neighbours.js'
import { provenance } from './provenance.js'
import { why } from './why.js'

/** What the part around a record does for it. */
export interface Around {
  readonly back: () => void
  /** Another memory is open, or none. */
  readonly changed: (id: EpisodeId | undefined) => void
}

/** One memory with all that is known of it. */
export class Record {
  readonly element = element('section', { class: 'record', part: 'record', 'aria-label': 'The memory' })
  readonly #desk: Desk
  readonly #around: Around
  /** Memories that were opened one from another, the last of them now. */
  #trail: EpisodeId[] = []
  #match: Match | undefined
  #showing = 0
  /** Fires when the media that are shown now are shown no more. */
  #media = new AbortController()
  /** Settles when what was asked for last is shown. */
  #shown: Promise<void> = Promise.resolve()

  constructor(desk: Desk, around: Around) {
    this.#desk = desk
    this.#around = around
    this.element.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && this.#trail.length > 0) around.back()
    })
    desk.signal.addEventListener('abort', () => this.#media.abort())
    this.#empty()
  }

  /** @param match what found it, if a search did. */
  async open(id: EpisodeId, match?: Match): Promise<void> {
    this.#trail = [id]
    this.#match = match
    await this.#show()
    this.element.scrollTop = 0
  }

  /** Shows what is known now. */
  async refresh(changes?: readonly MemoryChange[]): Promise<void> {
    if (this.#trail.length === 0) return
    // What stores something else changes at most what is near, which need not follow at once.
    const id = this.#trail[this.#trail.length - 1]
    if (changes?.every(({ kind, ids }) => kind === 'episodeStored' && !ids.includes(id)) === true) return
    await this.#show()
  }

  focus(): void {
    this.element.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true })
  }

  #go(id: EpisodeId): void {
    this.#trail.push(id)
    this.#match = undefined
    void this.#desk.act(() => this.#show()).then(() => this.focus())
  }

  #back(): void {
    this.#trail.pop()
    if (this.#trail.length > 0) void this.#desk.act(() => this.#show()).then(() => this.focus())
    else this.#around.back()
  }

  /** Shows what is known now. Of several calls the last one shows it, and all of them wait for that. */
  #show(): Promise<void> {
    return (this.#shown = this.#render())
  }

  async #render(): Promise<void> {
    const showing = ++this.#showing
    const id = this.#trail[this.#trail.length - 1]
    const { db } = this.#desk
    const episode = await db.getEpisode(id)
    const go = (to: EpisodeId) => this.#go(to)
    const match = this.#match?.id === id ? this.#match : undefined
    const own = new AbortController()
    const parts =
      episode === undefined
        ? []
        : await Promise.all([
            media(db, episode, own.signal),
            match === undefined ? undefined : why(db, match, go),
            history(this.#desk, episode, go),
            provenance(episode),
            neighbours(db, id, go),
          ]).catch((error: unknown) => {
            own.abort()
            throw error
          })
    if (showing !== this.#showing || this.#desk.signal.aborted) {
      own.abort()
      return showing === this.#showing ? undefined : this.#shown
    }
    this.#media.abort()
    this.#media = own
    this.#around.changed(id)
    if (episode === undefined) renew(this.element, this.#head('A memory that is not there any more'))
    else renew(this.element, this.#head(headingOf(episode)), quote(episode), this.#moves(episode), ...parts)
  }

  #empty(): void {
    this.element.replaceChildren(element('p', { class: 'nothing' }, 'Choose a memory to see all that is known of it.'))
  }

  #head(title: string): HTMLElement {
    const label = this.#trail.length > 1 ? 'Back' : 'Back to the list'
    return element(
      'header',
      {},
      element('h2', { tabindex: '-1', 'data-key': 'title' }, title),
      button(label, 'back', () => this.#back(), { class: 'quiet' }),
    )
  }

  #moves(episode: Episode): HTMLElement | undefined {
    if (this.#desk.isReadOnly) return undefined
    return element(
      'div',
      { class: 'moves' },
      button('Edit', 'edit', () => void edit(this.#desk, episode)),
      episode.superseded === undefined
        ? button('Replace', 'replace', () => void replace(this.#desk, episode))
        : undefined,
      button('Forget …', 'forget', () => this.#desk.forget(episode.id), { class: 'bad' }),
    )
  }
}

function headingOf({ speaker, entry, at }: Episode): string {
  const who = speaker ?? entry?.places[0]?.heading ?? entry?.places[0]?.source ?? 'Noted'
  return `${who}, ${time(at)}`
}

function quote({ text, superseded, tags = [], validTo }: Episode): HTMLElement {
  return element(
    'div',
    { class: superseded === undefined ? 'quote' : 'quote gone' },
    element('blockquote', { part: 'text' }, text),
    superseded === undefined ? undefined : element('p', { class: 'note' }, `Not true since ${time(superseded.at)}.`),
    validTo === undefined ? undefined : facts(['True until', time(validTo)]),
    tags.length === 0
      ? undefined
      : element('ul', { class: 'tags', 'aria-label': 'Tags' }, ...tags.map((tag) => element('li', {}, tag))),
  )
}
