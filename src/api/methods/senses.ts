import type { EpisodeId } from '../episode.js'
import type { SenseName } from '../encoder.js'
import type { KeptMedium, MultimodalContext, MultimodalInput } from '../sensory.js'
import { withPlainSound } from '../plain-sound.js'
import { identified } from './identified.js'
import type { Registration } from './method.js'

/** The methods of what is perceived beside text. */
export interface SenseMethods {
  /**
   * Remembers what was perceived at once as one episode, all of its parts or none. The encoder of each sense makes a
   * latent, of which a signature is stored; the pictures and sounds themselves are as `keep` says. Resolves to its id
   * once it is durable.
   *
   * @throws AgidbError `AGIDB_INVALID_ARGUMENT` without a part, and for a sense without an encoder (`open({ encoders
   * })`); `AGIDB_MEDIA` for what cannot be read; `AGIDB_ENCODER`; what `observe` throws.
   */
  observeMultimodal(input: MultimodalInput, context?: MultimodalContext): Promise<EpisodeId>
  /**
   * The picture or sound that was kept with an episode, as a stream of bytes.
   *
   * @param sense which, where both were kept
   * @throws AgidbError `AGIDB_NOT_FOUND` where there is no such episode or nothing of it is kept;
   * `AGIDB_INVALID_ARGUMENT` without `sense` where both are
   */
  media(id: EpisodeId, sense?: SenseName): Promise<ReadableStream<Uint8Array>>
  /**
   * Which pictures and sounds were kept with an episode; none where it was observed without `keep`.
   *
   * @throws AgidbError `AGIDB_NOT_FOUND`
   */
  listMedia(id: EpisodeId): Promise<KeptMedium[]>
}

export const senseMethods: Registration<SenseMethods> = {
  media: { effect: 'reads', output: 'bytes' },
  listMedia: { effect: 'reads' },
  observeMultimodal: {
    effect: 'writes',
    crossing: ([input, ...rest]) => [withPlainSound(input), ...rest],
    withIds: ([input, context = {}, ...rest], newId) => [input, identified(context, newId), ...rest],
  },
}
