import type { Agidb, Belief, BeliefRevision, Verdict } from '../../src/runtimes/browser/index.js'
import { bar } from '../bar.js'
import { element } from '../element.js'
import { counted, percent, time } from '../format.js'
import { field, form, offer, press, pressWhy } from './form.js'
import type { Panel, Setting } from './panel.js'
import { renew } from './renew.js'
import { said, short } from './said.js'
import { decide } from './verdict.js'

/** Beliefs that are shown at most, the newest. */
const SHOWN = 50

/** What the agent holds to be true, how sure it is, and what changed its mind. */
export function beliefsPanel(setting: Setting): Panel {
  const { db, act } = setting
  const claim = element('input', { required: '', autocomplete: 'off' })
  const sure = element('input', { type: 'range', min: '0', max: '1', step: '0.05', value: '0.5' })
  const sureField = field('How sure: 50%', sure)
  const saySure = () => (sureField.firstElementChild!.textContent = `How sure: ${percent(Number(sure.value))}`)
  sure.addEventListener('input', saySure)
  const list = element('ul', { class: 'items' })
  const assert = form('Assert a belief', [field('What is true', claim), sureField], 'Believe it', () =>
    act(() => db.assertBelief({ claim: claim.value, confidence: Number(sure.value) })),
  )
  assert.addEventListener('reset', () => setTimeout(saySure))

  const item = (belief: Belief): HTMLLIElement =>
    element(
      'li',
      { 'data-item': belief.id },
      element(
        'div',
        { class: 'item' },
        element('span', { class: belief.withdrawn === undefined ? 'text' : 'text gone' }, belief.claim),
        element(
          'span',
          { class: 'measure' },
          bar(belief.confidence),
          element('span', { class: 'share' }, percent(belief.confidence)),
        ),
      ),
      element('p', { class: 'note' }, note(belief)),
      element(
        'div',
        { class: 'moves' },
        ...(belief.withdrawn === undefined
          ? [
              bears(setting, belief),
              pressWhy('Withdraw', `withdraw ${belief.id}`, (reason) =>
                act(() => db.withdrawBelief(belief.id, reason)),
              ),
            ]
          : []),
      ),
      past(db, belief),
    )

  return {
    name: 'Beliefs',
    about:
      'What it holds to be true. Evidence makes it surer or less sure, by Bayes’ rule; what it believed before ' +
      'stays in the history.',
    body: [assert, list],
    count: ({ beliefs }) => beliefs,
    show: async () => {
      const events = await db.whatDidILearn(0, { kinds: ['beliefAsserted'] })
      const ids = events.flatMap((event) => (event.kind === 'beliefAsserted' ? [event.belief] : []))
      const beliefs = await Promise.all(
        ids
          .slice(-SHOWN)
          .reverse()
          .map((id) => db.getBelief(id)),
      )
      renew(list, ...beliefs.filter((belief) => belief !== undefined).map(item))
    },
  }
}

function note({ evidence, contradictions, withdrawn }: Belief): string {
  if (withdrawn !== undefined) return `Withdrawn: ${withdrawn.reason}`
  const parts = [
    counted(evidence.length, 'episode supports it', 'episodes support it'),
    counted(contradictions.length, 'contradicts it', 'contradict it'),
  ]
  return evidence.length + contradictions.length === 0 ? 'Nothing was held against it yet.' : parts.join(', ')
}

const VERDICTS: readonly (readonly [Verdict, string])[] = [
  ['supports', 'It supports it'],
  ['contradicts', 'It contradicts it'],
  ['neutral', 'It says nothing of it'],
]

/**
 * Picks a match of the last answer as evidence. Where its statements do not say which way it points, the person does.
 */
function bears({ db, act, answer }: Setting, { id, evidence, contradictions }: Belief): HTMLElement {
  const counted = new Set([...evidence, ...contradictions]) // an episode counts once
  const matches = (answer?.recall.matches ?? []).filter((match) => !counted.has(match.id))
  const episode = element('select')
  offer(
    episode,
    matches.map(({ id, speaker, text }) => [id, short(speaker === undefined ? text : `${speaker}: ${text}`)]),
  )
  const revise = (verdict: Verdict) => void act(() => decide(verdict, () => db.reviseBelief(id, episode.value)))
  return element(
    'details',
    { class: 'reason', 'data-key': `revise ${id}` },
    element('summary', {}, 'An episode bears on it'),
    matches.length === 0
      ? element('p', { class: 'note' }, 'Ask about it: then an episode of the answer can be picked.')
      : element(
          'div',
          { class: 'entry' },
          field('Of the last answer', episode),
          element(
            'div',
            { class: 'moves' },
            ...VERDICTS.map(([verdict, label]) => press(label, `${verdict} ${id}`, () => revise(verdict))),
          ),
        ),
  )
}

/** All that became of a belief, fetched when it is asked for. */
function past(db: Agidb, { id, revisions }: Belief): HTMLElement {
  const list = element('ol')
  const details = element(
    'details',
    { class: 'past', 'data-key': `past ${id}` },
    element('summary', {}, `History: ${counted(revisions, 'revision', 'revisions')}`),
    list,
  )
  details.addEventListener('toggle', () => void history(db, id).then((entries) => list.replaceChildren(...entries)), {
    once: true,
  })
  return details
}

async function history(db: Agidb, id: string): Promise<HTMLElement[]> {
  const revisions = await db.beliefHistory(id)
  const episodes = await Promise.all(
    revisions.map(({ evidence }) => (evidence === undefined ? undefined : db.getEpisode(evidence))),
  )
  return revisions.map((revision, i) =>
    element(
      'li',
      {},
      element('time', { datetime: revision.at }, time(revision.at)),
      ` ${step(revision)}`,
      revision.reason === revision.kind ? undefined : element('p', { class: 'note' }, revision.reason),
      episodes[i] && said(episodes[i]),
    ),
  )
}

function step({ kind, before, after, verdict }: BeliefRevision): string {
  const moved = before === undefined ? percent(after) : `${percent(before)} → ${percent(after)}`
  return `${kind}${verdict === undefined ? '' : ` (${verdict})`}: ${moved}`
}
