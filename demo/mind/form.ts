import { element } from '../element.js'

/** Something that a person fills in. */
export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** A control with its label above it. */
export function field(label: string, control: Control): HTMLLabelElement {
  return element('label', { class: 'labelled' }, element('span', {}, label), control)
}

/** A form that does `work`, and is empty again when that went well. */
export function form(
  name: string,
  contents: readonly (HTMLElement | undefined)[],
  submit: string,
  work: () => Promise<boolean>,
): HTMLFormElement {
  const button = element('button', {}, submit)
  const made = element('form', { class: 'entry', 'aria-label': name }, ...contents, button)
  made.addEventListener('submit', (event) => {
    event.preventDefault()
    button.disabled = true
    void work().then((went) => {
      button.disabled = false
      if (went) made.reset()
    })
  })
  return made
}

/** Something to press, told apart by `key` when its list is made anew. */
export function press(label: string, key: string, work: () => void): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'small', 'data-key': key }, label)
  button.addEventListener('click', work)
  return button
}

/** Something to press that takes a reason first. */
export function pressWhy(label: string, key: string, work: (reason: string) => Promise<boolean>): HTMLDetailsElement {
  const reason = element('input', { required: '', placeholder: 'Why?', 'aria-label': `Why ${label.toLowerCase()}` })
  return element(
    'details',
    { class: 'reason', 'data-key': key },
    element('summary', {}, label),
    form(label, [reason], label, () => work(reason.value)),
  )
}

/** Gives a choice other options, and keeps what was chosen where it is still there. */
export function offer(choice: HTMLSelectElement, options: readonly (readonly [value: string, label: string])[]): void {
  const chosen = choice.value
  choice.replaceChildren(...options.map(([value, label]) => element('option', { value }, label)))
  if (options.some(([value]) => value === chosen)) choice.value = chosen
}
