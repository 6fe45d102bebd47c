export type { Attribution, ComponentAttribution } from './attribution.js'
export type { Bootstrap } from './bootstrap.js'
export { compare, type Comparison } from './compare.js'
export { readCsv, type CsvOptions, type CsvTable } from './csv.js'
export {
  type Dissimilarities,
  dissimilarities,
  dissimilaritiesIn,
  type DissimilarityMeasure,
  signatureDissimilarities,
} from './dissimilarities.js'
export { toMarkdown } from './markdown.js'
export { memoryComponents, type MemoryComponentsOptions, type SignatureSource } from './memory.js'
export { type NoiseCeiling, noiseCeiling } from './noise-ceiling.js'
export { type NumberArray, readNpy } from './npy.js'
export { type Patterns, patternsIn, patternsOf, patternsOfSubjects } from './patterns.js'
export type { PermutationTest } from './permutations.js'
export { bams, type BamsInput, type BamsOptions, type BamsReport, type Region, type RegionReport } from './report.js'
export {
  calibratedSurprise,
  combinedSurprise,
  type FittedWeights,
  fitSurpriseWeights,
  type ModalitySurprise,
  type SurpriseSample,
  type SurpriseWeights,
} from './surprise.js'
export { toSvg } from './svg.js'
