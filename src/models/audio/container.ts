import { AgidbError } from '../../base/errors.js'

/** What the structure of a sound's file says. */
export interface AudioHeader {
  readonly type: 'audio/wav' | 'audio/flac' | 'audio/mpeg' | 'audio/ogg'
  readonly sampleRate: number
  readonly channels: number
  /** Samples of each channel: as many as a decoder gives, or more. */
  readonly length: number
}

/** That a file ends too early or is not as its format says. */
export function damaged(format: string): AgidbError {
  return new AgidbError('AGIDB_MEDIA', `the sound is a ${format} that is cut short or damaged`, { format })
}

/** Whether the bytes from `at` on are these characters of ASCII. */
export function says(bytes: Uint8Array, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false
  return true
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
