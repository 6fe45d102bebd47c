import type { Episode, Match } from '../src/runtimes/browser/index.js'
import { bar } from './bar.js'
import { element } from './element.js'
import { percent, sentence, time, words } from './format.js'
import { Highlight } from './highlight.js'

/** What the page says about a tier. */
const TIERS: Readonly<Record<Match['tier'], string>> = {
  exact: 'names what you asked about',
  similarity: 'words and structure agree',
  gist: 'some likeness',
  nearest: 'nothing better was there',
}

/** What a card can do with its match. */
export interface CardActions {
  /** Gives the episodes that were observed right after it, in the same conversation. */
  readonly following: (match: Match) => Promise<readonly Episode[]>
  /** Shows everything about something that it names. */
  readonly about: (name: string) => void
  /** Shows what is near it in the graphs. */
  readonly near: (match: Match) => void
  /** Gives its pictures and sounds. */
  readonly media: (match: Match) => Promise<readonly HTMLElement[]>
  /** Goes to where it can be forgotten. */
  readonly forget: (match: Match) => void
}

/** The matches as list items, best first, with the words of the cue marked. */
export function cards(cue: string, matches: readonly Match[], actions: CardActions): HTMLLIElement[] {
  const highlight = new Highlight(cue)
  const strongest = Math.max(0, ...matches.flatMap((match) => Object.values(match.signals).map(Math.abs)))
  return matches.map((match) => card(match, highlight, strongest, actions))
}

function card(match: Match, highlight: Highlight, strongest: number, actions: CardActions): HTMLLIElement {
  return element(
    'li',
    { class: match.lowConfidence ? 'card unsure' : 'card', 'data-id': match.id },
    element(
      'div',
      { class: 'said' },
      quote(match, highlight, actions),
      byline(match, placeOf(match)),
      match.senses === undefined ? undefined : media(match, actions),
      context(match, actions),
      element(
        'p',
        { class: 'actions' },
        action('What is near it …', () => actions.near(match)),
        action('Forget it …', () => actions.forget(match)),
      ),
    ),
    element(
      'div',
      { class: 'why' },
      confidence(match),
      match.goalBiased ? element('p', { class: 'lifted' }, 'lifted by a goal') : undefined,
      signals(match, strongest),
    ),
  )
}

/** Texts longer than this are folded to their beginning. */
const FOLD = 420

function quote({ text, entities = [] }: Match, highlight: Highlight, { about }: CardActions): HTMLElement {
  const whole = element('blockquote', {}, ...highlight.named(text, entities, about))
  if (text.length <= FOLD) return whole
  whole.classList.add('folded')
  const more = element('button', { type: 'button', class: 'quiet' }, 'Show all of it')
  more.addEventListener('click', () => {
    whole.classList.remove('folded')
    more.remove()
  })
  return element('div', {}, whole, more)
}

function byline({ speaker, at }: Pick<Match, 'speaker' | 'at'>, place?: string): HTMLElement {
  return element(
    'p',
    { class: 'byline' },
    speaker === undefined ? undefined : element('strong', {}, speaker),
    place === undefined ? undefined : element('span', { class: 'place' }, place),
    element('time', { datetime: at }, time(at)),
  )
}

/** Where an entry stands: its document, and the headings above it. */
function placeOf({ entry }: Match): string | undefined {
  if (entry?.source === undefined) return undefined
  return entry.path === '' ? entry.source : `${entry.source} > ${entry.path}`
}

function confidence(match: Match): HTMLElement {
  const share = percent(match.confidence)
  return element(
    'div',
    { class: 'confidence', title: TIERS[match.tier] },
    element('span', { class: `tier ${match.tier}` }, match.tier),
    bar(match.confidence),
    element('span', { class: 'share' }, element('span', { class: 'unseen' }, 'confidence '), share),
  )
}

/** Signals under this share of the strongest one are not worth a line. */
const FAINT = 0.02
/** Signals that a card shows unasked. */
const SHOWN = 3

/** A bar for each signal that spoke for or against the match, the strongest first, and all but three of them folded. */
function signals(match: Match, strongest: number): HTMLElement {
  const spoken = Object.entries(match.signals)
    .filter(([, value]) => Math.abs(value) > FAINT * strongest)
    .sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]))
  const list = element('dl', { class: 'signals', 'aria-label': 'Why' }, ...lines(spoken.slice(0, SHOWN), strongest))
  if (spoken.length <= SHOWN) return list
  const why = element('button', { type: 'button', class: 'small', 'aria-expanded': 'false' }, 'Why?')
  why.addEventListener('click', () => {
    const isOpen = why.getAttribute('aria-expanded') === 'true'
    why.setAttribute('aria-expanded', String(!isOpen))
    why.textContent = isOpen ? 'Why?' : 'Only the strongest'
    list.replaceChildren(...lines(isOpen ? spoken.slice(0, SHOWN) : spoken, strongest))
  })
  return element('div', {}, list, why)
}

function lines(spoken: readonly [string, number][], strongest: number): HTMLElement[] {
  return spoken.flatMap(([name, value]) => {
    const strength = bar(strongest === 0 ? 0 : Math.abs(value) / strongest, value < 0 ? 'bar against' : 'bar')
    return [element('dt', {}, words(name)), element('dd', {}, strength, element('span', {}, value.toFixed(2)))]
  })
}

/** Its pictures and sounds, which come when they are read. */
function media(match: Match, actions: CardActions): HTMLElement {
  const place = element('div', { class: 'kept' })
  void actions.media(match).then(
    (shown) => place.replaceChildren(...shown),
    (error: unknown) => (place.textContent = error instanceof Error ? sentence(error.message) : String(error)),
  )
  return place
}

/** What was said next, fetched when it is asked for. */
function context(match: Match, { following }: CardActions): HTMLElement {
  const list = element('ol')
  const details = element('details', { class: 'next' }, element('summary', {}, 'What came next'), list)
  details.addEventListener(
    'toggle',
    () => {
      void following(match).then(
        (episodes) => {
          list.replaceChildren(
            ...episodes.map((episode) => element('li', {}, element('span', {}, episode.text), byline(episode))),
          )
          if (episodes.length === 0) list.append(element('li', {}, 'Nothing: this was the last.'))
        },
        (error: unknown) =>
          list.replaceChildren(element('li', {}, error instanceof Error ? sentence(error.message) : String(error))),
      )
    },
    { once: true },
  )
  return details
}

function action(label: string, act: () => void): HTMLElement {
  const button = element('button', { type: 'button', class: 'small' }, label)
  button.addEventListener('click', act)
  return button
}
