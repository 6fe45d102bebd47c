import { element } from '../element.js'

/** An entry of a {@link RovingList}. */
export interface Entry {
  readonly id: string
  readonly contents: readonly (HTMLElement | string)[]
}

/**
 * Buttons of which one is in the order of the tab key: the arrow keys, Home and End go from one to the next, Enter
 * presses it.
 */
export class RovingList {
  readonly element: HTMLUListElement
  readonly #reached: (id: string) => void
  readonly #pressed: (id: string) => void
  #buttons: HTMLButtonElement[] = []

  /**
   * @param label what it is a list of
   * @param reached takes the entry that has the keyboard
   * @param pressed takes the entry that was pressed
   */
  constructor(label: string, reached: (id: string) => void, pressed: (id: string) => void) {
    this.element = element('ul', { class: 'neighbours', 'aria-label': label })
    this.#reached = reached
    this.#pressed = pressed
    this.element.addEventListener('keydown', (event) => this.#move(event))
  }

  show(entries: readonly Entry[]): void {
    this.#buttons = entries.map(({ id, contents }, i) => {
      const button = element('button', { type: 'button', 'data-id': id, tabindex: i === 0 ? '0' : '-1' }, ...contents)
      button.addEventListener('focus', () => this.#reach(button))
      button.addEventListener('click', () => this.#pressed(id))
      return button
    })
    this.element.replaceChildren(...this.#buttons.map((button) => element('li', {}, button)))
  }

  /** Gives the keyboard to an entry, the first without an id. False where there is none. */
  focus(id?: string): boolean {
    const button = id === undefined ? this.#buttons[0] : this.#buttons.find(({ dataset }) => dataset['id'] === id)
    button?.focus()
    return button !== undefined
  }

  #reach(button: HTMLButtonElement): void {
    for (const other of this.#buttons) other.tabIndex = other === button ? 0 : -1
    this.#reached(button.dataset['id']!)
  }

  #move(event: KeyboardEvent): void {
    const at = this.#buttons.findIndex((button) => button === document.activeElement)
    const last = this.#buttons.length - 1
    const to = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: last }[
      event.key
    ]
    if (to === undefined || at < 0) return
    event.preventDefault()
    this.#buttons[Math.min(last, Math.max(0, to))].focus()
  }
}
