import type { Stats } from '../src/runtimes/browser/index.js'
import { byId, element } from './element.js'
import { offerUpdates } from './offline/update.js'
import { bytes, count, counted, sentence } from './format.js'

const total = byId('count', HTMLElement)
const facts = byId('facts', HTMLElement)

const mended = byId('mended', HTMLDetailsElement)

/**
 * Events that mend nothing, or that no one needs to know of: after every quick close the copy in IndexedDB has to catch
 * up.
 */
const QUIET = ['created', 'mirror-behind', 'no-codebook', 'codebook-late']

/** What the storage found and mended when it was opened, in plain words; for other kinds its own. */
const MENDED: Readonly<Record<string, string>> = {
  'torn-tail':
    'The tab was closed in the midst of writing. What had not been written to its end was cut off; everything ' +
    'that counted as remembered is there.',
  'mirror-wiped': 'The copy in IndexedDB was gone. It was made again from the journal.',
  're-encoded': 'Some of it was remembered without the codebook, or with another. It was given what it lacked.',
  'journal-rebuilt': 'The journal was gone or damaged. It was made again from the copy in IndexedDB.',
}

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
    ['Codebook', codebookState(stats), codebookNote(stats)],
    ['Without a network', offline],
    ...keptBy(stats),
  ]
  facts.replaceChildren(
    ...rows.flatMap(([name, value, note]) => [
      element('dt', {}, name),
      element('dd', {}, value, note === undefined ? undefined : element('small', {}, note)),
    ]),
  )
  const events = stats.opening.filter(({ kind }) => !QUIET.includes(kind))
  mended.hidden = events.length === 0
  mended
    .querySelector('ul')!
    .replaceChildren(...events.map(({ kind, message }) => element('li', {}, MENDED[kind] ?? sentence(message))))
}

/** Whether the browser may delete it. The library asks it not to, once there is something to keep. */
function keptBy({ room }: Stats): [string, string][] {
  return room === undefined ? [] : [['When room is short', room.persisted ? 'it stays' : 'the browser may delete it']]
}

function codebookState({ codebook, codebookPending }: Stats): string {
  if (codebookPending !== undefined) return 'on its way: only words are compared until it is there'
  return codebook === 'none' ? 'none: only words are compared' : 'on'
}

/** Which codebook it is, or why there is none. */
function codebookNote({ codebook, opening }: Stats): string | undefined {
  return codebook === 'none' ? opening.find(({ kind }) => kind === 'no-codebook')?.message : codebook
}

export function showCount(episodes: number): void {
  total.textContent = counted(episodes, 'memory', 'memories')
}

/** Installs the service worker of the built page, and says when the page no longer needs a network. */
export async function installOffline(): Promise<void> {
  if (!import.meta.env.PROD) offline = 'only the built page does'
  else if (!('serviceWorker' in navigator)) offline = 'not in this browser'
  else {
    try {
      offerUpdates(await navigator.serviceWorker.register('./service-worker.js'))
      await navigator.serviceWorker.ready
      offline = 'works'
    } catch (error) {
      offline = 'not here' // a private window, a full disk, a plain http address
      console.warn('the page cannot be kept for use without a network:', error)
    }
  }
  if (last !== undefined) showState(last)
}
