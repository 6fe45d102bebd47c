/** Made by tools/rankers/sections.ts, for each equipment of a memory: do not edit. */
export const SECTION_WEIGHTS = {
  plain: {
    intercept: -3.534,
    confidence: -0.879,
    signals: { words: 0.973, pieces: 0, headings: 0, length: -0.158, meaning: 0, document: 0 },
  },
  codebook: {
    intercept: -4.512,
    confidence: -0.984,
    signals: { words: 0.175, pieces: 0.945, headings: 0.099, length: -0.497, meaning: 0.803, document: 0.571 },
  },
  encoder: {
    intercept: -2.742,
    confidence: -0.732,
    signals: { words: -0.033, pieces: 0.902, headings: -0.006, length: -0.489, meaning: 0.512, document: 0.431 },
  },
}
