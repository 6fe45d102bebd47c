/** Made by tools/rankers/sections.ts, with the codebook and without: do not edit. */
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
}
