import type { SoundChannels } from './encoder.js'

/** One channel: the mean of all. */
export function mixed(channels: readonly Float32Array[]): Float32Array {
  if (channels.length <= 1) return channels[0] ?? new Float32Array(0)
  const sum = new Float32Array(channels[0].length)
  for (const channel of channels) for (let i = 0; i < sum.length; i++) sum[i] += channel[i] / channels.length
  return sum
}

/** The same options or input, with samples in the place of an `AudioBuffer`, which cannot be sent to a worker. */
export function withPlainSound(given: unknown): unknown {
  const audio = (given as { readonly audio?: Partial<SoundChannels> } | null | undefined)?.audio
  if (typeof audio?.getChannelData !== 'function') return given
  const channels = Array.from({ length: audio.numberOfChannels! }, (_, i) => audio.getChannelData!(i))
  return { ...(given as object), audio: { samples: mixed(channels), sampleRate: audio.sampleRate } }
}
