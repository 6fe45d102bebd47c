import type { Recall } from '../../src/runtimes/browser/index.js'
import { element } from '../element.js'
import { percent } from '../format.js'

/** What is less likely than this to be what was asked for is not worth a word. */
const FAINT = 0.1

/** What else bears on a question: a button for each, which opens its floor. */
export function bearing({ activeGoals, beliefs, semanticAtoms }: Recall, open: (floor: string) => void): HTMLElement[] {
  const found = [
    ...activeGoals.map(({ description, relevance }) => ['Goals', 'goal', description, relevance] as const),
    ...beliefs.map(({ claim, relevance }) => ['Beliefs', 'belief', claim, relevance] as const),
    ...semanticAtoms.map(({ statement, relevance }) => ['Knowledge', 'known', statement, relevance] as const),
  ].filter(([, , , relevance]) => relevance >= FAINT)
  if (found.length === 0) return []
  const items = found.map(([floor, kind, text, relevance]) => {
    const button = element(
      'button',
      { type: 'button', class: 'bears', title: text },
      element('span', { class: 'kind' }, kind),
      element('span', { class: 'text' }, text),
      element('span', { class: 'share' }, percent(relevance)),
    )
    button.addEventListener('click', () => open(floor))
    return element('li', {}, button)
  })
  return [element('h2', {}, 'Bears on it'), element('ul', {}, ...items)]
}
