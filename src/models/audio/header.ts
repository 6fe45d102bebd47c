import { AgidbError } from '../../base/errors.js'
import type { AudioHeader } from './container.js'
import { flacHeader } from './flac.js'
import { mp3Header } from './mp3.js'
import { oggHeader } from './ogg.js'
import { wavHeader } from './wav.js'

/** Bytes of the file of a sound, at most. */
export const MAX_BYTES = 2 ** 26
/** Samples of a sound over all of its channels, at most: decoded they take four bytes each. */
export const MAX_SAMPLES = 2 ** 25

/**
 * Reads the kind, the rate and the length of a sound out of its file, and looks whether the file has its end, before
 * anything is decoded: it walks over the frames, since what a file says about itself need not be true.
 *
 * @throws AgidbError `AGIDB_MEDIA` for what is no WAV, FLAC, MP3 or Ogg, or is cut short; `AGIDB_TOO_LARGE`
 */
export function readAudioHeader(bytes: Uint8Array): AudioHeader {
  if (bytes.length > MAX_BYTES)
    throw new AgidbError('AGIDB_TOO_LARGE', `the sound has ${bytes.length} bytes; at most ${MAX_BYTES} are read`)
  const header = wavHeader(bytes) ?? flacHeader(bytes) ?? oggHeader(bytes) ?? mp3Header(bytes)
  if (header === undefined)
    throw new AgidbError('AGIDB_MEDIA', 'the sound is no WAV, FLAC, MP3 or Ogg', { bytes: bytes.length })
  checkLength(header)
  return header
}

/** @throws AgidbError `AGIDB_MEDIA` for a sound without samples or a rate, `AGIDB_TOO_LARGE` for one of too many. */
export function checkLength({ sampleRate, channels, length }: Omit<AudioHeader, 'type'>): void {
  if (!(sampleRate >= 1_000 && sampleRate <= 768_000 && channels >= 1 && channels <= 32 && length >= 1))
    throw new AgidbError(
      'AGIDB_MEDIA',
      `the sound has ${length} samples, ${channels} channels and ${sampleRate} samples a second`,
    )
  if (channels * length > MAX_SAMPLES)
    throw new AgidbError(
      'AGIDB_TOO_LARGE',
      `the sound has ${channels * length} samples; at most ${MAX_SAMPLES} are decoded`,
    )
}
