import { byId, element } from '../element.js'
import { keepDrafts } from './drafts.js'

/** Milliseconds between two looks for a new version, of an app that is kept open. */
const LOOK = 3_600_000

const place = byId('update', HTMLElement)

/** Says when a new version of the app is there. It takes over on a click, and what is half-typed comes along. */
export function offerUpdates(registration: ServiceWorkerRegistration): void {
  const isUpdate = () => navigator.serviceWorker.controller !== null
  const follow = (worker: ServiceWorker | null) =>
    worker?.addEventListener('statechange', () => worker.state === 'installed' && isUpdate() && offer(worker))
  if (registration.waiting !== null && isUpdate()) offer(registration.waiting)
  follow(registration.installing)
  registration.addEventListener('updatefound', () => follow(registration.installing))

  let looked = Date.now()
  const look = () => {
    if (document.visibilityState !== 'visible' || Date.now() - looked < LOOK) return
    looked = Date.now()
    void registration.update().catch(() => {}) // without a network there is nothing new
  }
  document.addEventListener('visibilitychange', look)
  setInterval(look, LOOK)
}

function offer(waiting: ServiceWorker): void {
  const reload = element('button', { type: 'button' }, 'Reload')
  const later = element('button', { type: 'button', class: 'quiet' }, 'Later')
  reload.addEventListener('click', () => {
    reload.disabled = true
    navigator.serviceWorker.addEventListener('controllerchange', () => {
      keepDrafts()
      location.reload()
    })
    waiting.postMessage('take over')
  })
  later.addEventListener('click', () => (place.hidden = true))
  place.replaceChildren(element('p', {}, 'A new version is ready. What you are typing stays.'), reload, later)
  place.hidden = false
}
