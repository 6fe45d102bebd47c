import type { ImageInput } from '../../api/encoder.js'
import { AgidbError } from '../../base/errors.js'
import { SceneChange } from './scene-change.js'
import type { Video } from './video.js'

/** What a video shows for a while. */
export interface Scene {
  /** The picture that began it. */
  readonly picture: ImageInput
  /** Milliseconds. */
  readonly lasts: number
}

/**
 * The scenes of a video, in order; the longest where there are more than are asked for.
 *
 * @param every milliseconds from one look at the video to the next
 * @param most scenes that count
 * @throws AgidbError `AGIDB_MEDIA` for a video without pictures
 */
export async function scenesOf(video: Video, every: number, most: number): Promise<Scene[]> {
  const change = new SceneChange()
  const scenes: Scene[] = []
  const lengthen = (by: number) => {
    const scene = scenes.pop()!
    scenes.push({ ...scene, lasts: scene.lasts + by })
  }
  let [count, first, last] = [0, 0, 0]
  for await (const look of video.looks(every)) {
    if (count++ === 0) first = look.at
    // What lies between two looks belongs to the earlier.
    else lengthen(look.at - last)
    last = look.at
    if (!change.isOther(await look.small())) continue
    if (scenes.length === most) scenes.splice(shortest(scenes), 1)
    scenes.push({ picture: await look.picture(), lasts: 0 })
  }
  if (count === 0) throw new AgidbError('AGIDB_MEDIA', 'the video has no pictures')
  // Without an end, the last look lasts as long as the others.
  const usual = count === 1 ? 1 : (last - first) / (count - 1)
  lengthen(video.lasts === undefined ? usual : Math.max(1, video.lasts - last))
  return scenes
}

/** The place of the shortest, the first of several. */
function shortest(scenes: readonly Scene[]): number {
  return scenes.reduce((best, { lasts }, i) => (lasts < scenes[best].lasts ? i : best), 0)
}

/**
 * Pictures of a video, as far apart from each other as can be; some of them twice where it has fewer.
 *
 * @throws AgidbError `AGIDB_MEDIA` for a video without pictures
 */
export async function clipOf(video: Video, count: number): Promise<ImageInput[]> {
  const step = video.lasts === undefined ? 0 : video.lasts / count
  let [kept, stride, seen]: [ImageInput[], number, number] = [[], 1, 0]
  for await (const look of video.looks(step, step / 2)) {
    if (seen++ % stride !== 0) continue
    kept.push(await look.picture())
    if (kept.length < 2 * count) continue
    // Every other one is enough: so many are held, however long the video is.
    kept = kept.filter((_, i) => i % 2 === 0)
    stride *= 2
  }
  if (kept.length === 0) throw new AgidbError('AGIDB_MEDIA', 'the video has no pictures')
  return Array.from({ length: count }, (_, i) => kept[Math.floor(((i + 0.5) * kept.length) / count)])
}
