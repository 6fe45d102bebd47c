import { BASE } from './base.js'
import { PARTS } from './parts.js'

let made: CSSStyleSheet | undefined

/** The style of the inspector, one for all of them. A page with a strict content security policy accepts it. */
export function styleSheet(): CSSStyleSheet {
  if (made === undefined) {
    made = new CSSStyleSheet()
    made.replaceSync(BASE + PARTS)
  }
  return made
}
