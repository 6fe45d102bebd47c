import type { Child } from './element.js'

/**
 * Replaces the children of an element, so that who uses the keyboard notices nothing: what had the focus has it again,
 * and what was unfolded stays so. Both are found again by `data-key`. Where the focused element is gone, the item that
 * it was in takes the focus, or else the whole.
 */
export function renew(parent: HTMLElement, ...children: readonly Child[]): void {
  const unfolded = unfoldedIn(parent)
  const focused = focusedIn(parent)
  const key = keyOf(focused)
  const item = keyOf(focused?.parentElement?.closest<HTMLElement>('[data-item]'), 'item')
  parent.replaceChildren(...children.filter((child) => child !== undefined))
  for (const details of parent.querySelectorAll<HTMLDetailsElement>('details[data-key]'))
    if (unfolded.has(keyOf(details))) details.open = true
  if (focused === undefined) return
  const next = find(parent, 'key', key) ?? find(parent, 'item', item)
  if (next === undefined) parent.tabIndex = -1
  ;(next ?? parent).focus({ preventScroll: true })
}

/** The keys of what is unfolded below a parent. */
export function unfoldedIn(parent: HTMLElement): Set<string | undefined> {
  return new Set(Array.from(parent.querySelectorAll('details[open]'), (details) => keyOf(details)))
}

/** The element below a parent that has the focus. */
export function focusedIn(parent: HTMLElement): HTMLElement | undefined {
  const { activeElement } = parent.getRootNode() as ShadowRoot | Document
  return activeElement instanceof HTMLElement && parent.contains(activeElement) ? activeElement : undefined
}

/** The element with this `data-key` or `data-item`; a summary for the details that it unfolds. */
export function find(parent: ParentNode, name: 'key' | 'item', value: string | undefined): HTMLElement | undefined {
  if (value === undefined) return undefined
  const found = parent.querySelector<HTMLElement>(`[data-${name}="${CSS.escape(value)}"]`)
  return found?.querySelector<HTMLElement>(':scope > summary') ?? found ?? undefined
}

function keyOf(of: Element | null | undefined, name: 'key' | 'item' = 'key'): string | undefined {
  return of?.closest<HTMLElement>(`[data-${name}]`)?.dataset[name]
}
