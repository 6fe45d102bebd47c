import type { Agidb, ListenCounts, Listening } from '../../src/runtimes/browser/index.js'
import { byId, element } from '../element.js'
import { counted } from '../format.js'

/** What is to be captured; at least one of them. */
export interface Wanted {
  readonly audio: boolean
  readonly video: boolean
}

/** A capture that goes on. */
export interface Capture {
  /** What the camera shows; absent without a camera. */
  readonly preview: HTMLVideoElement | undefined
  readonly counts: () => ListenCounts
  readonly stop: () => void
  /** Resolves when the camera and the microphone are off. */
  readonly ended: Promise<ListenCounts>
}

/** Milliseconds between two looks at the camera. */
const EVERY = 1_000

/**
 * Turns the camera and the microphone on, once the person allows it, and has the memory listen. A sign on the page says
 * so for as long as they are on, and turns them off.
 */
export async function capture(
  db: Agidb,
  wanted: Wanted,
  source: string,
  report: (error: unknown) => void,
): Promise<Capture> {
  const stream = await asked(wanted)
  const off = () => {
    for (const track of stream.getTracks()) track.stop()
  }
  let listening: Listening
  try {
    listening = await db.listen(stream, { every: EVERY, keep: 'original', source, session: source, onError: report })
  } catch (error) {
    off()
    throw error
  }
  const hide = showSign(wanted, () => void stop())
  // The light of the camera goes off at once; what was captured is still taken in.
  const stop = () => {
    const stopped = listening.stop()
    off()
    return stopped
  }
  const ended = listening.ended.finally(() => {
    off()
    hide()
  })
  return {
    preview: wanted.video ? previewOf(stream) : undefined,
    counts: () => listening.counts,
    stop: () => void stop(),
    ended,
  }
}

/** What was captured so far, in words. */
export function captured({ heard, seen, promoted, dropped, failed }: ListenCounts): string {
  const lost = dropped + failed === 0 ? '' : `, ${counted(dropped + failed, 'was', 'were')} lost`
  const found = `${counted(heard, 'sound', 'sounds')} and ${counted(seen, 'scene', 'scenes')} were perceived`
  return `${found}, ${counted(promoted, 'was', 'were')} remembered${lost}.`
}

async function asked(wanted: Wanted): Promise<MediaStream> {
  if (navigator.mediaDevices === undefined)
    throw new Error('Cameras and microphones are there on pages of https and localhost only.')
  try {
    return await navigator.mediaDevices.getUserMedia(wanted)
  } catch (error) {
    const name = error instanceof DOMException ? error.name : ''
    if (name === 'NotAllowedError') throw new Error(`The browser does not allow this page to use ${named(wanted)}.`)
    if (name === 'NotFoundError') throw new Error(`This device has not ${named(wanted)}.`)
    throw error
  }
}

function showSign(wanted: Wanted, stop: () => void): () => void {
  const sign = byId('capturing', HTMLElement)
  const button = element('button', { type: 'button', class: 'small' }, 'Turn off')
  button.addEventListener('click', stop)
  const said = `${named(wanted)} ${wanted.audio && wanted.video ? 'are' : 'is'} on`
  sign.replaceChildren(
    element('span', { class: 'light', 'aria-hidden': 'true' }),
    element('p', {}, `${said[0].toUpperCase()}${said.slice(1)}`),
    button,
  )
  sign.hidden = false
  return () => {
    sign.hidden = true
    sign.replaceChildren()
  }
}

function named({ audio, video }: Wanted): string {
  if (audio && video) return 'the camera and the microphone'
  return video ? 'the camera' : 'the microphone'
}

function previewOf(stream: MediaStream): HTMLVideoElement {
  const video = element('video', { class: 'preview', playsinline: '', 'aria-label': 'What the camera shows' })
  video.muted = true
  video.srcObject = stream
  void video.play().catch(() => {})
  return video
}
