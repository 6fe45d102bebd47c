import { byId } from '../element.js'

/** What Chromium fires where the app can be installed. */
interface InstallPrompt extends Event {
  prompt(): Promise<void>
}

/** Shows a button to install the app while the browser offers that. */
export function offerInstall(): void {
  const button = byId('install', HTMLButtonElement)
  let offered: InstallPrompt | undefined
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    offered = event as InstallPrompt
    button.hidden = false
  })
  button.addEventListener('click', () => void offered?.prompt())
  addEventListener('appinstalled', () => (button.hidden = true))
}
