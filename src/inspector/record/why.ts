import type { EpisodeId } from '../../api/episode.js'
import type { Match, Signal, Tier } from '../../api/recall.js'
import type { Database } from '../../api/scope.js'
import { bar, button, type Child, element } from '../dom/element.js'
import { percent, short } from '../dom/format.js'
import { pathOf } from './path.js'

const TIERS: Readonly<Record<Tier, string>> = {
  exact: 'it names what was asked about',
  similarity: 'words and structure agree',
  gist: 'there is some likeness',
  nearest: 'nothing better was there',
}

/** What a signal says. */
const SIGNALS: Readonly<Record<Signal, string>> = {
  words: 'shares rare words',
  text: 'is built alike',
  meaning: 'means alike, word by word',
  sentence: 'means alike, as a whole',
  image: 'looks alike',
  audio: 'sounds alike',
  video: 'shows alike',
  order: 'has the words in the same order',
  before: 'follows something like it',
  after: 'comes before something like it',
  near: 'stands near something like it',
  session: 'is of a conversation about it',
  speaker: 'was said by who is asked about',
  concepts: 'names the same things',
  structured: 'states what was asked for',
  time: 'is of the time asked about',
  asked: 'is of who asks',
  kind: 'is the kind of thing asked for',
  graph: 'others that fit lead to it',
  sequence: 'lies where the order of time points',
  several: 'is the best of its session',
  rests: 'a belief rests on it',
  goal: 'bears on a goal',
  recency: 'is recent, as was asked for',
  newness: 'is newer than what says the same',
  length: 'has a fitting length',
  feedback: 'is like the best of the others',
  fusion: 'by all signals together',
  prior: 'before anything is compared',
}

/** Signals that are told at once. */
const TOLD = 3

/** Why a memory was found: how sure that is, the three signals that matter, and all of them where that is asked for. */
export async function why(db: Database, match: Match, go: (id: EpisodeId) => void): Promise<HTMLElement> {
  const { confidence, tier, signals, why: steps = [], goalBiased, replacedBy, replaces = [] } = match
  const spoken = (Object.entries(signals) as [Signal, number][])
    .filter(([, value]) => value !== 0)
    .sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]))
  const strongest = Math.abs(spoken[0]?.[1] ?? 1)
  const rows = (from: number, to?: number): Child[] => spoken.slice(from, to).map((one) => row(one, strongest))
  const path = steps.length === 0 ? undefined : await pathOf(db, steps)
  return element(
    'section',
    { class: 'why', 'aria-labelledby': 'why-title' },
    element('h3', { id: 'why-title' }, 'Why it was found'),
    element(
      'p',
      { class: `sure ${tier}` },
      bar(confidence),
      element('span', {}, `${percent(confidence)} likely: ${TIERS[tier]}.`),
    ),
    element('ul', { class: 'signals', 'aria-label': 'Strongest signals' }, ...rows(0, TOLD)),
    goalBiased ? element('p', { class: 'note' }, 'A goal lifted it.') : undefined,
    path === undefined ? undefined : element('p', { class: 'note' }, `Found by way of ${path}.`),
    replacedBy === undefined
      ? undefined
      : element(
          'p',
          { class: 'note' },
          'A newer statement takes its place: ',
          button(short(replacedBy.statement), 'replaced-by', () => go(replacedBy.id), { class: 'link' }),
        ),
    ...replaces.map(({ id, statement }) =>
      element(
        'p',
        { class: 'note' },
        'It takes the place of: ',
        button(short(statement), `replaces ${id}`, () => go(id), { class: 'link' }),
      ),
    ),
    spoken.length <= TOLD
      ? undefined
      : element(
          'details',
          { 'data-key': 'signals' },
          element('summary', {}, `All ${spoken.length} signals`),
          element('ul', { class: 'signals', 'aria-label': 'Other signals' }, ...rows(TOLD)),
        ),
  )
}

function row([name, value]: readonly [Signal, number], strongest: number): HTMLElement {
  return element(
    'li',
    {},
    element('span', {}, value < 0 ? `less, by: ${SIGNALS[name]}` : SIGNALS[name]),
    bar(Math.abs(value) / strongest, value < 0 ? 'bar against' : 'bar'),
    element('span', { class: 'number', title: name }, value.toFixed(2)),
  )
}
