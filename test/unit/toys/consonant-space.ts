import type { SignatureMaker, SignatureSpace, SpaceCue } from '../../../src/encoding/spaces/space.js'
import { tokens } from '../../../src/encoding/tokens.js'

/** A toy signature space: the consonants of words, so that words are found however their vowels are spelled. */
export const consonantSpace: SignatureSpace<'consonants'> = {
  kind: 'consonants',
  tag: 5,
  part: 'consonants',
  identifiedBy: 'encoder',
  encodedBytes: 0,
  search: { isLarge: true },
  weigh: { tellsOf: 'likeness', signals: [{ name: 'consonants', weight: 1 }] },
  maker: ({ kernel }): SignatureMaker => ({
    make: (inputs) =>
      inputs.map(({ episode }) => {
        const names = consonants(episode.text)
        return names.length === 0 ? undefined : kernel.textSignature(names, new Int32Array(names.length).fill(1))
      }),
  }),
  ask({ kernel, text }: SpaceCue) {
    const names = consonants(text)
    if (names.length === 0) return {}
    return { consonants: kernel.query(kernel.textSignature(names, new Int32Array(names.length).fill(1))) }
  },
}

function consonants(text: string): string[] {
  const words = tokens(text).map((word) => word.replace(/[aeiouy]/g, ''))
  return [...new Set(words)].filter((word) => word.length > 1).map((word) => `consonants:${word}`)
}
