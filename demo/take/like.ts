import { byId, element } from '../element.js'
import { senseOf } from './kinds.js'

/** The picture or sound that what is recalled is to be like: beside the question, or in place of it. */
export class Like {
  readonly #input = byId('like', HTMLInputElement)
  readonly #shown = byId('liked', HTMLElement)
  #file: File | undefined
  #address: string | undefined

  /**
   * @param changed - called when the reader chose one, or took it away
   * @param refused - called with why a file that was chosen cannot be one
   */
  constructor(changed: () => void, refused: (error: Error) => void) {
    this.#input.addEventListener('change', () => {
      const file = this.#input.files?.[0]
      this.#input.value = ''
      if (file === undefined) return
      if (senseOf(file) === undefined) return refused(new Error(`${file.name} is neither a picture nor a sound.`))
      this.set(file)
      changed()
    })
    this.#shown.addEventListener('click', (event) => {
      if (!(event.target instanceof HTMLButtonElement)) return
      this.set(undefined)
      this.#input.focus()
      changed()
    })
  }

  get isSet(): boolean {
    return this.#file !== undefined
  }

  /** What recall takes of it. */
  get cue(): { readonly image?: File; readonly audio?: File } {
    return this.#file === undefined ? {} : { [senseOf(this.#file)!]: this.#file }
  }

  set(file: File | undefined): void {
    this.#file = file
    if (this.#address !== undefined) URL.revokeObjectURL(this.#address)
    this.#address = file && URL.createObjectURL(file)
    this.#shown.hidden = file === undefined
    if (file === undefined) return this.#shown.replaceChildren()
    const medium =
      senseOf(file) === 'image'
        ? element('img', { src: this.#address!, alt: '' })
        : element('audio', { src: this.#address!, controls: '', 'aria-label': file.name })
    const away = element('button', { type: 'button', class: 'small', 'aria-label': `Ask without ${file.name}` }, '×')
    this.#shown.replaceChildren(medium, element('span', {}, `Like ${file.name}`), away)
  }
}
