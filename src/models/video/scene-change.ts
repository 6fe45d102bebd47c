/** Pixels of each side of the small pictures that are compared. */
export const WIDTH = 32
export const HEIGHT = 24

const PIXELS = WIDTH * HEIGHT
/** Levels of each colour in a histogram. */
const LEVELS = 8
/** A picture that differs more from the last one of a scene, 0 to 1, shows another scene. */
const OTHER = 0.3
/** Of 256 levels: what a flat picture varies by noise. */
const NOISE = 8

/** What is compared of a picture. */
interface Look {
  /** Of each pixel how bright it is, less the mean: a lamp that is turned on changes the mean. */
  readonly structure: Float32Array
  /** What the pixels vary around the mean. */
  readonly contrast: number
  /** The share of pixels at each level of red, green and blue. */
  readonly histogram: Float32Array
}

/**
 * Tells pictures of another scene from those of the same: by the difference of their brightness, pixel by pixel, and by
 * their histograms of colours. Each is compared with the picture that began the scene, so that what changes slowly is
 * another scene some time, too.
 */
export class SceneChange {
  #scene: Look | undefined

  /** @param pixels {@link WIDTH} × {@link HEIGHT} of them, each red, green, blue and alpha. */
  isOther(pixels: Uint8ClampedArray): boolean {
    const look = lookOf(pixels)
    if (this.#scene !== undefined && difference(this.#scene, look) <= OTHER) return false
    this.#scene = look
    return true
  }
}

function lookOf(pixels: Uint8ClampedArray): Look {
  const structure = new Float32Array(PIXELS)
  const histogram = new Float32Array(3 * LEVELS)
  let sum = 0
  for (let i = 0; i < PIXELS; i++) {
    const [red, green, blue] = [pixels[4 * i], pixels[4 * i + 1], pixels[4 * i + 2]]
    structure[i] = 0.299 * red + 0.587 * green + 0.114 * blue
    sum += structure[i]
    ;[red, green, blue].forEach((value, c) => {
      histogram[c * LEVELS + Math.floor((value * LEVELS) / 256)] += 1 / PIXELS
    })
  }
  const mean = sum / PIXELS
  let contrast = 0
  for (let i = 0; i < PIXELS; i++) {
    structure[i] -= mean
    contrast += Math.abs(structure[i]) / PIXELS
  }
  return { structure, contrast, histogram }
}

/** How much two pictures differ, 0 to 1. */
function difference(a: Look, b: Look): number {
  let structure = 0
  for (let i = 0; i < PIXELS; i++) structure += Math.abs(a.structure[i] - b.structure[i]) / PIXELS
  let colours = 0
  for (let i = 0; i < 3 * LEVELS; i++) colours += Math.abs(a.histogram[i] - b.histogram[i]) / 6
  // A cast of colour moves pixels to the next level, so the histograms count half.
  return Math.max(structure / (a.contrast + b.contrast + NOISE), colours / 2)
}
