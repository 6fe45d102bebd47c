import type { AudioInput } from '../../api/encoder.js'
import { AgidbError } from '../../base/errors.js'
import { SerialQueue } from '../../base/serial-queue.js'
import { resampled } from '../audio/resample.js'
import { type DecodeAudio, samplesOf } from '../audio/samples.js'
import { senseEncoderId } from '../senses/options.js'
import { meanOf, unit } from '../senses/session.js'
import { type FolderEncoder, OFFLINE, partOf } from './encoder.js'
import type { ModelFolder, Transformers } from './folder.js'
import { type Feeds, FolderModel } from './model.js'
import type { FolderLoading } from './options.js'

/** Seconds that a model hears at once where its feature extractor does not say. */
const DEFAULT_SECONDS = 10

/** Loads an encoder of sounds. */
export async function loadSounds(
  transformers: Transformers,
  folder: ModelFolder,
  loading: FolderLoading,
  decode: DecodeAudio,
): Promise<FolderEncoder<AudioInput>> {
  const what = 'feature extractor (preprocessor_config.json)'
  const extractor = await partOf(loading.folder, what, () =>
    transformers.AutoFeatureExtractor.from_pretrained(folder.path, OFFLINE),
  )
  const config = extractor.config as ExtractorConfig
  const { sampling_rate: rate } = config
  if (!(typeof rate === 'number' && rate > 0)) {
    const message = `the ${what} in the folder ${loading.folder} has no sampling_rate`
    throw new AgidbError('AGIDB_ENCODER', message, { folder: loading.folder })
  }
  const window = loading.window ?? config.nb_max_samples ?? config.n_samples ?? DEFAULT_SECONDS * rate
  const feeds = async (samples: Float32Array) => (await extractor(samples)) as Feeds
  const tone = Float32Array.from({ length: window }, (_, i) => 0.1 * Math.sin((2_000 * i) / rate))
  const model = await FolderModel.load(transformers, folder, loading, await feeds(tone))
  const turns = new SerialQueue()
  const latent = (sound: AudioInput) =>
    turns.run(async () => {
      const given = await samplesOf(sound, decode)
      const samples = resampled(given.samples, given.sampleRate, rate)
      const latents: Float32Array[] = []
      for (const part of parts(samples, window, loading.window !== undefined))
        latents.push(await model.latent(await feeds(part)))
      return unit(meanOf(latents))
    })
  const { pooling, outputs, file } = loading
  return {
    id: senseEncoderId('audio', [folder.hash], { by: 'transformers', pooling, outputs, file, window, ...config }),
    dimension: model.dimension,
    device: model.device,
    encode: (sounds) => Promise.all(sounds.map(latent)),
    close: () => turns.run(() => model.release()),
  }
}

/** What a feature extractor says of the sounds that it takes. */
interface ExtractorConfig {
  readonly sampling_rate?: number
  readonly nb_max_samples?: number
  readonly n_samples?: number
}

/**
 * A sound in windows, of which the last ends where the sound does.
 *
 * @param fill whether a sound that is shorter is filled up with silence
 */
function parts(samples: Float32Array, window: number, fill: boolean): Float32Array[] {
  if (samples.length < window) {
    const filled = new Float32Array(fill ? window : samples.length)
    filled.set(samples)
    return [filled]
  }
  const count = Math.ceil(samples.length / window)
  return Array.from({ length: count }, (_, i) => {
    const from = Math.min(i * window, samples.length - window)
    return samples.slice(from, from + window)
  })
}
