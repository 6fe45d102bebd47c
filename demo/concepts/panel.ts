import type { Agidb, BeliefCandidate, ConceptSummary } from '../../src/runtimes/browser/index.js'
import { element } from '../element.js'
import { count, counted, percent } from '../format.js'
import { press } from '../mind/form.js'
import type { Panel, Setting } from '../mind/panel.js'
import { renew } from '../mind/renew.js'
import { about } from './about.js'

/** Concepts that are listed, those that most episodes name, and candidates. */
const LISTED = 24
const CANDIDATES = 10

/** A panel that can be told what to show. */
export interface ConceptsPanel extends Panel {
  readonly open: (name: string) => Promise<void>
}

/** What memories name: everything about one of them, and statements that might be believed. */
export function conceptsPanel({ db, act }: Setting): ConceptsPanel {
  const progress = element('p', { class: 'note', role: 'status' })
  const list = element('ul', { class: 'names', 'aria-label': 'What memories name' })
  const found = element('section', {
    class: 'concept',
    'aria-label': 'Everything about it',
    tabindex: '-1',
    hidden: '',
  })
  const candidates = element('ul', { class: 'items', 'aria-label': 'Worth believing?' })
  const worth = element(
    'section',
    { 'aria-label': 'Candidates', hidden: '' },
    element('h3', {}, 'Worth believing?'),
    candidates,
  )
  /** Claims that were refused on this page. */
  const refused = new Set<string>()
  let shown: string | undefined

  const show = async () => {
    const [{ extraction }, concepts, proposed] = await Promise.all([
      db.stats(),
      db.concepts({ limit: LISTED }),
      db.beliefCandidates({ limit: CANDIDATES + refused.size }),
    ])
    progress.textContent = readSoFar(extraction)
    renew(list, ...concepts.map((concept) => entry(concept, (name) => void act(() => open(name)))))
    const left = proposed.filter(({ claim }) => !refused.has(claim)).slice(0, CANDIDATES)
    worth.hidden = left.length === 0
    renew(candidates, ...left.map((one) => candidate(one, accept, refuse)))
    await look()
  }

  const open = async (name: string) => {
    shown = name
    await look()
    found.focus()
  }

  const look = async () => {
    const concept = shown === undefined ? undefined : await db.concept(shown)
    found.hidden = shown === undefined
    if (shown === undefined) return
    found.replaceChildren(
      ...(concept === undefined
        ? [element('p', {}, `No statement names “${shown}”.`)]
        : await about(db, concept, (name) => void act(() => open(name)))),
    )
  }

  const accept = ({ claim, subject, predicate, object, confidence, evidence }: BeliefCandidate) =>
    void act(() => db.assertBelief({ claim, subject, predicate, object, confidence, evidence: [...evidence] }))
  const refuse = ({ claim }: BeliefCandidate) => {
    refused.add(claim)
    void act(async () => {})
  }

  return {
    name: 'Concepts',
    about: 'People, places and things that memories name, with all that is said of each.',
    body: [progress, list, found, worth],
    count: ({ concepts }) => concepts,
    show,
    open,
  }
}

function readSoFar(extraction: Awaited<ReturnType<Agidb['stats']>>['extraction']): string {
  if (extraction === undefined) return ''
  const { pending, extracted, error } = extraction
  if (error !== undefined) return `Texts are not read any more: ${error}`
  return pending === 0 ? '' : `Reading the texts: ${count(extracted)} of ${count(extracted + pending)}.`
}

function entry({ name, type, episodes }: ConceptSummary, open: (name: string) => void): HTMLLIElement {
  const button = press(name, name, () => open(name))
  button.title = [type, counted(episodes, 'episode', 'episodes')].filter((part) => part !== undefined).join(', ')
  return element('li', { 'data-item': name }, button)
}

function candidate(
  one: BeliefCandidate,
  accept: (one: BeliefCandidate) => void,
  refuse: (one: BeliefCandidate) => void,
): HTMLLIElement {
  const { claim, confidence, evidence } = one
  const from = counted(evidence.length, 'episode', 'episodes')
  return element(
    'li',
    { 'data-item': claim },
    element(
      'div',
      { class: 'item' },
      element('span', { class: 'text' }, claim),
      element('span', { class: 'note' }, `${percent(confidence)}, ${from}`),
      press('Believe it', `accept ${claim}`, () => accept(one)),
      press('No', `refuse ${claim}`, () => refuse(one)),
    ),
  )
}
