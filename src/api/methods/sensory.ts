import { withPlainSound } from '../plain-sound.js'
import type { NewSensoryFrame, ObservedFrame, WorkingState } from '../sensory.js'
import type { Registration } from './method.js'

/** The methods of floor 1. */
export interface SensoryMethods {
  /**
   * Takes in a frame. It becomes an episode when its surprise is over the threshold or it bears on an active goal; else
   * it stays for 60 seconds or 1,000 frames, in which `observe(text, { frame })` can still remember it. What corrects a
   * memory or belief surprises: see `differsFrom` of the frame in `workingState`. Small talk and what is known, in
   * whatever words, does not.
   *
   * A picture or sound is encoded by the encoder of the memory. It goes along with the episode that the frame becomes:
   * its sense, its signature and, as `keep` says, itself.
   *
   * A frame of modality `multimodal` has several parts: `text`, `image`, `audio`, `video`, or `latents` of these. Each
   * is judged by what its own modality brought of late, and the greatest surprise is that of the frame, since what is
   * new to one sense is new; `parts` of the frame in `workingState` has each. The episode that it becomes is that of
   * `observeMultimodal`.
   *
   * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, also for a picture or sound without an encoder; `AGIDB_MEDIA` and
   * `AGIDB_ENCODER` as `observeMultimodal`; what `observe` throws.
   */
  observeSensory(frame: NewSensoryFrame): Promise<ObservedFrame>
  /** What is in the buffer now. */
  workingState(): Promise<WorkingState>
  /** How little a frame is to be expected, 0 to 1, without taking it in. */
  surpriseScore(frame: NewSensoryFrame): Promise<number>
  /** The same on the scale of the `surpriseProfile` given to `open`. Throws `AGIDB_INVALID_ARGUMENT` without one. */
  surpriseScoreBrainCalibrated(frame: NewSensoryFrame): Promise<number>
}

/** The same arguments, of which a sound can be sent. */
const crossing = ([frame, ...rest]: readonly unknown[]): readonly unknown[] => [withPlainSound(frame), ...rest]

export const sensoryMethods: Registration<SensoryMethods> = {
  observeSensory: { effect: 'writes', crossing },
  workingState: { effect: 'reads' },
  surpriseScore: { effect: 'reads', crossing },
  surpriseScoreBrainCalibrated: { effect: 'reads', crossing },
}
