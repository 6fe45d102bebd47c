import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Samples } from '../../../../src/api/encoder.js'
import type { DualAudioOptions } from '../../../../src/models/dual/options.js'

const file = (name: string) => new URL(`fixtures/${name}`, import.meta.url)
const RATE = 8_000
const WINDOW = 1_024

/** What ONNX Runtime for Python makes of texts and of sounds; latents are float32 in base64. */
export const GOLDEN_SOUNDS = JSON.parse(readFileSync(file('golden-sounds.json'), 'utf8')) as readonly {
  readonly words: string
  readonly int16: string
  readonly ofText: string
  readonly ofSound: string
}[]

/** Two small towers of words and sounds, in this thread. That of words takes 16 tokens and no fewer. */
export const SOUND_TOWERS: DualAudioOptions = {
  text: {
    model: fileURLToPath(file('words.onnx')),
    tokenizer: fileURLToPath(file('tokenizer.json')),
    output: 'pooler_output',
    padding: { length: 16, token: 3 },
    worker: false,
  },
  audio: {
    model: fileURLToPath(file('audio.onnx')),
    manifest: { sampleRate: RATE, window: WINDOW },
    worker: false,
  },
}

export function samplesOf(int16: string): Samples {
  const whole = new Int16Array(Uint8Array.from(Buffer.from(int16, 'base64')).buffer)
  return { samples: Float32Array.from(whole, (value) => value / 32_768), sampleRate: RATE }
}
