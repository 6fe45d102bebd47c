import { AgidbError } from '../base/errors.js'
import type { Sense } from './encoder.js'
import type { Keep, ObservedFrame } from './sensory.js'

/** What of a `MediaStream` is used here. */
export interface CapturedStream {
  getTracks(): readonly { readonly kind: string; readonly readyState: string }[]
}

/** Options of `listen`. */
export interface ListenOptions {
  /** Milliseconds from one look at the camera to the next, 100 to 60,000. Default 1,000. */
  readonly every?: number
  /** Frames that wait for their encoder, 1 to 64. Where there are more, the oldest is dropped. Default 4. */
  readonly waiting?: number
  /** Milliseconds of sound in a frame, 1,000 to 30,000; what goes on longer becomes several frames. Default 10,000. */
  readonly longest?: number
  /** What is kept of the pictures and sounds with the episodes that they become. Default `none`. */
  readonly keep?: Keep
  /** Of the frames, and of the episodes that they become. */
  readonly speaker?: string
  readonly session?: string
  readonly source?: string
  /** Called for each frame that was taken in. */
  readonly onFrame?: (frame: ListenedFrame) => void
  /**
   * Called for each frame that was not taken in: with what `observeSensory` rejected with, or with `AGIDB_INTERNAL`
   * where the page could make no file of a sound or picture. The listening goes on, unless the memory takes no more
   * frames.
   */
  readonly onError?: (error: AgidbError) => void
  /** Ends the listening. */
  readonly signal?: AbortSignal
}

/** A frame that was taken in while listening. */
export interface ListenedFrame extends ObservedFrame {
  readonly sense: Sense
}

/** How many frames there were since the listening began: `heard + seen` became one of the others, or still waits. */
export interface ListenCounts {
  /** Sounds that stood out from the noise. */
  readonly heard: number
  /** Pictures of another scene than the one before. */
  readonly seen: number
  /** Frames in the sensory buffer. */
  readonly stored: number
  /** Of those, frames that became episodes. */
  readonly promoted: number
  /** Frames that came faster than they were encoded. */
  readonly dropped: number
  /** Frames that were refused: see `onError`. */
  readonly failed: number
}

/** A listening that goes on. */
export interface Listening {
  /** As of now. */
  readonly counts: ListenCounts
  /**
   * Resolves when it has ended: it was stopped, its `signal` fired, all tracks ended, or the memory was closed or takes
   * no more frames.
   */
  readonly ended: Promise<ListenCounts>
  /**
   * Ends the capture at once. Resolves when the frames that wait are taken in. The tracks of the stream stay as they
   * are: whoever asked for them stops them, which turns the light of the camera off.
   */
  stop(): Promise<ListenCounts>
}

/** Continuous capture. */
export interface ListenMethods {
  /**
   * Takes in what a camera and a microphone capture, as frames of `observeSensory`: sounds that stand out from the
   * noise, and pictures whenever the scene is another one. What surprises or bears on a goal becomes an episode, all
   * else is gone after a minute. Resolves when the capture has begun. It runs in the page, for as long as that is open.
   *
   * ```ts
   * const stream = await navigator.mediaDevices.getUserMedia({ audio: true, video: true })
   * const listening = await db.listen(stream, { every: 1_000, keep: 'thumbnail' })
   * const { heard, seen, promoted } = await listening.stop()
   * ```
   *
   * @param stream a `MediaStream` with a live track at least; the memory has an encoder for each kind of its tracks
   * @throws AgidbError `AGIDB_UNSUPPORTED` outside of a page; `AGIDB_INVALID_ARGUMENT` for what is no such stream, a
   * kind of track without an encoder, and options out of their range; `AGIDB_UNKNOWN_OPTION`; `AGIDB_READ_ONLY`;
   * `AGIDB_ABORTED` where `signal` fired before; `AGIDB_CLOSED`
   */
  listen(stream: CapturedStream, options?: ListenOptions): Promise<Listening>
}

/** `listen` where there is no page. */
export async function cannotListen(): Promise<never> {
  throw new AgidbError(
    'AGIDB_UNSUPPORTED',
    'listen takes a MediaStream, which only a page has; elsewhere give pictures and sounds to observeSensory',
  )
}
