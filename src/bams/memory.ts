import { checkChoice, checkKeys, describe, invalid } from '../api/check.js'
import { isModality } from '../api/encoder.js'
import type { EpisodeId } from '../api/episode.js'
import type { Signature } from '../api/neurosymbolic.js'
import type { Modality } from '../api/sensory.js'
import { type Dissimilarities, signatureDissimilarities } from './dissimilarities.js'

/** What of a memory is asked here: `Agidb` has it. */
export interface SignatureSource {
  extractModalitySignature(id: EpisodeId, modality: Modality): Promise<Signature | undefined>
}

/** Options of `memoryComponents`. */
export interface MemoryComponentsOptions {
  /** Of which senses. Default: those of `text`, `image`, `audio` and `video` that all of the episodes have. */
  readonly modalities?: readonly Modality[]
}

const MODALITIES: readonly Modality[] = ['text', 'image', 'audio', 'video']

/**
 * How unlike a memory's signatures of stimuli are, by modality: the components of `bams`.
 *
 * @param ids the episode of each stimulus, in the order of the responses
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for an episode that lacks one of the modalities that were named, and
 * where there is none that all have; `AGIDB_NOT_FOUND`; what `signatureDissimilarities` throws
 */
export async function memoryComponents(
  db: SignatureSource,
  ids: readonly EpisodeId[],
  options: MemoryComponentsOptions = {},
): Promise<Partial<Record<Modality, Dissimilarities>>> {
  checkKeys('memoryComponents', options, ['modalities'])
  if (!Array.isArray(ids))
    throw invalid(`ids is ${describe(ids)}; expected an array of ids of episodes`, { what: 'ids' })
  for (const modality of options.modalities ?? [])
    if (!isModality(modality)) checkChoice('modalities', modality, MODALITIES)
  const components: Partial<Record<Modality, Dissimilarities>> = {}
  for (const modality of options.modalities ?? MODALITIES) {
    const signatures: Signature[] = []
    for (const id of ids) {
      const signature = await db.extractModalitySignature(id, modality)
      if (signature !== undefined) signatures.push(signature)
      else if (options.modalities === undefined) break
      else throw invalid(`the episode ${id} has no signature of ${modality}`, { id, modality })
    }
    if (signatures.length === ids.length) components[modality] = signatureDissimilarities(signatures)
  }
  if (Object.keys(components).length === 0)
    throw invalid('there is no modality that all of these episodes have', { what: 'ids' })
  return components
}
