import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { packageFolder } from './package.js'

/** Drawings of things, animals and people (CC BY 4.0, the code MIT). */
const DRAWINGS = '@twemoji/svg@15.0.0'
const SIDE = 256
const WHITE = '#ffffff'

export interface Picture {
  readonly name: string
  readonly png: Uint8Array<ArrayBuffer>
}

/** What becomes of a picture before it is looked for, by name. */
export type Change = (picture: Picture) => Promise<Uint8Array<ArrayBuffer>>

/** Drawings out of a set of thousands, evenly chosen. */
export async function pictures(count: number): Promise<Picture[]> {
  const folder = packageFolder(DRAWINGS)
  const names = readdirSync(folder).filter((name) => /^1f[0-9a-f]{3}\.svg$/.test(name))
  const made: Picture[] = []
  for (let i = 0; i < Math.min(count, names.length); i++) {
    const name = names[Math.floor((i * names.length) / count)]
    const drawn = sharp(join(folder, name), { density: 300 }).resize(SIDE, SIDE).flatten({ background: WHITE })
    made.push({ name, png: new Uint8Array(await drawn.png().toBuffer()) })
  }
  return made
}

const changed = (change: (picture: sharp.Sharp) => sharp.Sharp): Change => {
  return async ({ png }) => new Uint8Array(await change(sharp(png)).toBuffer())
}

/** The changes after which a picture is to be found again. */
export const CHANGES: Readonly<Record<string, Change>> = {
  'JPEG, quality 40': changed((picture) => picture.jpeg({ quality: 40 })),
  'an eighth cut off each side': changed((picture) =>
    picture.extract({ left: SIDE / 8, top: SIDE / 8, width: (SIDE * 3) / 4, height: (SIDE * 3) / 4 }),
  ),
  'a quarter of the size': changed((picture) => picture.resize(SIDE / 4, SIDE / 4)),
  darker: changed((picture) => picture.modulate({ brightness: 0.7 })),
  'turned by 10°': changed((picture) => picture.rotate(10, { background: WHITE })),
}
