import type { BeliefId } from './belief.js'
import type { AudioInput, ImageInput, Latents, OwnInputs, SenseName, VideoInput } from './encoder.js'
import type { EpisodeId, ObserveContext, TimeInput, Triple } from './episode.js'

/** The id of a sensory frame: `sf_` and 26 characters. */
export type SensoryId = string

/** What something was perceived by. */
export type Modality = 'text' | SenseName

/** What a frame was perceived by: one modality, or several at once. */
export type FrameModality = Modality | 'multimodal'

/** What every frame can say of itself. */
interface FrameContext {
  /** What it states, for the episode that it may become: at most `limits.triples`. Default: none. */
  readonly triples?: readonly Triple[]
  readonly at?: TimeInput
  readonly speaker?: string
  readonly session?: string
  readonly source?: string
}

/** What a frame beside text can say of itself. */
interface SensedContext extends FrameContext {
  /** What it shows or sounds like, in words, for the episode that it may become. */
  readonly text?: string
}

/** A frame of a picture, sound or video that the encoder of the memory is to encode (`open({ encoders })`). */
interface MediumFrame extends SensedContext {
  /**
   * What is kept of it with the episode that it becomes, as by `observeMultimodal`. Default `none`. Until it becomes
   * one, main memory holds it, so that it is gone when the memory is closed.
   */
  readonly keep?: Keep
}

/** A perception, before anything is remembered of it. */
export type NewSensoryFrame =
  | (FrameContext & { readonly modality: 'text'; readonly text: string })
  | (MediumFrame & { readonly modality: 'image'; readonly image: ImageInput })
  | (MediumFrame & { readonly modality: 'audio'; readonly audio: AudioInput })
  | (MediumFrame & { readonly modality: 'video'; readonly video: VideoInput })
  | (MediumFrame & { readonly modality: SenseName; readonly own: OwnInputs })
  | (SensedContext & {
      readonly modality: Modality
      /** What a model made of it: 1 to 8,192 finite numbers, not all zero. Only latents of one encoder are compared. */
      readonly latent: Float32Array
      /**
       * The name of that model. With the `id` of the memory's encoder, pictures or sounds like it find the episode that
       * the frame becomes.
       */
      readonly encoder: string
    })
  | MultimodalFrame

/** What was perceived at the same time: at least one part. */
export interface MultimodalInput {
  /** What it says or shows, in words. Default: the senses in parentheses, such as `(image, audio)`. */
  readonly text?: string
  readonly image?: ImageInput
  readonly audio?: AudioInput
  readonly video?: VideoInput
  /** Inputs of the application's own modalities: `own: { touch }`, as the encoder for `touch` takes it. */
  readonly own?: OwnInputs
  /**
   * Latents that the encoders of the memory made before, in the place of what they were made of: as many numbers as the
   * encoder says, finite, not all zero.
   */
  readonly latents?: Latents
}

/** A frame of what was perceived by several senses at once, as `observeMultimodal` takes it: at least one part. */
export interface MultimodalFrame extends FrameContext, MultimodalInput {
  readonly modality: 'multimodal'
  /** What of its pictures, sounds and videos is kept, as of a frame of one of them. Default `none`. */
  readonly keep?: Keep
}

/** What of a picture, sound or video itself is kept. */
export type Keep = 'none' | 'thumbnail' | 'original'

/** What `observeMultimodal` takes beside what was perceived: as `observe` does, but for a frame. */
export interface MultimodalContext extends Omit<ObserveContext, 'frame'> {
  /**
   * What of the pictures, sounds and videos is kept beside their signatures, for `media`: the files as they are
   * (`original`, at most `limits.mediaBytes` each), a small copy of the picture or of one of the video (`thumbnail`),
   * or nothing. Default `none`.
   */
  readonly keep?: Keep
}

/** A picture, sound or video that is kept with an episode. */
export interface KeptMedium {
  readonly sense: SenseName
  /** What it is, such as `image/png`. */
  readonly type: string
  /** How long it is. */
  readonly bytes: number
}

/** Why a frame became an episode. */
export type PromotionReason = 'surprise' | 'goal' | 'observed'

/**
 * In what a frame differs from what is remembered: a figure, a name, a day or month, a denial, the opposite of a word,
 * who does it and whom it is done to, a change of state, or another word.
 */
export type DifferenceKind = 'figure' | 'name' | 'time' | 'denial' | 'opposite' | 'roles' | 'change' | 'word'

/** A part in which a frame differs. */
export interface Difference {
  readonly kind: DifferenceKind
  /** What the frame says there. */
  readonly here: string
  /** What the memory or belief says in its place; absent where it says nothing of it. */
  readonly there?: string
}

/** The memory or belief that a frame is about, and says something else of. One of `episode` and `belief` is there. */
export interface DiffersFrom {
  readonly episode?: EpisodeId
  readonly belief?: BeliefId
  readonly parts: readonly Difference[]
}

/** How a frame was stored. */
export interface ObservedFrame {
  readonly id: SensoryId
  /** How little it was to be expected, 0 to 1. */
  readonly surprise: number
  /** The episode that it became, if it did. */
  readonly promotedTo?: EpisodeId
}

/** A part of a frame of several senses. */
export interface FramePart {
  readonly modality: Modality
  /** How little this part was to be expected, 0 to 1, by what its own modality brought of late. */
  readonly surprise: number
  /** What an encoder made of it; absent of `text`. */
  readonly latent?: Float32Array
  /** The id of that encoder. */
  readonly encoder?: string
}

/** A frame in the buffer. */
export interface SensoryFrame {
  readonly id: SensoryId
  readonly modality: FrameModality
  readonly text?: string
  readonly latent?: Float32Array
  readonly encoder?: string
  /** Of a frame of modality `multimodal`: its parts, in the order `text`, `image`, `audio`, `video`, others. */
  readonly parts?: readonly FramePart[]
  /** What it states; absent where it states nothing. */
  readonly triples?: readonly Triple[]
  readonly speaker?: string
  readonly session?: string
  readonly source?: string
  /** When it was perceived (ISO 8601, UTC). */
  readonly at: string
  readonly receivedAt: string
  /** How little it was to be expected, 0 to 1. Of a frame of several senses: the greatest of its parts. */
  readonly surprise: number
  /**
   * How like the nearest active goal it is, 0 to 1. Of a picture or sound without text: how like the goal the words of
   * the memories are that look or sound like it; 0 where there are none, since a goal is words. Of several without
   * text: the greatest.
   */
  readonly goalRelevance: number
  readonly promotedTo?: EpisodeId
  readonly promotedFor?: PromotionReason
  /** What it differs from, where it is about the same as a memory or belief, for as long as that is there. */
  readonly differsFrom?: DiffersFrom
}

/** The sensory buffer. */
export interface WorkingState {
  /** The oldest first. */
  readonly frames: readonly SensoryFrame[]
  /** Frames kept at most. */
  readonly capacity: number
  /** Milliseconds that a frame is kept. */
  readonly windowMs: number
  /** The surprise over which a frame is remembered; with a `surpriseProfile`, the calibrated one. */
  readonly threshold: number
  /** Of all frames ever: how many came, became episodes, and were dropped without. */
  readonly observed: number
  readonly promoted: number
  readonly dropped: number
}

/** How agidb's surprise stands to an external measure of surprise, fitted by `fitSurpriseProfile`. */
export interface SurpriseProfile {
  /** Where the fitted curve has its points: surprises of agidb, ascending. */
  readonly surprise: readonly number[]
  /** What the external measure is expected to be there, 0 to 1, never descending. */
  readonly expected: readonly number[]
  /** The calibrated surprise over which a frame is remembered. */
  readonly threshold: number
}

/** What agidb and an external measure make of the same frame. */
export interface SurprisePair {
  /** `surpriseScore` of the frame, 0 to 1. */
  readonly surprise: number
  /** Of the external measure, on any scale on which more is more. */
  readonly external: number
}

/** Options of `fitSurpriseProfile`. */
export interface FitSurpriseOptions {
  /** Frames whose external surprise is over this quantile are those to be remembered, 0.01 to 0.99. Default 0.8. */
  readonly quantile?: number
  /** Into how many parts, one after the other, the pairs are cut for the cross-validation, 2 to 100. Default 5. */
  readonly folds?: number
}

/** A fitted profile and how far to trust it. */
export interface FittedSurprise {
  /** For `open`. */
  readonly profile: SurpriseProfile
  /** The external values that are 0 and 1 on the scale of the profile. */
  readonly scale: { readonly zero: number; readonly one: number }
  /** Of pairs that the fit had not seen. */
  readonly crossValidated: {
    /** Root mean square of expected less external, on the scale of the profile. */
    readonly error: number
    /** The same of one who always expects the mean of the other folds. */
    readonly errorOfMean: number
    /** The share of that error's square that the profile takes away: 1 is all, 0 or less is none. */
    readonly skill: number
    /**
     * The mean of the shares of frames over and not over the quantile that the threshold told rightly; 0.5 is guessing.
     */
    readonly balancedAccuracy: number
  }
}
