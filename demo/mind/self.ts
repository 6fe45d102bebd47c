import type { Agidb, IntrospectionQuestion, LearningEvent, LearningKind } from '../../src/runtimes/browser/index.js'
import { element } from '../element.js'
import { count, counted, sentence, time } from '../format.js'
import { driftPlot } from './drift.js'
import { field } from './form.js'
import { learned, together } from './learned.js'
import type { Panel, Setting } from './panel.js'
import { renew } from './renew.js'

/** Events that are shown, the newest; those of one kind that came at once are one. */
const SHOWN = 15
const HOUR = 3_600_000
/** Not each episode that was stored, nor each that says again what is known: thousands of them would hide the rest. */
const KINDS: readonly LearningKind[] = [
  'sensoryFramePromoted',
  'semanticAtomFormed',
  'contradictionDetected',
  'consolidationRun',
  'procedureLearned',
  'procedureRevised',
  'procedureRetired',
  'procedureExecuted',
  'goalSet',
  'goalRevised',
  'goalStateChanged',
  'beliefAsserted',
  'beliefRevised',
  'beliefWithdrawn',
  'attentionTraced',
  'selfVectorUpdated',
]
const QUESTIONS: readonly (readonly [IntrospectionQuestion, string])[] = [
  ['what did I learn', 'What did I learn?'],
  ['what changed my mind', 'What changed my mind?'],
  ['which goals moved', 'Which goals moved?'],
]

/** What became of the agent: what it learned, and how far it drifted. */
export function selfPanel({ db, act }: Setting): Panel {
  const since = element(
    'select',
    {},
    ...[
      ['', 'ever'],
      [HOUR, 'an hour ago'],
      [24 * HOUR, 'a day ago'],
      [168 * HOUR, 'a week ago'],
    ].map(([value, label]) => element('option', { value: String(value) }, String(label))),
  )
  const answers = element('dl', { class: 'answers' })
  const drift = element('figure', { class: 'drift' })
  const events = element('ol', { class: 'events' })
  const none = element('p', { class: 'note' })
  since.addEventListener('change', () => void act(async () => {}))

  return {
    name: 'Self',
    about:
      'What it has learned, and how far that has moved it: a vector of 8,192 bits that every consolidation ' +
      'moves a little.',
    body: [field('Since', since), answers, drift, element('h3', {}, 'What it learned of late'), none, events],
    count: ({ events }) => events,
    show: async () => {
      const from = since.value === '' ? 0 : Date.now() - Number(since.value)
      const asked = since.value === '' ? {} : { since: from }
      const found = await Promise.all(QUESTIONS.map(([question]) => db.introspect({ question, ...asked })))
      answers.replaceChildren(
        ...found.flatMap(({ summary }, i) => [
          element('dt', {}, QUESTIONS[i][1]),
          element('dd', {}, sentence(summary)),
        ]),
      )
      const drifted = await db.introspect({ question: 'how much did I drift', ...asked })
      if (drifted.question === 'how much did I drift')
        drift.replaceChildren(...driftPlot(drifted.epochs, drifted.summary))
      const all = await db.whatDidILearn(from, { kinds: KINDS })
      const groups = together(all.reverse())
      none.textContent =
        groups.length === 0
          ? 'Nothing but what it remembers.'
          : groups.length > SHOWN
            ? `The newest of ${counted(all.length, 'event', 'events')}.`
            : ''
      renew(events, ...(await Promise.all(groups.slice(0, SHOWN).map((group) => line(db, group)))))
    },
  }
}

async function line(db: Agidb, [event, ...others]: readonly LearningEvent[]): Promise<HTMLLIElement> {
  const episode = event.kind === 'sensoryFramePromoted' ? await db.getEpisode(event.episode) : undefined
  return element(
    'li',
    {},
    element('time', { datetime: event.at }, time(event.at)),
    element(
      'span',
      {},
      learned(event, episode?.text),
      others.length === 0 ? undefined : element('small', {}, ` and ${count(others.length)} more such`),
    ),
  )
}
