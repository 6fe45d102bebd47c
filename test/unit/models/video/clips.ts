import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { VideoPicture } from '../../../../src/api/encoder.js'
import type { ClipVideoOptions } from '../../../../src/models/video/options.js'
import { GOLDEN as TOWERS, MANIFEST, pixelsOf } from '../dual/towers.js'

const file = (name: string) => new URL(`fixtures/${name}`, import.meta.url)

/** What ONNX Runtime for Python makes of clips and scenes, by the places of their pictures in those of the towers. */
export const GOLDEN = JSON.parse(readFileSync(file('golden.json'), 'utf8')) as {
  readonly clips: readonly { readonly pictures: number[]; readonly latent: string }[]
  readonly scenes: readonly { readonly scenes: [picture: number, lasts: number][]; readonly latent: string }[]
}

/** A small model that takes pictures × colours, in this thread. */
export const TOKENS: ClipVideoOptions = {
  model: fileURLToPath(file('tokens.onnx')),
  manifest: { ...MANIFEST, pictures: 4 },
  worker: false,
}

/** The same with colours × pictures, and one vector. */
export const VECTOR: ClipVideoOptions = {
  model: fileURLToPath(file('vector.onnx')),
  manifest: { ...MANIFEST, pictures: 4, layout: 'colours-pictures' },
  worker: false,
}

/** A picture of the towers by its place. */
export const picture = (place: number) => pixelsOf(TOWERS.pictures[place].rgb)

/** Pictures one after the other, each shown for so many milliseconds, four times a second. */
export function video(scenes: readonly (readonly [picture: number, lasts: number])[]): VideoPicture[] {
  const pictures: VideoPicture[] = []
  let from = 0
  for (const [place, lasts] of scenes) {
    for (let at = from; at < from + lasts; at += 250) pictures.push({ image: picture(place), at })
    from += lasts
  }
  return pictures
}
