import { element } from '../element.js'
import { time } from '../format.js'

/** Characters of a text that is named among others, at most. */
const LONG = 90

/** What was said, by whom and when. */
export function said({
  text,
  speaker,
  at,
}: {
  readonly text: string
  readonly speaker?: string
  readonly at: string
}): HTMLElement {
  return element(
    'div',
    {},
    element('span', { class: 'text' }, text),
    element(
      'p',
      { class: 'byline' },
      speaker === undefined ? undefined : element('strong', {}, speaker),
      element('time', { datetime: at }, time(at)),
    ),
  )
}

/** The beginning of a text. */
export function short(text: string): string {
  const characters = Array.from(text)
  return characters.length <= LONG
    ? text
    : `${characters
        .slice(0, LONG - 1)
        .join('')
        .trimEnd()}…`
}
