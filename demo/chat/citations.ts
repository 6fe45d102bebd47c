import type { RecallWithPrompt } from '../../src/runtimes/browser/index.js'
import { element } from '../element.js'
import { percent, time } from '../format.js'

/** An answer with its citations as links, and the cards that they lead to. */
export interface Cited {
  readonly text: readonly (Node | string)[]
  readonly cards: readonly HTMLElement[]
  /** Ids of what is cited. */
  readonly ids: readonly string[]
}

/**
 * Makes links of the numbers in an answer that are numbers of memories; others stay as they are.
 *
 * @param turn - tells the cards of one answer from those of others
 */
export function cite(answer: string, found: RecallWithPrompt | undefined, turn: number): Cited {
  const lines = found?.prompt.text.split('\n') ?? []
  const ids = found?.prompt.ids ?? []
  const cited = new Map<number, HTMLElement>()
  const cardOf = (n: number) => {
    const made = cited.get(n) ?? card(n, ids[n - 1], lines[n - 1], found!, turn)
    cited.set(n, made)
    return made
  }
  const text = answer.split(/(\[\d+\])/).map((piece) => {
    const n = Number(/^\[(\d+)\]$/.exec(piece)?.[1] ?? 0)
    if (n < 1 || n > ids.length) return piece
    const place = cardOf(n)
    const link = element('a', { href: `#${place.id}`, class: 'citation', 'aria-label': `memory ${n}` }, `${n}`)
    link.addEventListener('click', (event) => {
      event.preventDefault()
      place.closest('details')!.open = true
      place.focus()
      place.scrollIntoView({ block: 'nearest' })
    })
    return link
  })
  const numbers = [...cited.keys()].sort((a, b) => a - b)
  return { text, cards: numbers.map((n) => cited.get(n)!), ids: numbers.map((n) => ids[n - 1]) }
}

function card(n: number, id: string, line: string, found: RecallWithPrompt, turn: number): HTMLElement {
  const match = found.matches.find((one) => one.id === id)
  return element(
    'li',
    { id: `cited-${turn}-${n}`, class: 'cited', tabindex: '-1', 'data-id': id },
    element('span', { class: 'number' }, `${n}`),
    element(
      'div',
      {},
      element('blockquote', {}, match?.text ?? line.replace(/^\s*\[\d+\] /, '')),
      match &&
        element(
          'p',
          { class: 'byline' },
          match.speaker === undefined ? undefined : element('strong', {}, match.speaker),
          element('time', { datetime: match.at }, time(match.at)),
          element('span', {}, `confidence ${percent(match.confidence)}`),
        ),
    ),
  )
}
