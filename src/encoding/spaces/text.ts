import { SIGNATURE_BYTES } from '../../kernel/port.js'
import { textQueries } from '../text.js'
import { indexedText, type SignatureSpace } from './space.js'

/** The words of a text, their parts and their order: `docs/format.md` calls it kind 1. */
export const textSpace: SignatureSpace<'text'> = {
  kind: 'text',
  tag: 1,
  part: 'text',
  identifiedBy: 'encoder',
  encodedBytes: SIGNATURE_BYTES,
  search: { isLarge: true },
  weigh: {
    tellsOf: 'likeness',
    signals: [
      { name: 'text', weight: 0.4 },
      // The cue's pairs of adjacent words: a quotation beats the same words in another order. What is quoted has the
      // words of the cue, too, so that it is a candidate itself.
      { name: 'order', weight: 0.3, range: { from: 3, to: 8 }, ofCandidates: true },
    ],
  },
  maker: ({ words }) => ({
    make(inputs, into) {
      words.signatures(
        inputs.map(({ read }) => read),
        inputs.map(({ episode }) => indexedText(episode)),
        into,
      )
      return inputs.map((_, i) => into.subarray(i * SIGNATURE_BYTES, (i + 1) * SIGNATURE_BYTES))
    },
  }),
  ask({ kernel, text, idf, unseenIdf }) {
    const { likeness, order } = textQueries(kernel, text, idf, unseenIdf)
    return { text: likeness, order }
  },
}
