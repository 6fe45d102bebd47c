import { button, type Child, element } from './element.js'
import { problem } from './format.js'
import { find } from './renew.js'

/** What a person is asked before something is done. */
export interface Question {
  readonly title: string
  readonly body: readonly Child[]
  /** What the button says that does it. */
  readonly yes: string
  /** Whether something is taken away by it. */
  readonly isDanger?: boolean
  /** Does it. Where it fails, the dialog says why and stays. The signal fires when the dialog is cancelled. */
  readonly act: (signal: AbortSignal) => Promise<void>
}

/** A dialog that is open. */
export interface OpenDialog {
  /** Whether it was done; false where it was cancelled. Cancelled while it is being done, it may be done yet. */
  readonly done: Promise<boolean>
  /** Whether the button that does it can be pressed. */
  ready(is: boolean): void
}

let dialogs = 0

/** Asks in a modal dialog. When it closes, the focus returns to where it was. */
export function ask(root: ShadowRoot, { title, body, yes, isDanger = false, act }: Question): OpenDialog {
  const opener = root.activeElement instanceof HTMLElement ? root.activeElement : undefined
  const id = `dialog-${++dialogs}`
  const wrong = element('p', { class: 'wrong', role: 'alert' })
  const cancel = button('Cancel', 'cancel', () => dialog.close(), { class: 'quiet' })
  const submit = element('button', { part: 'button', 'data-key': 'yes', class: isDanger ? 'danger' : 'main' }, yes)
  const form = element(
    'form',
    { method: 'dialog' },
    element('h2', { id }, title),
    ...body,
    wrong,
    element('div', { class: 'moves end' }, cancel, submit),
  )
  const dialog = element('dialog', { part: 'dialog', 'aria-labelledby': id }, form)
  const acting = new AbortController()
  let isReady = true
  let isDone = false
  /** What is being done; settles when it is done or has failed. */
  let doing: Promise<void> | undefined
  const allow = () => (submit.disabled = !isReady || doing !== undefined)
  const done = new Promise<boolean>((resolve) => {
    dialog.addEventListener('close', () => {
      acting.abort()
      // The browser gave the focus back before this event: whoever went on since then keeps it.
      const hasFocus = root.activeElement !== null && !dialog.contains(root.activeElement)
      dialog.remove()
      // What was pressed may have been made anew meanwhile.
      const back = opener?.isConnected === true ? opener : find(root, 'key', opener?.dataset['key'])
      if (!hasFocus) back?.focus({ preventScroll: true })
      if (doing === undefined) resolve(isDone)
      else void doing.then(() => resolve(isDone))
    })
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (submit.disabled) return
    wrong.textContent = ''
    doing = act(acting.signal).then(
      () => {
        isDone = true
        dialog.close()
      },
      (error: unknown) => {
        doing = undefined
        allow()
        wrong.textContent = problem(error)
      },
    )
    allow()
  })
  root.append(dialog)
  dialog.showModal()
  return {
    done,
    ready(is) {
      isReady = is
      allow()
    },
  }
}
