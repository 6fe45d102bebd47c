import { describe, expect, it } from 'vitest'
import {
  bams,
  compare,
  type Dissimilarities,
  dissimilarities,
  memoryComponents,
  patternsOf,
  signatureDissimilarities,
} from '../../../src/bams/index.js'
import { openMemory } from '../engine/open.js'
import { bandEnergies, chord, colourLayout, discs } from '../toys/senses.js'

const STIMULI = 16
const encoders = { image: colourLayout, audio: bandEnergies }
const stimuli = Array.from({ length: STIMULI }, (_, i) => i)

/** The dissimilarities of latents: of an encoder that looks at other pictures or sounds of the same sources. */
async function seen(noise: number): Promise<Dissimilarities> {
  return dissimilarities(patternsOf(await colourLayout.encode(stimuli.map((i) => discs(i, { noise })))), 'correlation')
}
async function heard(noise: number): Promise<Dissimilarities> {
  return dissimilarities(patternsOf(await bandEnergies.encode(stimuli.map((i) => chord(i, { noise })))), 'correlation')
}

describe('memoryComponents', () => {
  it('has the dissimilarities of each modality that all episodes have, and attributes regions to them', async () => {
    const db = await openMemory({ encoders })
    const ids: string[] = []
    for (const i of stimuli) ids.push(await db.observeMultimodal({ image: discs(i), audio: chord(i) }, { id: `s${i}` }))
    const components = await memoryComponents(db, ids, { modalities: ['image', 'audio'] })
    expect(Object.keys(components)).toEqual(['image', 'audio'])
    const signatures = await Promise.all(ids.map(async (id) => (await db.extractModalitySignature(id, 'image'))!))
    expect(components.image).toEqual(signatureDissimilarities(signatures))
    // A signature by sign projection keeps the angles of its latents.
    const latents = await colourLayout.encode(stimuli.map((i) => discs(i)))
    expect(compare(components.image!, dissimilarities(patternsOf(latents), 'cosine'), 'spearman')).toBeGreaterThan(0.9)

    const regions = [
      { name: 'seeing', subjects: [await seen(20), await seen(60)] },
      { name: 'hearing', subjects: [await heard(0.05), await heard(0.1)] },
    ]
    const report = bams({ components, regions }, { permutations: 199 })
    const [seeing, hearing] = report.regions.map(({ attribution }) => attribution.components)
    expect(seeing![0]).toMatchObject({ name: 'image', p: 1 / 200 })
    expect(seeing![0]!.unique).toBeGreaterThan(0.5)
    expect(seeing![1]!.unique).toBeLessThan(0.1)
    expect(hearing![1]).toMatchObject({ name: 'audio', p: 1 / 200 })
    expect(hearing![1]!.unique).toBeGreaterThan(5 * hearing![0]!.unique)
    await db.close()
  })

  it('leaves out a modality that some lack, unless it was named', async () => {
    const db = await openMemory({ encoders })
    const ids: string[] = []
    for (const i of [0, 1, 2, 3]) ids.push(await db.observeMultimodal({ text: `number ${i}`, image: discs(i) }))
    ids.push(await db.observe('only words'))
    expect(Object.keys(await memoryComponents(db, ids))).toEqual(['text'])
    await expect(memoryComponents(db, ids, { modalities: ['image'] })).rejects.toMatchObject({
      code: 'AGIDB_INVALID_ARGUMENT',
      details: { id: ids[4], modality: 'image' },
    })
    await expect(memoryComponents(db, [...ids, 'nobody'])).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
    await expect(memoryComponents(db, [])).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
    await db.close()
  })
})
