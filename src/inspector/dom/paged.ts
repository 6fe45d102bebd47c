import { button, element } from './element.js'
import { count } from './format.js'

/** Items that are shown at first, and by each press of the button. */
const PAGE = 50

/** Remembers how many items of a list are shown, while the list is made anew. */
export class Paged {
  #shown = PAGE
  readonly #again: () => void

  /** @param again makes the list anew. */
  constructor(again: () => void) {
    this.#again = again
  }

  /** How many items are to be read. */
  get shown(): number {
    return this.#shown
  }

  /** What follows the items: a button for more of them, or nothing. */
  more(of: number): HTMLElement | undefined {
    const left = of - this.#shown
    if (left <= 0) return undefined
    return element(
      'div',
      { class: 'moves' },
      button(`Show ${count(Math.min(left, PAGE))} more of ${count(left)}`, 'more', () => {
        this.#shown += PAGE
        this.#again()
      }),
    )
  }
}
