const HEADER_BYTES = 44

/** Samples from -1 to 1 as a WAV file: one channel, 16 bits, little-endian (RIFF WAVE, Microsoft and IBM 1991). */
export function wavOf(samples: Float32Array, sampleRate: number): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + 2 * samples.length)
  const view = new DataView(bytes.buffer)
  const name = (at: number, four: string) => bytes.set(new TextEncoder().encode(four), at)
  name(0, 'RIFF')
  view.setUint32(4, bytes.length - 8, true)
  name(8, 'WAVE')
  name(12, 'fmt ')
  view.setUint32(16, 16, true) // bytes of the format
  view.setUint16(20, 1, true) // integers
  view.setUint16(22, 1, true) // channels
  view.setUint32(24, sampleRate, true)
  view.setUint32(28, 2 * sampleRate, true) // bytes a second
  view.setUint16(32, 2, true) // bytes of a sample of all channels
  view.setUint16(34, 16, true) // bits
  name(36, 'data')
  view.setUint32(40, 2 * samples.length, true)
  samples.forEach((sample, i) => {
    view.setInt16(HEADER_BYTES + 2 * i, Math.round(32_767 * Math.max(-1, Math.min(1, sample))), true)
  })
  return bytes
}
