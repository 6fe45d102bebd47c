import type { AudioInput } from '../../api/encoder.js'
import { AgidbError } from '../../base/errors.js'
import { SerialQueue } from '../../base/serial-queue.js'
import type { Files } from '../files.js'
import { type SenseHost, senseHost } from '../senses/host.js'
import { senseEncoderId, type SenseLoading } from '../senses/options.js'
import { AudioModel } from './model.js'
import type { AudioPreparation } from './options.js'
import { resampled } from './resample.js'
import { type DecodeAudio, samplesOf } from './samples.js'

/** What the thread of an audio encoder exposes. */
export type AudioHost = SenseHost<AudioInput, SenseLoading<AudioPreparation>, DecodeAudio>

/** The model's side of the wire, or a model in this thread. */
export function audioHost(
  filesOf: (loading: Pick<SenseLoading<AudioPreparation>, 'cache'>) => Files,
  decodeHere?: DecodeAudio,
): AudioHost {
  return senseHost(
    filesOf,
    async ({ model: file, frontEnd }, { preparation, wasm }, decode = decodeHere ?? noDecoder) => {
      const model = await AudioModel.load(file.bytes, frontEnd?.bytes, preparation, wasm)
      const turns = new SerialQueue()
      return {
        id: senseEncoderId('audio', [file.hash, ...(frontEnd ? [frontEnd.hash] : [])], preparation),
        dimension: model.dimension,
        latent: (sound) =>
          turns.run(async () => {
            const { samples, sampleRate } = await samplesOf(sound, decode)
            return model.latent(resampled(samples, sampleRate, preparation.sampleRate))
          }),
        close: () => turns.run(() => model.release()),
      }
    },
  )
}

/** Refuses all files that a decoder is needed for. */
export const noDecoder: DecodeAudio = async (_, { type }) => {
  throw new AgidbError('AGIDB_UNSUPPORTED', `files of ${type} cannot be decoded here; give WAV or samples`, { type })
}
