import { AgidbInspector } from './inspector.js'

export { AgidbInspector }

/** Defines the element under another name than `agidb-inspector`, by a class of its own. */
export function defineInspector(tag: string): void {
  if (customElements.get(tag) === undefined) customElements.define(tag, class extends AgidbInspector {})
}

// Where there are no elements, as on a server, there is nothing to define.
if (globalThis.customElements !== undefined && customElements.get('agidb-inspector') === undefined)
  customElements.define('agidb-inspector', AgidbInspector)

declare global {
  interface HTMLElementTagNameMap {
    'agidb-inspector': AgidbInspector
  }
}
