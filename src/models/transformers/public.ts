// The types that `agidb/transformers` exports in every runtime.
export type {
  AudioInput,
  Encoder,
  ImageInput,
  Pixels,
  Samples,
  SentenceEncoder,
  SoundChannels,
} from '../../api/encoder.js'
export type {
  AudioOptions,
  Device,
  DualOptions,
  Dtype,
  ImageOptions,
  Pooling,
  RunsOn,
  SentenceOptions,
  TransformersOptions,
} from './options.js'
