import { byId } from './element.js'

/** Views in the middle of a wide page; the others stand beside it there. On a phone each is a tab of its own. */
const MIDDLE = ['ask', 'chat']

/** The views of the page: buttons with `data-view` in `#views`, and sections with the same `data-view`. */
export class Views {
  readonly #buttons = Array.from(byId('views', HTMLElement).querySelectorAll<HTMLButtonElement>('[data-view]'))
  readonly #opened: (name: string) => void

  /** @param opened - takes the name of a view that is opened */
  constructor(opened: (name: string) => void) {
    this.#opened = opened
    for (const button of this.#buttons) button.addEventListener('click', () => this.show(button.dataset['view']!))
  }

  get shown(): string {
    return document.body.dataset['view'] ?? 'ask'
  }

  show(name: string): void {
    if (!this.#buttons.some((button) => button.dataset['view'] === name)) return
    document.body.dataset['view'] = name
    if (MIDDLE.includes(name)) document.body.dataset['middle'] = name
    for (const button of this.#buttons) button.setAttribute('aria-pressed', String(button.dataset['view'] === name))
    this.#opened(name)
  }
}
