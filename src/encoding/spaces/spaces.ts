import { latentSpace } from './latent.js'
import { audioSpace, imageSpace, ownSpaces, videoSpace } from './perceived.js'
import { sentenceSpace } from './sentence.js'
import type { SignatureSpace } from './space.js'
import { structuredSpace } from './structured.js'
import { textSpace } from './text.js'

/** The signature spaces. To add one: its file in this folder, and a line here, with the next tag. */
const REGISTERED = [
  textSpace,
  structuredSpace,
  latentSpace,
  sentenceSpace,
  imageSpace,
  audioSpace,
  videoSpace,
  ...ownSpaces,
] as const

/** The name of a signature space. */
export type SpaceKind = (typeof REGISTERED)[number]['kind']

/** All signature spaces, in the order of their tags: sums of scores depend on it. */
export const SPACES: readonly SignatureSpace<SpaceKind>[] = REGISTERED

/** The names of the spaces of what is perceived beside text. */
export const PERCEIVED: readonly SpaceKind[] = SPACES.filter(({ isPerceived }) => isPerceived).map(({ kind }) => kind)
