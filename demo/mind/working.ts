import type { PresentTurn } from '../../src/runtimes/browser/index.js'
import { bar } from '../bar.js'
import { element } from '../element.js'
import { percent } from '../format.js'
import { field, offer } from './form.js'
import { HERE } from './here.js'
import type { Panel, Setting } from './panel.js'
import { renew } from './renew.js'
import { said } from './said.js'

/** What is present to the mind in a session. */
export function workingPanel(setting: Setting): Panel {
  const { db, act } = setting
  const session = element('select')
  const turns = element('ol', { class: 'items turns' })
  const threads = element('ol', { class: 'items' })
  const none = element('p', { class: 'note' })
  const open = element('div', {}, element('h3', {}, 'Still open'), threads)
  const goals = element('ol', { class: 'items' })
  const wanted = element('div', {}, element('h3', {}, 'Active goals, those that the turns are about first'), goals)
  let asked: unknown
  session.addEventListener('change', () => void act(async () => {}))

  return {
    name: 'Working memory',
    about:
      'What is present in a conversation: its newest turns, each fainter than the one after it, and what is ' +
      'still open.',
    body: [field('Conversation', session), none, turns, open, wanted],
    show: async () => {
      const sessions = [
        ...new Set(
          [...(setting.answer?.recall.matches ?? []).map((match) => match.session), HERE].filter(
            (name) => name !== undefined,
          ),
        ),
      ]
      offer(
        session,
        sessions.map((name) => [name, name === HERE ? 'What it hears here' : name]),
      )
      if (asked !== setting.answer) session.value = sessions[0]
      asked = setting.answer
      const present = await db.workingMemory(session.value)
      renew(turns, ...present.turns.map(turn))
      renew(threads, ...present.openThreads.map((thread) => element('li', {}, said(thread))))
      renew(goals, ...present.goals.map(({ description }) => element('li', {}, description)))
      wanted.hidden = present.goals.length === 0
      open.hidden = present.openThreads.length === 0
      none.textContent =
        present.turns.length > 0
          ? `Half as present after every ${present.halfLife} turns; at most ${present.capacity} are.`
          : 'Nothing is present. Ask something, or say something to it.'
    },
  }
}

function turn(present: PresentTurn): HTMLLIElement {
  const item = element(
    'li',
    {},
    said(present),
    element(
      'span',
      { class: 'measure' },
      bar(present.activation),
      element('span', { class: 'share' }, percent(present.activation)),
    ),
  )
  item.style.setProperty('--present', percent(present.activation))
  return item
}
