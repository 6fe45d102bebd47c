import { LatentEncoding } from '../maintenance/encode-latents.js'
import { checkRanker } from '../recall/ranking/check.js'
import { supersede } from '../write/supersede.js'
import { follow } from './follow.js'
import { historyOf } from './history.js'
import { listMedia, mediaOf } from './media.js'
import { applicationIn, replacementIn } from './replacement.js'
import { Updater } from './update.js'
import { verified } from './verify.js'
import { WarmUp } from './warm-up.js'

/** Parts that few programs use and no first answer needs. They are loaded at their first use. */
export interface Occasional {
  readonly applicationIn: typeof applicationIn
  readonly LatentEncoding: typeof LatentEncoding
  readonly Updater: typeof Updater
  readonly checkRanker: typeof checkRanker
  readonly follow: typeof follow
  readonly historyOf: typeof historyOf
  readonly listMedia: typeof listMedia
  readonly mediaOf: typeof mediaOf
  readonly replacementIn: typeof replacementIn
  readonly supersede: typeof supersede
  readonly verified: typeof verified
  readonly WarmUp: typeof WarmUp
}

export {
  applicationIn,
  checkRanker,
  follow,
  historyOf,
  LatentEncoding,
  listMedia,
  mediaOf,
  replacementIn,
  supersede,
  Updater,
  verified,
  WarmUp,
}
