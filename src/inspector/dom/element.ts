/** What an element can contain; `undefined` is left out. */
export type Child = Node | string | undefined

/** An element with attributes and children. Strings become text nodes, never markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children.filter((child) => child !== undefined))
  return made
}

/** A button that does something. `key` is what it is found by when the part around it is made anew. */
export function button(
  label: string,
  key: string,
  act: () => void,
  attributes: Readonly<Record<string, string>> = {},
): HTMLButtonElement {
  const made = element('button', { type: 'button', part: 'button', 'data-key': key, ...attributes }, label)
  made.addEventListener('click', act)
  return made
}

/** A control with its label, and a note below it. */
export function field(label: string, control: HTMLElement, note?: string): HTMLLabelElement {
  return element(
    'label',
    { class: 'field' },
    element('span', { class: 'label' }, label),
    control,
    note === undefined ? undefined : element('span', { class: 'note' }, note),
  )
}

/** A box to tick with its label. */
export function tick(label: string, box: HTMLInputElement): HTMLLabelElement {
  return element('label', { class: 'tick' }, box, label)
}

/** A bar that is filled to a share of it, 0 to 1. It says nothing to who cannot see it: write the number beside it. */
export function bar(share: number, name = 'bar'): HTMLElement {
  const fill = element('span')
  fill.style.inlineSize = `${Math.max(0, Math.min(1, share)) * 100}%`
  return element('span', { class: name, 'aria-hidden': 'true' }, fill)
}

/** Terms with what they mean; one without a meaning is left out. */
export function facts(...pairs: readonly (readonly [term: string, meaning: Child])[]): HTMLDListElement {
  const told = pairs.filter(([, meaning]) => meaning !== undefined && meaning !== '')
  return element(
    'dl',
    { class: 'facts' },
    ...told.flatMap(([term, meaning]) => [element('dt', {}, term), element('dd', {}, meaning)]),
  )
}
