import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AudioInput, Encoder, Samples } from '../../../../src/api/encoder.js'
import { readAudioHeader } from '../../../../src/models/audio/header.js'
import type { AudioEncoderOptions } from '../../../../src/models/audio/options.js'
import { wavHeader, wavSamples } from '../../../../src/models/audio/wav.js'
import { openMemory } from '../../engine/open.js'
import { cosine } from '../minilm.js'
import { speech, SPEECH } from './speech.js'

const read = (name: string) => new Uint8Array(readFileSync(new URL(`fixtures/${name}`, import.meta.url)))
const GOLDEN = JSON.parse(new TextDecoder().decode(read('golden.json'))) as { sound: string; latent: string }
const [WAV, FLAC, MP3, OGG, OPUS] = ['wav', 'flac', 'mp3', 'ogg', 'opus'].map((format) => read(`voice.${format}`))
const SAMPLES: Samples = { samples: wavSamples(WAV, wavHeader(WAV)!), sampleRate: 22_050 }

let encoder: Encoder<'audio'>

beforeAll(async () => {
  encoder = await speech()
})
afterAll(() => encoder.close())

const tone = (hertz: number, seconds = 1, sampleRate = 16_000): Samples => ({
  samples: Float32Array.from(
    { length: seconds * sampleRate },
    (_, i) => 0.3 * Math.sin((2 * Math.PI * hertz * i) / sampleRate),
  ),
  sampleRate,
})

/** Two seconds of a melody of seven notes with overtones, another one for each seed. */
const phrase = (seed: number): Samples => {
  const sampleRate = 16_000
  const notes = Array.from({ length: 7 }, (_, i) => 110 * 2 ** (((seed * 37 + i * i * 11 + seed * i * 7) % 41) / 12))
  let phase = 0
  const samples = Float32Array.from({ length: 2 * sampleRate }, (_, n) => {
    const [note, at] = [Math.floor((7 * n) / (2 * sampleRate)), ((7 * n) / (2 * sampleRate)) % 1]
    phase += (2 * Math.PI * notes[note]) / sampleRate
    const overtones = [1, 2, 3, 4, 5, 6].reduce((sum, k) => sum + Math.sin(k * phase) / k ** (0.5 + (seed % 4) / 2), 0)
    return 0.12 * overtones * (1 - at) + 0.003 * Math.sin(n * n)
  })
  return { samples, sampleRate }
}

/** The same bytes with others at a place. */
const patched = (bytes: Uint8Array, at: number, ...others: readonly number[]) => {
  const copy = bytes.slice()
  copy.set(others, at)
  return copy
}

describe('an audio encoder', () => {
  test('says what it is, and is another where sounds are prepared otherwise', async () => {
    expect(encoder).toMatchObject({ modality: 'audio', dimension: 192 })
    expect(encoder.id).toMatch(/^[0-9a-f]{64}$/)
    const other = await speech({ manifest: { ...SPEECH.manifest, pooling: 'max', centre: undefined } })
    expect(other).toMatchObject({ dimension: 96 })
    expect(other.id).not.toBe(encoder.id)
    await other.close()
  })

  test('agrees with SoX and ONNX Runtime for Python', async () => {
    const [own] = await encoder.encode([read(GOLDEN.sound)])
    const reference = new Float32Array(Uint8Array.from(Buffer.from(GOLDEN.latent, 'base64')).buffer)
    expect(cosine(own, reference)).toBeGreaterThan(0.999)
    expect(cosine(own, own)).toBeCloseTo(1, 5)
  })

  test('takes samples, an AudioBuffer, files and blobs', async () => {
    const { samples, sampleRate } = SAMPLES
    const buffer = { sampleRate, length: samples.length, numberOfChannels: 2, getChannelData: () => samples }
    const [plain, ...others] = await encoder.encode([SAMPLES, buffer, WAV, new Blob([WAV]), FLAC])
    for (const other of others) expect(cosine(other, plain)).toBeGreaterThan(0.9999)
    for (const lossy of await encoder.encode([MP3, OGG, OPUS])) expect(cosine(lossy, plain)).toBeGreaterThan(0.95)
  })

  test('takes faint noise for silence where the features have a range', async () => {
    const noisy = (decibels: number): Samples => {
      const { samples, sampleRate } = phrase(3)
      let state = 1
      const noise = () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647 - 0.5
      const gap = samples.map((value, i) => (i % 8_000 < 4_000 ? value : 0))
      return { samples: gap.map((value) => value + noise() * 10 ** (-decibels / 20)), sampleRate }
    }
    const { range, ...features } = SPEECH.manifest.features
    const open = await speech({ manifest: { ...SPEECH.manifest, features } })
    const likeness = async (audio: Encoder<'audio'>) => {
      const [quiet, noise] = await audio.encode([noisy(90), noisy(50)])
      return cosine(quiet, noise)
    }
    expect(await likeness(encoder)).toBeGreaterThan(0.95)
    expect(await likeness(open)).toBeLessThan(0.9)
    expect(open.id).not.toBe(encoder.id)
    await open.close()
  })

  test('hears the same at another rate, and something else in another tone', async () => {
    const [low, same, near, far] = await encoder.encode([tone(440), tone(440, 1, 44_100), tone(445), tone(2_000)])
    expect(cosine(low, same)).toBeGreaterThan(0.999)
    expect(cosine(low, near)).toBeGreaterThan(cosine(low, far) + 0.1)
  })

  test('takes a sound shorter than a window, and silence', async () => {
    const silence = { samples: new Float32Array(16_000), sampleRate: 16_000 }
    for (const latent of await encoder.encode([tone(440, 0.1), silence]))
      expect(cosine(latent, latent)).toBeCloseTo(1, 5)
  })
})

describe('refused is', () => {
  const float = (...numbers: readonly number[]) => ({ samples: Float32Array.from(numbers), sampleRate: 16_000 })
  test.each<[string, unknown, string]>([
    ['a WAV that is cut short', WAV.subarray(0, -20), 'AGIDB_MEDIA'],
    ['a FLAC that is cut short in its last frame', FLAC.subarray(0, -20), 'AGIDB_MEDIA'],
    ['a FLAC without its last half', FLAC.subarray(0, 20_000), 'AGIDB_MEDIA'],
    ['a FLAC that says it is longer than it is', patched(FLAC, 22, 0x7f), 'AGIDB_MEDIA'],
    ['an MP3 that is cut short', MP3.subarray(0, -20), 'AGIDB_MEDIA'],
    ['an Ogg Vorbis that is cut short', OGG.subarray(0, -20), 'AGIDB_MEDIA'],
    ['an Ogg Opus without its last page', OPUS.subarray(0, 3_000), 'AGIDB_MEDIA'],
    ['a WAV without samples', patched(WAV.subarray(0, 44), 40, 0, 0, 0, 0), 'AGIDB_MEDIA'],
    ['a WAV of compressed samples', patched(WAV, 20, 0x55), 'AGIDB_MEDIA'],
    ['a text', new TextEncoder().encode('no sound'), 'AGIDB_MEDIA'],
    ['nothing', new Uint8Array(0), 'AGIDB_MEDIA'],
    ['samples that are not finite', float(0, NaN), 'AGIDB_MEDIA'],
    ['samples without a rate', { samples: new Float32Array(9) }, 'AGIDB_MEDIA'],
    ['no samples', float(), 'AGIDB_MEDIA'],
    ['something else', { src: 'cat.mp3' }, 'AGIDB_MEDIA'],
    ['a file of more bytes than are read', new Uint8Array(2 ** 26 + 1), 'AGIDB_TOO_LARGE'],
    [
      'an AudioBuffer of more samples than are taken',
      { sampleRate: 48_000, numberOfChannels: 32, length: 2 ** 24, getChannelData: () => new Float32Array(2 ** 24) },
      'AGIDB_TOO_LARGE',
    ],
  ])('%s', async (_, input, code) => {
    await expect(encoder.encode([input as AudioInput])).rejects.toMatchObject({ code })
  })

  test('An MP3 of hours in a few bytes is refused before it is decoded.', () => {
    const frame = Uint8Array.from({ length: 24 }, (_, i) => [0xff, 0xf3, 0x14, 0xc4][i] ?? 0)
    const hours = new Uint8Array(24 * 70_000)
    for (let at = 0; at < hours.length; at += 24) hours.set(frame, at)
    expect(() => readAudioHeader(hours)).toThrow(expect.objectContaining({ code: 'AGIDB_TOO_LARGE' }))
  })

  test.each<[string, Partial<AudioEncoderOptions>, string]>([
    ['a model that is not there', { model: '/nowhere.onnx', sha256: {} }, 'AGIDB_ENCODER'],
    ['a front end that is another', { sha256: { frontEnd: '0'.repeat(64) } }, 'AGIDB_ENCODER'],
    ['bytes that are no model', { model: new Uint8Array(9), sha256: {} }, 'AGIDB_ENCODER'],
    ['a window that the model does not take', { manifest: { ...SPEECH.manifest, window: 16_000 } }, 'AGIDB_ENCODER'],
    [
      'a layout of samples beside a front end',
      { manifest: { ...SPEECH.manifest, layout: 'samples' } },
      'AGIDB_ENCODER',
    ],
    ['a manifest without a rate', { manifest: { window: 100 } as never }, 'AGIDB_INVALID_ARGUMENT'],
    ['a range of nothing', { manifest: { ...SPEECH.manifest, features: { range: 0 } } }, 'AGIDB_INVALID_ARGUMENT'],
    ['a name that is not known', { manifest: { ...SPEECH.manifest, mel: 1 } as never }, 'AGIDB_UNKNOWN_OPTION'],
  ])('%s', async (_, options, code) => {
    await expect(speech(options)).rejects.toMatchObject({ code })
  })
})

test('The kind, the rate and the length of a sound are read out of its file.', () => {
  const about = { channels: 1, sampleRate: 22_050 }
  expect(readAudioHeader(WAV)).toMatchObject({ ...about, type: 'audio/wav', length: 44_100 })
  expect(readAudioHeader(FLAC)).toEqual({ ...about, type: 'audio/flac', length: 44_100 })
  const [mp3, ogg, opus] = [MP3, OGG, OPUS].map(readAudioHeader)
  expect(mp3).toMatchObject({ ...about, type: 'audio/mpeg' })
  expect(ogg).toMatchObject({ ...about, type: 'audio/ogg' })
  expect(opus).toMatchObject({ channels: 1, sampleRate: 48_000, type: 'audio/ogg' })
  for (const { length, sampleRate } of [mp3, ogg, opus]) expect(length / sampleRate).toBeGreaterThanOrEqual(2)
  for (const { length, sampleRate } of [mp3, opus]) expect(length / sampleRate).toBeLessThan(2.2)
})

test('A memory finds sounds by other recordings of them, quieter and with noise.', async () => {
  const db = await openMemory({ encoders: { audio: encoder } })
  const count = 24
  for (let i = 0; i < count; i++) await db.observeMultimodal({ audio: phrase(i) }, { id: `s-${i}` })
  let right = 0
  for (let i = 0; i < count; i++) {
    const { samples, sampleRate } = phrase(i)
    const again = samples.map((value, n) => 0.5 * value + 0.004 * Math.sin(n * n))
    const { matches } = await db.recall(undefined, { audio: { samples: again, sampleRate }, k: 1 })
    if (matches[0].id === `s-${i}`) right++
  }
  expect(right / count).toBeGreaterThanOrEqual(0.85)
  await db.close()
}, 60_000)
