/** Made by tools/rankers/sections.ts, for each equipment of a memory: do not edit. */
export const SECTION_WEIGHTS = {
  plain: {
    intercept: -3.534,
    confidence: -0.879,
    signals: { words: 0.973, pieces: 0, length: -0.158, meaning: 0, document: 0 },
  },
  codebook: {
    intercept: -4.445,
    confidence: -0.974,
    signals: { words: 0.161, pieces: 0.951, length: -0.536, meaning: 0.815, document: 0.57 },
  },
  encoder: {
    intercept: -2.746,
    confidence: -0.733,
    signals: { words: -0.031, pieces: 0.898, length: -0.487, meaning: 0.512, document: 0.433 },
  },
}
