import type { Stats } from '../src/browser.js'
import { byId, element } from './element.js'
import { bytes, count, counted } from './format.js'

const total = byId('count', HTMLElement)
const facts = byId('facts', HTMLElement)

/** Storage events that are not worth a line: IndexedDB is behind the journal after every reload in the midst of writing. */
const QUIET = ['created', 'mirror-behind']

let last: Stats | undefined
let offline = 'getting ready'

/** Shows what the memory holds, where, and how safely. */
export function showState(stats: Stats): void {
  last = stats
  showCount(stats.episodes)
  const rows: [string, string, string?][] = [
    ['Speakers', count(stats.speakers)],
    ['Kept in', stats.storage],
    ['Durability', stats.durability, stats.durabilityReason],
    ['On disk', bytes(stats.bytes)],
    ['Kernel', stats.kernel === 'wasm-simd' ? 'WebAssembly SIMD' : 'plain TypeScript', bytes(stats.memory)],
    ['Without a network', offline],
    ...stats.opening.filter(({ kind }) => !QUIET.includes(kind)).map(({ kind, message }): [string, string] => [kind, message]),
  ]
  facts.replaceChildren(...rows.flatMap(([name, value, note]) => [
    element('dt', {}, name),
    element('dd', {}, value, note === undefined ? undefined : element('small', {}, note)),
  ]))
}

export function showCount(episodes: number): void {
  total.textContent = counted(episodes, 'memory', 'memories')
}

/** Installs the service worker of the built page, and says when the page no longer needs a network. */
export async function installOffline(): Promise<void> {
  if (!import.meta.env.PROD) offline = 'only the built page does'
  else if (!('serviceWorker' in navigator)) offline = 'not in this browser'
  else {
    await navigator.serviceWorker.register('./service-worker.js')
    await navigator.serviceWorker.ready
    offline = 'works'
  }
  if (last !== undefined) showState(last)
}
