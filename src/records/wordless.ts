import type { Modality } from '../api/sensory.js'

/** The text of an episode that was perceived without words: what it was perceived by, such as `(image, audio)`. */
export function wordless(senses: readonly Modality[]): string {
  return `(${senses.join(', ')})`
}
