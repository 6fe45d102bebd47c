import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Pixels } from '../../../../src/api/encoder.js'
import type { DualImageOptions } from '../../../../src/models/dual/options.js'

const file = (name: string) => new URL(`fixtures/${name}`, import.meta.url)
const SIZE = 48

/** What `tokenizers` and ONNX Runtime for Python make of texts and of drawn shapes; latents are float32 in base64. */
export const GOLDEN = JSON.parse(readFileSync(file('golden.json'), 'utf8')) as {
  readonly texts: readonly { readonly text: string; readonly ids: number[]; readonly latent: string }[]
  readonly pictures: readonly { readonly words: string; readonly rgb: string; readonly latent: string }[]
}

/** How pictures are prepared for the tower. */
export const MANIFEST = {
  size: SIZE,
  mean: [0.48145466, 0.4578275, 0.40821073],
  std: [0.26862954, 0.26130258, 0.27577711],
} as const

/** Two small towers of shapes and colours, in this thread. */
export const TOWERS: DualImageOptions = {
  text: {
    model: fileURLToPath(file('text.onnx')),
    tokenizer: fileURLToPath(file('tokenizer.json')),
    output: 'text_embeds',
    worker: false,
  },
  image: { model: fileURLToPath(file('image.onnx')), manifest: MANIFEST, worker: false },
}

export function latentOf(base64: string): Float32Array {
  return new Float32Array(Uint8Array.from(Buffer.from(base64, 'base64')).buffer)
}

export function pixelsOf(rgb: string): Pixels {
  const bytes = Buffer.from(rgb, 'base64')
  const data = Uint8ClampedArray.from({ length: 4 * SIZE * SIZE }, (_, i) =>
    i % 4 === 3 ? 255 : bytes[3 * (i >> 2) + (i % 4)],
  )
  return { data, width: SIZE, height: SIZE }
}
