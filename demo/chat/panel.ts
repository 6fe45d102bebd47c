import type { Agidb } from '../../src/runtimes/browser/index.js'
import { byId, element } from '../element.js'
import { restoreDrafts } from '../offline/drafts.js'
import { cite } from './citations.js'
import { forgetting, toForget } from './forget.js'
import { ChatError, type Message } from './model.js'
import { Settings } from './settings.js'
import { takeTurn } from './turn.js'

/** A turn of the chat that is done. */
interface Exchange {
  readonly question: string
  answer: string
  readonly cites: readonly string[]
  readonly place: HTMLElement
}

/**
 * Fills the view of the chat.
 *
 * @param changed - called when something was remembered or forgotten
 */
export function openChat(db: Agidb, report: (error?: unknown) => void, changed: () => void): void {
  const settings = new Settings()
  const log = element('ol', { class: 'turns-of-chat', 'aria-label': 'What was said', 'aria-live': 'polite' })
  const input = element('textarea', {
    id: 'chat-input',
    rows: '2',
    required: '',
    placeholder: 'Ask, tell it something, or: forget that …',
    'aria-label': 'Your message',
  })
  const send = element('button', {}, 'Send')
  const stop = element('button', { type: 'button', class: 'quiet', hidden: '' }, 'Stop')
  const form = element('form', { class: 'field say', 'aria-label': 'Message' }, input, stop, send)
  byId('view-chat', HTMLElement).replaceChildren(
    element('details', { class: 'who' }, element('summary', {}, 'Who answers'), settings.element),
    log,
    form,
  )
  restoreDrafts()
  input.focus()

  const exchanges: Exchange[] = []
  let turns = 0
  let running = new AbortController()

  const add = (who: 'you' | 'memory', ...contents: (Node | string)[]) => {
    const body = element('div', { class: 'body' }, ...contents)
    const item = element(
      'li',
      { class: who },
      element('span', { class: 'unseen' }, who === 'you' ? 'You' : 'Answer'),
      body,
    )
    log.append(item)
    item.scrollIntoView({ block: 'nearest' })
    return body
  }

  const forgot = (ids: readonly string[]) => {
    for (const exchange of exchanges) {
      if (!exchange.cites.some((id) => ids.includes(id))) continue
      exchange.answer = '(forgotten)' // it must not go to the model again
      exchange.place.replaceChildren(element('p', { class: 'note' }, 'This answer rested on what was forgotten.'))
    }
    changed()
  }

  const answer = async (question: string, body: HTMLElement, signal: AbortSignal) => {
    const turn = ++turns
    const history = exchanges.flatMap((one): Message[] => [
      { role: 'user', content: one.question },
      { role: 'assistant', content: one.answer },
    ])
    const { found, answer } = await takeTurn(db, settings.model, history, question, signal)
    const text = element('p', { class: 'answer' })
    let said = ''
    for await (const piece of answer) {
      if (said === '') body.replaceChildren(text)
      said += piece
      text.textContent = said
    }
    const { text: linked, cards, ids } = cite(said, found, turn)
    text.replaceChildren(...linked)
    if (cards.length > 0) {
      const label = cards.length === 1 ? 'The memory that it cites' : `The ${cards.length} memories that it cites`
      body.append(element('details', { class: 'sources' }, element('summary', {}, label), element('ol', {}, ...cards)))
    }
    exchanges.push({ question, answer: said, cites: ids, place: body })
    changed()
  }

  const say = async (message: string) => {
    report()
    running = new AbortController()
    const { signal } = running
    send.disabled = true
    stop.hidden = false
    add('you', message)
    const body = add('memory', element('p', { class: 'note' }, 'Remembering …'))
    try {
      const about = toForget(message)
      if (about === undefined) await answer(message, body, signal)
      else body.replaceChildren(await forgetting(db, about, forgot, report))
    } catch (error) {
      if (signal.aborted) body.append(element('p', { class: 'note' }, 'Stopped. This turn is not remembered.'))
      else {
        const words = error instanceof ChatError ? error.message : 'No answer came.'
        body.append(element('p', { class: 'against' }, words))
        if (!(error instanceof ChatError)) report(error)
      }
    } finally {
      body.querySelector(':scope > .note:first-child:not(:only-child)')?.remove()
      send.disabled = false
      stop.hidden = true
    }
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const message = input.value.trim()
    if (message === '' || send.disabled) return
    input.value = ''
    void say(message)
  })
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    form.requestSubmit()
  })
  stop.addEventListener('click', () => running.abort())
}
