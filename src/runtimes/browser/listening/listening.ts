import type { Agidb } from '../../../api/agidb.js'
import {
  checkChoice,
  checkKeys,
  checkName,
  checkSignal,
  checkWhole,
  DEFAULT_LIMITS,
  invalid,
} from '../../../api/check.js'
import type { Encoders, Sense } from '../../../api/encoder.js'
import type { CapturedStream, ListenCounts, Listening, ListenOptions } from '../../../api/listen.js'
import { cannotListen } from '../../../api/listen.js'
import type { OpenOptions } from '../../../api/open-options.js'
import { refusedToWrite } from '../../../api/registry.js'
import type { NewSensoryFrame } from '../../../api/sensory.js'
import { AgidbError, type ErrorCode } from '../../../base/errors.js'
import { type Capture, hear } from './hearing.js'
import { see } from './seeing.js'
import { Waiting } from './waiting.js'

/** Milliseconds between two looks at whether the tracks have ended: `stop` of a track fires no event. */
const TRACKS_MS = 500

/** With these no later frame is taken in either. */
const FINAL: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'AGIDB_CLOSED',
  'AGIDB_READ_ONLY',
  'AGIDB_DELETED',
  'AGIDB_WORKER',
])

const NAMES = ['speaker', 'session', 'source'] as const
const CALLBACKS = ['onFrame', 'onError'] as const

/** The options with their defaults. */
type Checked = ListenOptions & Required<Pick<ListenOptions, 'every' | 'waiting' | 'longest'>>

/** A frame that waits. */
interface Captured {
  readonly sense: Sense
  readonly frame: NewSensoryFrame
}

/**
 * Begins to listen; see `ListenMethods.listen`.
 *
 * @param opened what the memory was opened with
 * @param closing fires when the memory is closed
 */
export async function listen(
  opened: Pick<OpenOptions, 'encoders' | 'readOnly'>,
  db: Agidb,
  stream: CapturedStream,
  options: ListenOptions | undefined,
  closing: AbortSignal,
): Promise<Listening> {
  if (typeof MediaStream === 'undefined' || typeof document === 'undefined') return cannotListen()
  const checked = checkedOptions(options)
  checkStream(stream, opened.encoders)
  checkSignal(checked.signal)
  if (opened.readOnly === true) throw refusedToWrite('listen')
  await db.stats() // which a memory that is closed refuses
  const ears = new Ears(db, stream, checked)
  try {
    await ears.begin(closing)
  } catch (error) {
    await ears.stop() // what captures already
    throw error
  }
  return ears
}

function checkedOptions(options: ListenOptions = {}): Checked {
  checkKeys('listen', options, ['every', 'waiting', 'longest', 'keep', 'signal', ...NAMES, ...CALLBACKS])
  const { every = 1_000, waiting = 4, longest = 10_000, keep } = options
  checkWhole('every', every, 100, 60_000)
  checkWhole('waiting', waiting, 1, 64)
  checkWhole('longest', longest, 1_000, 30_000)
  if (keep !== undefined) checkChoice('keep', keep, ['none', 'thumbnail', 'original'])
  for (const name of NAMES) checkName(name, options[name], DEFAULT_LIMITS)
  for (const name of CALLBACKS)
    if (options[name] !== undefined && typeof options[name] !== 'function')
      throw invalid(`${name} must be a function`, { option: name })
  return { ...options, every, waiting, longest }
}

function checkStream(stream: unknown, encoders: Encoders = {}): asserts stream is MediaStream {
  if (!(stream instanceof MediaStream))
    throw invalid('stream must be a MediaStream, such as navigator.mediaDevices.getUserMedia resolves to: await it', {
      what: 'stream',
    })
  const live = liveTracks(stream)
  if (live.length === 0) {
    const has = stream.getTracks().length === 0 ? 'has no tracks' : 'has ended: all of its tracks are stopped'
    throw invalid(`the stream ${has}; ask for another by getUserMedia`, { what: 'stream' })
  }
  for (const sense of new Set(live.map(senseOf)))
    if (encoders[sense] === undefined)
      throw invalid(
        `the stream has ${sense === 'audio' ? 'sound' : 'pictures'}, and the memory no encoder for ${sense}: ` +
          `open it with encoders: { ${sense}: … }, or give a stream without them`,
        { option: `encoders.${sense}` },
      )
}

const liveTracks = (stream: MediaStream) => stream.getTracks().filter(({ readyState }) => readyState === 'live')
const senseOf = ({ kind }: Pick<MediaStreamTrack, 'kind'>): Sense => (kind === 'audio' ? 'audio' : 'image')

/** One listening. */
class Ears implements Listening {
  readonly ended: Promise<ListenCounts>
  readonly #db: Agidb
  readonly #stream: MediaStream
  readonly #options: Checked
  readonly #waiting: Waiting<Captured>
  readonly #captures: Capture[] = []
  #counts: ListenCounts = { heard: 0, seen: 0, stored: 0, promoted: 0, dropped: 0, failed: 0 }
  #stopping: Promise<ListenCounts> | undefined
  #tellEnded: (counts: ListenCounts) => void = () => {}

  constructor(db: Agidb, stream: MediaStream, options: Checked) {
    this.#db = db
    this.#stream = stream
    this.#options = options
    this.#waiting = new Waiting(
      options.waiting,
      (captured) => this.#take(captured),
      () => this.#count('dropped'),
    )
    this.ended = new Promise((resolve) => (this.#tellEnded = resolve))
  }

  get counts(): ListenCounts {
    return this.#counts
  }

  async begin(closing: AbortSignal): Promise<void> {
    const { every, longest, signal } = this.#options
    const kinds = new Set(liveTracks(this.#stream).map(senseOf))
    const of = (tracks: MediaStreamTrack[]) => new MediaStream(tracks)
    if (kinds.has('audio'))
      this.#captures.push(
        await hear(
          of(this.#stream.getAudioTracks()),
          longest,
          ({ audio, at }) => this.#captured({ modality: 'audio', audio, at }),
          (cause) => this.#lost('heard', cause),
        ),
      )
    if (kinds.has('image'))
      this.#captures.push(
        await see(
          of(this.#stream.getVideoTracks()),
          every,
          ({ image, at }) => this.#captured({ modality: 'image', image, at }),
          (cause) => this.#lost('seen', cause),
        ),
      )
    const watch = setInterval(() => liveTracks(this.#stream).length === 0 && void this.stop(), TRACKS_MS)
    const stop = () => void this.stop()
    const drop = () => void this.#end()
    signal?.addEventListener('abort', stop)
    closing.addEventListener('abort', drop)
    void this.ended.then(() => {
      clearInterval(watch)
      signal?.removeEventListener('abort', stop)
      closing.removeEventListener('abort', drop)
    })
    // Either may have fired while the capture began.
    if (closing.aborted) drop()
    else if (signal?.aborted === true) stop()
  }

  stop(): Promise<ListenCounts> {
    this.#stopping ??= (async () => {
      await Promise.all(this.#captures.map((capture) => capture.stop()))
      await this.#waiting.idle()
      this.#tellEnded(this.#counts)
      return this.#counts
    })()
    return this.#stopping
  }

  /** Ends where no more frames are taken in. */
  #end(): Promise<ListenCounts> {
    this.#waiting.clear()
    return this.stop()
  }

  #captured(
    frame: { readonly at: number } & (
      | { readonly modality: 'image'; readonly image: Blob }
      | { readonly modality: 'audio'; readonly audio: Uint8Array }
    ),
  ): void {
    const { keep, speaker, session, source } = this.#options
    this.#count(frame.modality === 'audio' ? 'heard' : 'seen')
    this.#waiting.add({
      sense: frame.modality,
      frame: {
        ...frame,
        ...(keep !== undefined && { keep }),
        ...(speaker !== undefined && { speaker }),
        ...(session !== undefined && { session }),
        ...(source !== undefined && { source }),
      },
    })
  }

  async #take({ sense, frame }: Captured): Promise<void> {
    try {
      const observed = await this.#db.observeSensory(frame)
      this.#count('stored')
      if (observed.promotedTo !== undefined) this.#count('promoted')
      tell(() => this.#options.onFrame?.({ sense, ...observed }))
    } catch (cause) {
      this.#failed(cause)
    }
  }

  /** A sound or a picture of which no frame could be made. */
  #lost(what: 'heard' | 'seen', cause: unknown): void {
    this.#count(what)
    this.#failed(cause)
  }

  #failed(cause: unknown): void {
    const error =
      cause instanceof AgidbError
        ? cause
        : new AgidbError('AGIDB_INTERNAL', `a frame was not taken in: ${String(cause)}`, {}, { cause })
    this.#count('failed')
    tell(() => this.#options.onError?.(error))
    if (FINAL.has(error.code)) void this.#end()
  }

  #count(what: keyof ListenCounts): void {
    this.#counts = { ...this.#counts, [what]: this.#counts[what] + 1 }
  }
}

/** Calls what the caller gave; what it throws is an unhandled rejection, and changes nothing else. */
function tell(call: () => void): void {
  void Promise.resolve().then(call)
}
