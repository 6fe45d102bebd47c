import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Modality } from '../../../../src/api/sensory.js'
import { ModalitySignatures } from '../../../../src/encoding/translation/modality-signature.js'
import { kernel } from '../kernel.js'

const signatures = new ModalitySignatures(kernel)
const MODALITIES = ['text', 'image', 'audio', 'video', 'touch']

test('what is unbound of a bundle of modalities is like its own modality and like no other', () => {
  fc.assert(
    fc.property(fc.subarray([...MODALITIES], { minLength: 1 }), fc.nat(), (modalities, seed) => {
      const perceived = Object.fromEntries(
        modalities.map((modality) => [modality, kernel.fromName(`${modality}${seed}`)]),
      )
      const bundle = signatures.signature(perceived)!
      for (const modality of MODALITIES) {
        const part = signatures.unbind(bundle, modality)
        for (const other of modalities as Modality[]) {
          const likeness = kernel.similarity(part, perceived[other])
          if (other === modality) expect(likeness).toBeGreaterThan(0.65)
          else expect(Math.abs(likeness - 0.5)).toBeLessThan(0.03)
        }
      }
    }),
    { seed: 17, numRuns: 50 },
  )
})

test('one modality alone is unbound as it was, and nothing has no signature', () => {
  const text = kernel.fromName('text')
  expect(signatures.unbind(signatures.signature({ text })!, 'text')).toEqual(text)
  expect(signatures.signature({})).toBeUndefined()
})
