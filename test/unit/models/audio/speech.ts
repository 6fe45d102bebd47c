import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Encoder } from '../../../../src/api/encoder.js'
import type { AudioEncoderOptions } from '../../../../src/models/audio/options.js'
import { audioEncoder } from '../../../../src/models/node.js'

const fileOf = (name: string) =>
  fileURLToPath(new URL(`../../../../node_modules/.cache/agidb-models/${name}.onnx`, import.meta.url))

const CENTRE = JSON.parse(readFileSync(new URL('fixtures/centre.json', import.meta.url), 'utf8')) as number[]

/** Google's speech embedding, 96 numbers for each 0.78 s, and how sounds are prepared for it. */
export const SPEECH = {
  model: fileOf('sound-embedding'),
  frontEnd: fileOf('sound-mel'),
  sha256: {
    model: '70d164290c1d095d1d4ee149bc5e00543250a7316b59f31d056cff7bd3075c1f',
    frontEnd: 'ba2b0e0f8b7b875369a2c89cb13360ff53bac436f2895cced9f479fa65eb176f',
  },
  manifest: {
    sampleRate: 16_000,
    window: 12_512,
    scale: 'int16',
    peak: 0.5,
    features: { multiply: 0.1, add: 2, range: 4 },
    layout: 'frames-bands-1',
    pooling: 'mean-max',
    centre: CENTRE,
  },
} satisfies AudioEncoderOptions

for (const file of [SPEECH.model, SPEECH.frontEnd])
  if (!existsSync(file)) throw new Error(`${file} is not there; fetch it with tools/setup.sh`)

/** The encoder in this thread. */
export function speech(options: Partial<AudioEncoderOptions> = {}): Promise<Encoder<'audio'>> {
  return audioEncoder({ ...SPEECH, worker: false, ...options })
}
