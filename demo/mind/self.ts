import type { IntrospectionQuestion, LearningKind } from '../../src/browser.js'
import { element } from '../element.js'
import { counted, sentence, time } from '../format.js'
import { driftPlot } from './drift.js'
import { field } from './form.js'
import { learned } from './learned.js'
import type { Panel, Setting } from './panel.js'
import { renew } from './renew.js'

/** Events that are shown, the newest. */
const SHOWN = 30
const HOUR = 3_600_000
/** That an episode was stored is an event too, but ten thousand of them hide the rest. */
const KINDS: readonly LearningKind[] = [
  'sensoryFramePromoted', 'semanticAtomFormed', 'semanticAtomRevised', 'contradictionDetected', 'consolidationRun', 'procedureLearned', 'procedureExecuted',
  'goalSet', 'goalRevised', 'goalStateChanged', 'beliefAsserted', 'beliefRevised', 'beliefWithdrawn', 'attentionTraced', 'selfVectorUpdated',
]
const QUESTIONS: readonly (readonly [IntrospectionQuestion, string])[] = [
  ['what did I learn', 'What did I learn?'],
  ['what changed my mind', 'What changed my mind?'],
  ['which goals moved', 'Which goals moved?'],
]

/** What became of the agent: what it learned, and how far it drifted. */
export function selfPanel({ db, act }: Setting): Panel {
  const since = element('select', {}, ...[['', 'ever'], [HOUR, 'an hour ago'], [24 * HOUR, 'a day ago'], [168 * HOUR, 'a week ago']].map(([value, label]) => element('option', { value: String(value) }, String(label))))
  const answers = element('dl', { class: 'answers' })
  const drift = element('figure', { class: 'drift' })
  const events = element('ol', { class: 'events' })
  const none = element('p', { class: 'note' })
  since.addEventListener('change', () => void act(async () => {}))

  return {
    name: 'Self',
    about: 'What it has learned, and how far that has moved it: a vector of 8,192 bits that every consolidation moves a little.',
    body: [field('Since', since), answers, drift, element('h3', {}, 'What it learned of late'), none, events],
    count: ({ events }) => events,
    show: async () => {
      const from = since.value === '' ? 0 : Date.now() - Number(since.value)
      const asked = since.value === '' ? {} : { since: from }
      const found = await Promise.all(QUESTIONS.map(([question]) => db.introspect({ question, ...asked })))
      answers.replaceChildren(...found.flatMap(({ summary }, i) => [element('dt', {}, QUESTIONS[i][1]), element('dd', {}, sentence(summary))]))
      const drifted = await db.introspect({ question: 'how much did I drift', ...asked })
      if (drifted.question === 'how much did I drift') drift.replaceChildren(...driftPlot(drifted.epochs, drifted.summary))
      const all = await db.whatDidILearn(from, { kinds: KINDS })
      none.textContent = all.length === 0 ? 'Nothing but what it remembers.' : all.length > SHOWN ? `The newest ${SHOWN} of ${counted(all.length, 'event', 'events')}.` : ''
      renew(events, ...all.slice(-SHOWN).reverse().map((event) => element('li', {}, element('time', { datetime: event.at }, time(event.at)), element('span', {}, learned(event)))))
    },
  }
}
