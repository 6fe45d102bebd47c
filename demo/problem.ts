import { AgidbError } from '../src/runtimes/browser/index.js'
import { byId, element } from './element.js'
import { sentence } from './format.js'

const place = byId('problem', HTMLElement)

/** Says on the page what went wrong, with a way out where there is one. */
export function showProblem(error: unknown, retry?: { readonly label: string; readonly run: () => void }): void {
  const button = retry && element('button', { type: 'button' }, retry.label)
  button?.addEventListener('click', retry!.run)
  place.replaceChildren(element('p', {}, ...words(error)), ...(button ? [button] : []))
  place.hidden = false
  place.scrollIntoView({ block: 'nearest' })
}

export function clearProblem(): void {
  place.hidden = true
  place.replaceChildren()
}

function words(error: unknown): (Node | string)[] {
  if (!(error instanceof AgidbError)) return [error instanceof Error ? error.message : String(error)]
  return [`${sentence(error.message)} `, element('code', {}, error.code)]
}
