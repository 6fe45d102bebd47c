import type { ImageInput, Pixels, VideoPicture } from '../../api/encoder.js'
import { AgidbError } from '../../base/errors.js'
import { type DecodeImage, pixelsOf } from '../image/host.js'
import { HEIGHT, WIDTH } from './scene-change.js'
import type { Look, Video } from './video.js'

/** Pictures of a video, at most. */
const MAX_PICTURES = 2 ** 16
/** Pixels of each side of a field that are looked at, for one pixel of the small picture. */
const GRID = 4

/**
 * A video that is given picture by picture. It has no sound.
 *
 * @param decode decodes files of pictures, to any size
 * @param longest milliseconds that it may last
 */
export function videoOfPictures(
  given: Iterable<VideoPicture> | AsyncIterable<VideoPicture>,
  longest: number,
  decode: DecodeImage,
): Video {
  return {
    looks: (every) => looksAt(given, every, longest, decode),
    sound: async () => undefined,
    close() {},
  }
}

async function* looksAt(
  given: Iterable<VideoPicture> | AsyncIterable<VideoPicture>,
  every: number,
  longest: number,
  decode: DecodeImage,
): AsyncGenerator<Look> {
  let count = 0
  let [first, before, last] = [0, -Infinity, -Infinity]
  for await (const { image, at } of checked(given)) {
    if (count++ === 0) first = at
    if (at <= before)
      throw media(`the pictures of the video are out of order: one at ${at} ms follows one at ${before} ms`)
    if (at - first > longest || count > MAX_PICTURES)
      throw new AgidbError(
        'AGIDB_TOO_LARGE',
        `the video has more than ${longest} ms, or more than ${MAX_PICTURES} pictures`,
        { longest },
      )
    before = at
    if (at < last + every) continue
    last = at
    yield { at, small: async () => sampled(await pixelsOf(image, decode)), picture: async () => image }
  }
}

async function* checked(given: Iterable<VideoPicture> | AsyncIterable<VideoPicture>): AsyncGenerator<VideoPicture> {
  for await (const picture of given) {
    const { image, at } = (picture ?? {}) as Partial<VideoPicture>
    if (image === undefined || typeof at !== 'number' || !Number.isFinite(at))
      throw media('a picture of a video must be { image, at }, with its time in milliseconds')
    yield { image: image as ImageInput, at }
  }
}

/** A picture made small: of each field of it, the mean of a few of its pixels. */
function sampled({ data, width, height }: Pixels): Uint8ClampedArray {
  const small = new Uint8ClampedArray(4 * WIDTH * HEIGHT)
  const place = (i: number, sides: number, length: number) => Math.floor(((i + 0.5) * length) / (sides * GRID))
  const columns = Array.from({ length: WIDTH * GRID }, (_, i) => place(i, WIDTH, width))
  const rows = Array.from({ length: HEIGHT * GRID }, (_, i) => place(i, HEIGHT, height))
  for (let at = 0; at < small.length; at += 4) {
    const [x, y] = [(at / 4) % WIDTH, Math.floor(at / 4 / WIDTH)]
    const sums = [0, 0, 0]
    for (const row of rows.slice(y * GRID, (y + 1) * GRID))
      for (const column of columns.slice(x * GRID, (x + 1) * GRID))
        for (let c = 0; c < 3; c++) sums[c] += data[4 * (row * width + column) + c]
    for (let c = 0; c < 3; c++) small[at + c] = sums[c] / GRID ** 2
    small[at + 3] = 255
  }
  return small
}

function media(message: string): AgidbError {
  return new AgidbError('AGIDB_MEDIA', message)
}
