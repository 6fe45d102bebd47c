import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import decode from 'audio-decode'
import type { Samples } from '../../src/api/encoder.js'
import { resampled } from '../../src/models/audio/resample.js'
import { wavHeader, wavSamples } from '../../src/models/audio/wav.js'
import { seeded } from '../random.js'
import { packageFolder } from './package.js'

/** 206 recordings of instruments, rooms, loops and voices (CC0). */
const SAMPLES = 'supersonic-scsynth-samples@0.84.2'
/** Seconds of a sound that count. */
const MOST = 10
const VOICES = ['en-gb', 'en-us', 'en-gb+f2', 'en-us+m3', 'en-scottish']

export interface Sound extends Samples {
  readonly name: string
}

/** What becomes of a sound before it is looked for, by name. */
export type Change = (sound: Sound) => Samples

/** Recordings, and speech by `espeak-ng` where that is installed. */
export async function sounds(sentences: readonly string[]): Promise<Sound[]> {
  const folder = join(packageFolder(SAMPLES), 'samples')
  const made: Sound[] = []
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.flac'))) {
    const { channelData, sampleRate } = await decode(readFileSync(join(folder, file)))
    made.push({ name: file, samples: cut(channelData[0], sampleRate), sampleRate })
  }
  sentences.forEach((sentence, i) => {
    // Neither all sentences of a subject nor all of a predicate are said by one voice.
    const wav = spoken(sentence, VOICES[(i + Math.floor(i / 10)) % VOICES.length])
    if (wav === undefined) return
    const header = wavHeader(wav)!
    made.push({
      name: sentence,
      samples: cut(wavSamples(wav, header), header.sampleRate),
      sampleRate: header.sampleRate,
    })
  })
  return made
}

function spoken(sentence: string, voice: string): Uint8Array | undefined {
  try {
    const wav = execFileSync('espeak-ng', ['-v', voice, '--stdout', sentence], { maxBuffer: 2 ** 26, stdio: 'pipe' })
    // Written to a pipe, its lengths say that they are unknown.
    wav.writeUInt32LE(wav.length - 8, 4)
    wav.writeUInt32LE(wav.length - 44, 40)
    return wav
  } catch {
    return undefined
  }
}

function cut(samples: Float32Array, sampleRate: number): Float32Array {
  return samples.slice(0, MOST * sampleRate)
}

/** The changes after which a sound is to be found again. */
export const CHANGES: Readonly<Record<string, Change>> = {
  'half as loud': ({ samples, sampleRate }) => ({ samples: samples.map((value) => value / 2), sampleRate }),
  'noise, 20 dB under it': ({ name, samples, sampleRate }) => {
    const random = seeded(name.length)
    const power = samples.reduce((sum, value) => sum + value * value, 0) / samples.length
    const reach = Math.sqrt(3 * power) / 10
    return { samples: samples.map((value) => value + reach * (2 * random() - 1)), sampleRate }
  },
  'pitch and speed up 3 %': ({ samples, sampleRate }) => ({ samples, sampleRate: Math.round(sampleRate * 1.03) }),
  'first eighth missing': ({ samples, sampleRate }) => ({ samples: samples.slice(samples.length >> 3), sampleRate }),
  'telephone: 8,000 samples a second, 8 bits': ({ samples, sampleRate }) => ({
    samples: resampled(samples, sampleRate, 8_000).map(mulaw),
    sampleRate: 8_000,
  }),
}

/** A sample after it was coded with 8 bits (ITU-T G.711, mu-law), and decoded. */
function mulaw(value: number): number {
  const mu = 255
  const coded = Math.sign(value) * (Math.log1p(mu * Math.min(1, Math.abs(value))) / Math.log1p(mu))
  const rounded = Math.round(coded * 127) / 127
  return (Math.sign(rounded) * Math.expm1(Math.abs(rounded) * Math.log1p(mu))) / mu
}
