import { element } from './element.js'

/**
 * A bar that is filled to a share of it, 0 to 1. It says nothing to those who do not see it: write the number beside
 * it.
 */
export function bar(share: number, name = 'bar'): HTMLElement {
  const fill = element('span')
  fill.style.inlineSize = `${Math.max(0, Math.min(1, share)) * 100}%`
  return element('span', { class: name, 'aria-hidden': 'true' }, fill)
}
