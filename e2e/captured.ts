import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { wavOf } from '../src/runtimes/browser/listening/wav.js'

const RATE = 48_000
const [WIDTH, HEIGHT, FRAMES_A_SECOND] = [320, 240, 10]

/**
 * Three sounds of most of a second, each of other tones, with pauses of hiss between them: 6 seconds for the fake
 * microphone of Chromium.
 */
export function threeSounds(): Uint8Array {
  const samples = new Float32Array(6 * RATE)
  let noise = 1
  for (let i = 0; i < samples.length; i++) {
    noise = (Math.imul(noise, 1_664_525) + 1_013_904_223) | 0
    const time = i / RATE
    const [which, within] = [Math.floor(time / 2), time % 2]
    const base = 180 * 1.7 ** which
    const tones = [1, 2, 3.5].reduce((sum, part) => sum + Math.sin(2 * Math.PI * base * part * time) / part, 0)
    // Syllables: four swells.
    const swell = within > 0.8 && within < 1.6 ? Math.sin((Math.PI * (within - 0.8)) / 0.2) ** 2 : 0
    samples[i] = 0.2 * swell * tones + noise / 2 ** 31 / 500
  }
  return wavOf(samples, RATE)
}

/** Three scenes of two seconds, in the format of raw pictures (YUV4MPEG2) for the fake camera of Chromium. */
export function threeScenes(): Buffer {
  const parts: Buffer[] = [Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F${FRAMES_A_SECOND}:1 Ip A1:1 C420jpeg\n`)]
  const quarter = (WIDTH * HEIGHT) / 4
  for (let frame = 0; frame < 6 * FRAMES_A_SECOND; frame++) {
    const scene = Math.floor(frame / (2 * FRAMES_A_SECOND))
    const luma = Buffer.alloc(WIDTH * HEIGHT)
    for (let y = 0; y < HEIGHT; y++)
      for (let x = 0; x < WIDTH; x++) {
        const bright = [x < WIDTH / 2, y < HEIGHT / 2, (x >> 5) % 2 === (y >> 5) % 2][scene]
        luma[y * WIDTH + x] = (bright ? 200 : 40) + ((x * 7 + y * 13 + frame * 5) % 9)
      }
    const [u, v] = [
      [90, 170],
      [170, 90],
      [128, 128],
    ][scene]
    parts.push(Buffer.from('FRAME\n'), luma, Buffer.alloc(quarter, u), Buffer.alloc(quarter, v))
  }
  return Buffer.concat(parts)
}

/** Arguments with which Chromium has a camera and a microphone of these files, which go on from the start again. */
export async function devices(folder: string): Promise<string[]> {
  const [sounds, scenes] = [join(folder, 'sounds.wav'), join(folder, 'scenes.y4m')]
  await writeFile(sounds, threeSounds())
  await writeFile(scenes, threeScenes())
  return [
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-audio-capture=${sounds}`,
    `--use-file-for-fake-video-capture=${scenes}`,
  ]
}
