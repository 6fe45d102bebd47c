import { VOICE } from '../voice.js'
import { VoiceActivity, type Utterance } from './voice-activity.js'

/** What the audio thread has, of what is used here. */
declare const sampleRate: number
declare abstract class AudioWorkletProcessor {
  readonly port: MessagePort
}
declare function registerProcessor(
  name: string,
  processor: new (options: { readonly processorOptions: VoiceOptions }) => AudioWorkletProcessor,
): void

/** Options of the processor. */
interface VoiceOptions {
  /** Milliseconds of a sound, at most. */
  readonly longest: number
}

/** Finds the sounds on the audio thread, which no work of the page delays. A message asks for the end. */
class Voice extends AudioWorkletProcessor {
  readonly #activity: VoiceActivity
  #isOn = true

  constructor({ processorOptions: { longest } }: { readonly processorOptions: VoiceOptions }) {
    super()
    this.#activity = new VoiceActivity(sampleRate, longest)
    this.port.onmessage = () => {
      this.#isOn = false
      const last = this.#activity.end()
      if (last !== undefined) this.#post(last)
      this.port.postMessage(undefined)
    }
  }

  /** @returns whether it is to be called again */
  process([channels]: readonly (readonly Float32Array[])[]): boolean {
    if (!this.#isOn) return false
    for (const utterance of channels.length === 0 ? [] : this.#activity.push(mean(channels))) this.#post(utterance)
    return true
  }

  #post({ samples }: Utterance): void {
    this.port.postMessage(samples, [samples.buffer])
  }
}

function mean(channels: readonly Float32Array[]): Float32Array {
  if (channels.length === 1) return channels[0]
  return channels[0].map((_, i) => channels.reduce((sum, channel) => sum + channel[i], 0) / channels.length)
}

registerProcessor(VOICE, Voice)
