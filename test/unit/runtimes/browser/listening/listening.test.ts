import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Agidb } from '../../../../../src/api/agidb.js'
import type { Encoder } from '../../../../../src/api/encoder.js'
import type { ListenOptions } from '../../../../../src/api/listen.js'
import type { NewSensoryFrame } from '../../../../../src/api/sensory.js'
import { listen } from '../../../../../src/runtimes/browser/listening/listening.js'

/** What a page has of sounds and pictures, as far as it is used. */
const page = {
  /** Hands a sound to the listening, as the audio thread does. */
  sound: (_samples?: Float32Array) => {},
  openContexts: 0,
  /** Scenes that the camera showed. */
  scenes: 0,
  /** Errors of the next sounds and pictures; those after them are made. */
  failures: [] as Error[],
}

/** A track of a microphone or a camera. */
const track = (kind: 'audio' | 'video') => ({ kind, readyState: 'live' })

async function failNext<T>(made: T): Promise<T> {
  const failure = page.failures.shift()
  if (failure !== undefined) throw failure
  return made
}

class FakeStream {
  constructor(readonly tracks: readonly { readonly kind: string; readonly readyState: string }[]) {}
  getTracks = () => this.tracks
  getAudioTracks = () => this.tracks.filter(({ kind }) => kind === 'audio')
  getVideoTracks = () => this.tracks.filter(({ kind }) => kind === 'video')
}

const node = () => ({ connect() {}, disconnect() {}, start() {} })

beforeEach(() => {
  Object.assign(page, { openContexts: 0, scenes: 0, failures: [] })
  vi.stubGlobal('MediaStream', FakeStream)
  vi.stubGlobal(
    'AudioContext',
    class {
      readonly sampleRate = 48_000
      readonly audioWorklet = { addModule: async () => {} }
      readonly createMediaStreamSource = node
      constructor() {
        page.openContexts++
      }
      async resume() {}
      async close() {
        page.openContexts--
      }
    },
  )
  vi.stubGlobal(
    'AudioWorkletNode',
    class {
      readonly port = {
        onmessage: (_event: { readonly data: Float32Array | undefined }) => {},
        postMessage: () => page.sound(),
      }
      constructor() {
        page.sound = (data) => this.port.onmessage({ data })
      }
    },
  )
  vi.stubGlobal(
    'AudioBuffer',
    class {
      copyToChannel() {}
    },
  )
  vi.stubGlobal(
    'AudioBufferSourceNode',
    class {
      connect() {}
      start() {}
    },
  )
  vi.stubGlobal(
    'OfflineAudioContext',
    class {
      startRendering = () => failNext({ getChannelData: () => new Float32Array(16) })
    },
  )
  vi.stubGlobal('HTMLMediaElement', { HAVE_CURRENT_DATA: 2 })
  const createElement = () => ({
    readyState: 2,
    videoWidth: 64,
    videoHeight: 48,
    play: async () => {},
    addEventListener: (_: string, loaded: () => void) => setTimeout(loaded),
  })
  vi.stubGlobal('document', { createElement })
  vi.stubGlobal(
    'OffscreenCanvas',
    class {
      getContext = () => ({
        drawImage() {},
        // Black and white in turn: another scene each time.
        getImageData: () => ({ data: new Uint8ClampedArray(32 * 24 * 4).fill(255 * (page.scenes++ % 2)) }),
      })
      convertToBlob = () => failNext(new Blob(['a picture']))
    },
  )
})

afterEach(() => vi.unstubAllGlobals())

/** A listening to a stream of one track, and what it does. */
async function listening(kind: 'audio' | 'video', options: ListenOptions = {}) {
  const frames: NewSensoryFrame[] = []
  const errors: string[] = []
  const db = {
    stats: async () => ({}),
    observeSensory: async (frame: NewSensoryFrame) => (frames.push(frame), {}),
  } as unknown as Agidb
  const encoders = { audio: {} as Encoder<'audio'>, image: {} as Encoder<'image'> }
  const given = { every: 100, onError: (error: Error) => errors.push(error.message), ...options }
  const closing = new AbortController()
  const ears = await listen({ encoders }, db, new FakeStream([track(kind)]), given, closing.signal)
  return { ears, frames, errors }
}

test('a sound of which no file can be made is a frame that failed, and the next sounds are heard', async () => {
  const { ears, frames, errors } = await listening('audio')
  page.failures = [new Error('no memory for samples')]
  for (let i = 0; i < 3; i++) page.sound(new Float32Array(48))
  const counts = await ears.stop()
  expect(counts).toMatchObject({ heard: 3, stored: 2, failed: 1 })
  expect(frames).toHaveLength(2)
  expect(errors).toEqual(['a frame was not taken in: Error: no memory for samples'])
  expect(await ears.ended).toBe(counts)
  expect(page.openContexts).toBe(0)
})

test('a picture of which no file can be made is a frame that failed, and the next pictures are seen', async () => {
  page.failures = [new Error('no memory for pixels')]
  const { ears, frames, errors } = await listening('video')
  await vi.waitFor(() => expect(frames.length).toBeGreaterThan(0))
  const { seen, failed, stored } = await ears.stop()
  expect([seen, failed]).toEqual([stored + 1, 1])
  expect(errors).toEqual(['a frame was not taken in: Error: no memory for pixels'])
})
