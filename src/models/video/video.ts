import type { ImageInput, Samples, SoundChannels, VideoElement } from '../../api/encoder.js'

/** One look at a video. */
export interface Look {
  /** Milliseconds from the beginning. */
  readonly at: number
  /** What is seen, as the few pixels that scenes are told apart by: see `SceneChange`. */
  small(): Promise<Uint8ClampedArray>
  /** The picture itself. Of a file it can be had until the next look. */
  picture(): Promise<ImageInput>
}

/** A video that is open. */
export interface Video {
  /** Milliseconds. Absent where only its end says it. */
  readonly lasts?: number
  /**
   * Looks at it in order.
   *
   * @param every milliseconds from one look to the next, at least
   * @param from where the first look is, in milliseconds, of a video whose length is known
   */
  looks(every: number, from?: number): AsyncGenerator<Look>
  /** What is heard; `undefined` for a video without sound. */
  sound(): Promise<Samples | SoundChannels | undefined>
  close(): void
}

/**
 * Opens a file or what an element shows.
 *
 * @param longest milliseconds that it may last
 * @throws AgidbError `AGIDB_MEDIA` for what cannot be read, `AGIDB_TOO_LARGE`, `AGIDB_UNSUPPORTED` without a decoder
 */
export type OpenFile = (file: Blob | VideoElement, longest: number) => Promise<Video>
