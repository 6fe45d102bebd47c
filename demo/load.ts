import { readTranscript, rememberTranscript, type Remembered } from '../src/transfer/transcript/index.js'
import type { Agidb, Observation } from '../src/runtimes/browser/index.js'
import apollo13 from './data/apollo13.jsonl?url'
import { byId } from './element.js'
import { count, counted } from './format.js'

const panel = byId('progress', HTMLElement)
const bar = byId('bar', HTMLProgressElement)
const text = byId('progress-text', HTMLElement)
const stop = byId('stop', HTMLButtonElement)

/** A transcript to remember. */
export interface Source {
  readonly name: string
  readonly bytes: number
  readonly stream: ReadableStream<Uint8Array>
}

/** The source of the Apollo 13 transcript's utterances, and how many there are. */
export const APOLLO_13 = 'apollo13'
export const APOLLO_13_UTTERANCES = 10_876

export async function apolloSource(): Promise<Source> {
  const response = await fetch(apollo13)
  if (!response.ok || response.body === null)
    throw new Error(`The transcript could not be fetched (HTTP ${response.status}).`)
  const blob = await response.blob()
  return { name: APOLLO_13, bytes: blob.size, stream: blob.stream() }
}

export function fileSource(file: File): Source {
  return { name: file.name, bytes: file.size, stream: file.stream() }
}

/**
 * Remembers a transcript with progress on the page and a button to stop. What is there already is
 * passed over, so to go on after a stop is to load again.
 *
 * @param onStored - called after each batch with the observations that were read since the last
 */
export async function load(
  db: Agidb,
  source: Source,
  onStored: (read: readonly Observation[], sofar: Remembered) => void,
): Promise<Remembered> {
  const controller = new AbortController()
  const abort = () => controller.abort()
  stop.addEventListener('click', abort)
  const read: Observation[] = []
  const started = performance.now()
  let share = 0
  show(0, `Reading ${source.name}`)
  panel.hidden = false
  try {
    const transcript = readTranscript(
      pieces(source, (value) => (share = value)),
      { name: source.name, source: source.name },
    )
    return await rememberTranscript(db, noting(transcript, read), {
      signal: controller.signal,
      batch: 256,
      onProgress: (sofar) => {
        onStored(read.splice(0), sofar)
        const done = sofar.remembered + sofar.known
        const rate = (1000 * sofar.remembered) / (performance.now() - started)
        show(share, `${counted(done, 'utterance', 'utterances')}, ${count(Math.round(rate))} a second`)
      },
    })
  } finally {
    panel.hidden = true
    stop.removeEventListener('click', abort)
  }
}

function show(share: number, words: string): void {
  bar.value = share
  text.textContent = words
}

/**
 * Bytes that are handed out at once: small, so that the share that was read is close to the share that was remembered.
 */
const PIECE = 16_384

/** The bytes of a source in small pieces, and how much of it has been read. */
async function* pieces(source: Source, onRead: (share: number) => void): AsyncGenerator<Uint8Array> {
  const reader = source.stream.getReader()
  let read = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    for (let from = 0; from < value.length; from += PIECE) {
      const piece = value.subarray(from, from + PIECE)
      read += piece.length
      onRead(read / source.bytes)
      yield piece
    }
  }
}

/** Milliseconds for which reading may keep the page from anything else. */
const SLICE = 12

/** Notes down what is read, and lets the page breathe meanwhile. */
async function* noting(transcript: AsyncIterable<Observation>, read: Observation[]): AsyncGenerator<Observation> {
  let since = performance.now()
  for await (const observation of transcript) {
    read.push(observation)
    yield observation
    if (performance.now() - since < SLICE) continue
    await breath()
    since = performance.now()
  }
}

/** Lets the browser draw and answer, and goes on as soon as it has. */
function breath(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: { yield?: () => Promise<void> } }
  return scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve, 0))
}
