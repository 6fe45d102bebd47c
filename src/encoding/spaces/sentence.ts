import type { SignatureSpace } from './space.js'

/**
 * What a sentence encoder makes of a text: `docs/format.md` calls it kind 4. Its model runs in the background, so
 * signatures come after the episode was stored.
 */
export const sentenceSpace: SignatureSpace<'sentence'> = {
  kind: 'sentence',
  tag: 4,
  part: 'sentences',
  identifiedBy: 'mark',
  encodedBytes: 0,
  search: { isLarge: true },
  weigh: { tellsOf: 'meaning', signals: [{ name: 'sentence', weight: 0.4 }] },
  maker: ({ sentenceEncoder }) => (sentenceEncoder === undefined ? undefined : { id: sentenceEncoder }),
  ask: ({ made }) => ({ sentence: made.sentence }),
}
