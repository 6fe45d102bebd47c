import type { Agidb } from '../src/runtimes/browser/index.js'
import '../src/inspector/index.js'
import { element } from './element.js'

let dialog: HTMLDialogElement | undefined

/**
 * Opens the inspector of a memory in a dialog that fills the page.
 *
 * @param closed called when it is closed again; the memory may hold something else by then.
 */
export function inspect(db: Agidb, closed: () => void): void {
  if (dialog === undefined) {
    const inspector = element('agidb-inspector')
    inspector.db = db
    const close = element('button', { type: 'button', class: 'quiet' }, 'Close the inspector')
    dialog = element('dialog', { 'aria-label': 'Inspector' }, close, inspector)
    close.addEventListener('click', () => dialog?.close())
    dialog.addEventListener('close', closed)
    Object.assign(dialog.style, {
      inlineSize: 'min(80rem, 96vw)',
      maxInlineSize: 'none',
      padding: '0.5rem',
      border: '0',
    })
    inspector.style.blockSize = 'calc(92dvh - 4rem)'
    document.body.append(dialog)
  }
  dialog.showModal()
}
