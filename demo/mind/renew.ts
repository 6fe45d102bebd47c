/**
 * Puts new contents in a place, and keeps open what was opened in it, and the keyboard where it was: `data-key` says
 * what is the same as before; a control that went gives the keyboard to the first button of the `data-item` that it was
 * in.
 */
export function renew(place: HTMLElement, ...contents: readonly (Node | string)[]): void {
  const { activeElement: active } = document
  const focused = active instanceof HTMLElement && active !== place && place.contains(active) ? active : undefined
  const item = focused?.closest<HTMLElement>('[data-item]')?.dataset['item']
  const opened = new Set(
    Array.from(place.querySelectorAll<HTMLElement>('details[open]'), ({ dataset }) => dataset['key']),
  )
  place.replaceChildren(...contents)
  const keyed = Array.from(place.querySelectorAll<HTMLElement>('[data-key]'))
  for (const details of keyed)
    if (details instanceof HTMLDetailsElement) details.open = opened.has(details.dataset['key'])
  if (focused === undefined) return
  const same = keyed.find(({ dataset }) => dataset['key'] === focused.dataset['key'])
  const near = Array.from(place.querySelectorAll<HTMLElement>('[data-item]')).find(
    ({ dataset }) => dataset['item'] === item,
  )
  const next = same ?? near?.querySelector<HTMLElement>('button') ?? near?.querySelector<HTMLElement>('summary')
  if (next === undefined || next === null) place.tabIndex = -1
  ;(next ?? place).focus({ preventScroll: true })
}
