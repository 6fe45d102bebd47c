import type { SignatureSpace } from './space.js'

/** The statements of an episode as one record: `docs/format.md` calls it kind 2. Few episodes have statements. */
export const structuredSpace: SignatureSpace<'structured'> = {
  kind: 'structured',
  tag: 2,
  part: 'structured',
  identifiedBy: 'encoder',
  encodedBytes: 0,
  search: { isLarge: false },
  // Without a weight: it counts by how well it fits the pattern or the concepts of a cue, which the ranking knows.
  weigh: { tellsOf: 'likeness', signals: [{ name: 'structured' }] },
  maker: ({ records }) => ({
    make: (inputs) => inputs.map(({ episode }) => records.signature(episode.triples)),
  }),
  ask({ kernel, records, pattern, concepts, predicates }) {
    const known =
      pattern !== undefined
        ? records.partial(pattern)
        : concepts.length > 0
          ? records.partialOfAny({ subject: concepts, predicate: predicates, object: concepts })
          : undefined
    return { structured: known && kernel.query(known) }
  },
}
