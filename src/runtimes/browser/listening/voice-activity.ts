/** A sound that stood out from the noise. */
export interface Utterance {
  readonly samples: Float32Array
  /** How many samples came before its first. */
  readonly from: number
}

/** Milliseconds of the frames that are judged. */
const FRAME_MS = 20
/** Milliseconds before the first active frame that belong to a sound: consonants are quieter than vowels. */
const BEFORE_MS = 200
/** Milliseconds without an active frame after which a sound has ended. */
const PAUSE_MS = 500
/** Milliseconds of active frames that make a sound; what is shorter is a click. */
const LEAST_MS = 100

/** Decibels over the noise from which on a frame is active, and under which it is not any more. */
const ON = 10
const OFF = 6
/** Decibels that a frame needs more where it hisses, and from how many zero crossings a second on it does. */
const HISS = 8
const HISSING = 5_000
/** Decibels under full scale below which nothing is heard. */
const SILENCE = -60
/** Of the distance to a quieter frame, the noise floor takes this share at once; to a louder one it rises slowly. */
const FOLLOW = 0.3
const RISE_A_SECOND = 3
/** Milliseconds at the beginning that are taken for noise: the floor follows each frame. */
const LEARN_MS = 500

/**
 * Finds the sounds that stand out from the noise: by the energy of each frame over a noise floor that adapts, more
 * of it where the zero crossings say that the frame hisses. A hum that goes on becomes the floor. What it answers is a
 * function of the samples, however they are cut into pieces.
 */
export class VoiceActivity {
  readonly #rate: number
  readonly #longest: number
  readonly #frame: Float32Array
  /** Samples of the frame that are filled. */
  #filled = 0
  /** Samples that came before the frame. */
  #heard = 0
  #floor = SILENCE
  /** Frames of the sound that is under way, or of the time before one. */
  #frames: Float32Array[] = []
  /** Frames of it that were active; 0 where none is under way. */
  #active = 0
  /** Frames since the last active one. */
  #quiet = 0

  /**
   * @param sampleRate samples a second
   * @param longest milliseconds of a sound, at most
   */
  constructor(sampleRate: number, longest: number) {
    this.#rate = sampleRate
    this.#frame = new Float32Array(Math.round((sampleRate * FRAME_MS) / 1_000))
    this.#longest = Math.max(1, Math.floor(longest / FRAME_MS))
  }

  /** Takes in the next samples, from -1 to 1. Answers the sounds that ended with them. */
  push(samples: Float32Array): Utterance[] {
    const ended: Utterance[] = []
    for (let at = 0; at < samples.length; ) {
      const part = samples.subarray(at, at + this.#frame.length - this.#filled)
      this.#frame.set(part, this.#filled)
      this.#filled += part.length
      at += part.length
      if (this.#filled < this.#frame.length) break
      this.#filled = 0
      this.#heard += this.#frame.length
      const utterance = this.#judge(this.#frame.slice())
      if (utterance !== undefined) ended.push(utterance)
    }
    return ended
  }

  /** Ends the sound that is under way, and answers it. */
  end(): Utterance | undefined {
    return this.#active === 0 ? undefined : this.#finish()
  }

  #judge(frame: Float32Array): Utterance | undefined {
    const { level, crossings } = measured(frame)
    const isLearning = this.#heard <= (LEARN_MS / 1_000) * this.#rate
    const over = level - this.#floor - (crossings * this.#rate > HISSING ? HISS : 0)
    const isActive = !isLearning && over > (this.#active > 0 ? OFF : ON)
    const follows = isLearning || level < this.#floor
    this.#floor += follows ? FOLLOW * (level - this.#floor) : (RISE_A_SECOND * FRAME_MS) / 1_000
    this.#floor = Math.max(this.#floor, SILENCE)
    this.#frames.push(frame)
    if (isActive) {
      this.#active++
      this.#quiet = 0
    } else if (this.#active === 0) {
      if (this.#frames.length > BEFORE_MS / FRAME_MS) this.#frames.shift()
      return undefined
    } else if (++this.#quiet >= PAUSE_MS / FRAME_MS) return this.#finish()
    return this.#frames.length >= this.#longest ? this.#finish() : undefined
  }

  #finish(): Utterance | undefined {
    const [frames, active] = [this.#frames, this.#active]
    this.#frames = []
    this.#active = 0
    this.#quiet = 0
    if (active * FRAME_MS < LEAST_MS) return undefined
    const samples = new Float32Array(frames.length * this.#frame.length)
    frames.forEach((frame, i) => samples.set(frame, i * frame.length))
    return { samples, from: this.#heard - samples.length }
  }
}

/** The level of a frame in decibels of full scale, and its zero crossings a sample, both without its mean. */
function measured(frame: Float32Array): { readonly level: number; readonly crossings: number } {
  let sum = 0
  for (const sample of frame) sum += sample
  const mean = sum / frame.length
  let [energy, crossings] = [0, 0]
  for (let i = 0; i < frame.length; i++) {
    const value = frame[i] - mean
    energy += value * value
    if (i > 0 && value < 0 !== frame[i - 1] - mean < 0) crossings++
  }
  return { level: 10 * Math.log10(energy / frame.length + 1e-12), crossings: crossings / frame.length }
}
