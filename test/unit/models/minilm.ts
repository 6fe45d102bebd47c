import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** all-MiniLM-L6-v2 with weights of 8 bits. */
export const MODEL = here('../../../node_modules/.cache/agidb-models/minilm-int8.onnx')
export const TOKENIZER = here('fixtures/tokenizer.json')
export const SHA256 = {
  model: '8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6',
  tokenizer: 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037',
}
export const FILES = { model: MODEL, tokenizer: TOKENIZER, sha256: SHA256 }

if (!existsSync(MODEL)) throw new Error(`${MODEL} is not there; fetch it with tools/setup.sh`)

/** What the reference makes of a text. */
export interface Golden {
  readonly text: string
  readonly latent: Float32Array
}

export const GOLDEN = (
  JSON.parse(readFileSync(here('fixtures/golden.json'), 'utf8')) as { text: string; latent: string }[]
).map(
  ({ text, latent }): Golden => ({
    text,
    latent: new Float32Array(Uint8Array.from(Buffer.from(latent, 'base64')).buffer),
  }),
)

/** The cosine of two vectors of unit length. */
export function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0)
}
