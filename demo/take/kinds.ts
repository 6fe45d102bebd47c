import type { Sense } from '../../src/runtimes/browser/index.js'

const ENDINGS: readonly (readonly [Sense, RegExp])[] = [
  ['image', /\.(?:png|jpe?g|webp|gif)$/i],
  ['audio', /\.(?:wav|mp3|flac|ogg|oga|opus)$/i],
]

/** What a file is perceived by; `undefined` for chats and documents. */
export function senseOf({ name, type }: File): Sense | undefined {
  return ENDINGS.find(([sense, ending]) => ending.test(name) || type.startsWith(`${sense}/`))?.[0]
}

/** Whether a file is a picture or a sound. */
export const isMedium = (file: File): boolean => senseOf(file) !== undefined
