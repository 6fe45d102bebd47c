import { AgidbError } from '../../../base/errors.js'
import { VOICE, voiceUrl } from '../voice.js'
import { wavOf } from './wav.js'

/** Samples a second of the files: speech has little above 8 kHz, and models take no more. */
const RATE = 16_000
/** Milliseconds that the audio thread may take to say what is under way. */
const END_MS = 500

/** Something that captures until it is stopped. */
export interface Capture {
  /** Resolves when what was under way is handed over. */
  stop(): Promise<void>
}

/** A sound as a WAV file, and when it began, in epoch milliseconds. */
export interface Heard {
  readonly audio: Uint8Array
  readonly at: number
}

/**
 * Hands over the sounds of a stream that stand out from the noise.
 *
 * @param failed told of each sound of which no file could be made, with why
 * @throws AgidbError `AGIDB_UNSUPPORTED` where the page has no `AudioWorklet`, or may not load the processor
 */
export async function hear(
  stream: MediaStream,
  longest: number,
  heard: (sound: Heard) => void,
  failed: (cause: unknown) => void,
): Promise<Capture> {
  if (typeof AudioWorkletNode === 'undefined')
    throw new AgidbError(
      'AGIDB_UNSUPPORTED',
      'listen needs an AudioWorklet, which only pages of https and localhost have',
    )
  const context = new AudioContext()
  try {
    await context.audioWorklet.addModule(voiceUrl())
  } catch (cause) {
    await context.close()
    const reason = cause instanceof Error ? cause.message : String(cause)
    const message = `the audio processor of listen could not be loaded: ${reason}`
    throw new AgidbError('AGIDB_UNSUPPORTED', message, {}, { cause })
  }
  const source = context.createMediaStreamSource(stream)
  const node = new AudioWorkletNode(context, VOICE, { numberOfOutputs: 0, processorOptions: { longest } })
  let work = Promise.resolve()
  let ended = () => {}
  const end = new Promise<void>((resolve) => (ended = resolve))
  node.port.onmessage = ({ data }: MessageEvent<Float32Array<ArrayBuffer> | undefined>) => {
    if (data === undefined) return ended()
    const at = Date.now() - (1_000 * data.length) / context.sampleRate
    work = work
      .then(async () => heard({ audio: wavOf(await resampled(data, context.sampleRate), RATE), at }))
      .catch(failed)
  }
  source.connect(node)
  void context.resume() // which waits for a gesture where the page had none
  return {
    async stop() {
      source.disconnect()
      node.port.postMessage('end')
      await Promise.race([end, new Promise((resolve) => setTimeout(resolve, END_MS))])
      await work
      await context.close()
    },
  }
}

async function resampled(samples: Float32Array<ArrayBuffer>, sampleRate: number): Promise<Float32Array> {
  if (sampleRate === RATE) return samples
  const context = new OfflineAudioContext(1, Math.ceil((samples.length * RATE) / sampleRate), RATE)
  const buffer = new AudioBuffer({ length: samples.length, sampleRate })
  buffer.copyToChannel(samples, 0)
  const source = new AudioBufferSourceNode(context, { buffer })
  source.connect(context.destination)
  source.start()
  return (await context.startRendering()).getChannelData(0)
}
