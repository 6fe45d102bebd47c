import type { Stats } from '../src/browser.js'
import { byId, element } from './element.js'
import { bytes, count, counted } from './format.js'

const total = byId('count', HTMLElement)
const facts = byId('facts', HTMLElement)

/** Storage events that are not worth a line. */
const QUIET = ['created']

/** Shows what the memory holds, where, and how safely. */
export async function showState(stats: Stats): Promise<void> {
  showCount(stats.episodes)
  const rows: [string, string, string?][] = [
    ['Speakers', count(stats.speakers)],
    ['Kept in', stats.storage],
    ['Durability', stats.durability, stats.durabilityReason],
    ['On disk', bytes(stats.bytes)],
    ['Kernel', stats.kernel === 'wasm-simd' ? 'WebAssembly SIMD' : 'plain TypeScript', bytes(stats.memory)],
    ['Without a network', await offlineState()],
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

async function offlineState(): Promise<string> {
  if (!('serviceWorker' in navigator)) return 'not in this browser'
  const registration = await navigator.serviceWorker.getRegistration()
  return registration?.active ? 'works' : 'works from the next visit on'
}
