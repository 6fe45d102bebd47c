import type { EpisodeId } from '../episode.js'
import type { MultimodalContext, MultimodalInput } from '../sensory.js'
import { withPlainSound } from '../plain-sound.js'
import { identified } from './identified.js'
import type { Registration } from './method.js'

/** The methods of what is perceived beside text. */
export interface SenseMethods {
  /**
   * Remembers what was perceived at once as one episode, all of its parts or none. The encoder of each sense makes a
   * latent, of which a signature is stored; the pictures and sounds themselves are not. Resolves to its id once it is
   * durable.
   *
   * @throws AgidbError `AGIDB_INVALID_ARGUMENT` without a part, and for a sense without an encoder (`open({ encoders
   * })`); `AGIDB_MEDIA` for what cannot be read; `AGIDB_ENCODER`; what `observe` throws.
   */
  observeMultimodal(input: MultimodalInput, context?: MultimodalContext): Promise<EpisodeId>
}

export const senseMethods: Registration<SenseMethods> = {
  observeMultimodal: {
    effect: 'writes',
    crossing: ([input, ...rest]) => [withPlainSound(input), ...rest],
    withIds: ([input, context = {}, ...rest], newId) => [input, identified(context, newId), ...rest],
  },
}
