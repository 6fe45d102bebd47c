import { attributeIndex } from './attributes.js'
import { catalogIndex } from './catalog.js'
import { conceptNameIndex } from './concepts/concept-names.js'
import { conceptIndex, predicateIndex } from './statements.js'
import { documentIndex } from './documents.js'
import { extractedIndex } from './extracted.js'
import { mentionIndex } from './mentions.js'
import type { Index, IndexTools } from './port.js'
import { wordIndex } from './postings/postings.js'
import { timelineIndex } from './timeline.js'
import { traitIndex } from './traits.js'

/**
 * The indexes, by the names of their parts in a checkpoint. To add one: its file in this folder, and a line here. Word
 * pieces are no line, since the codebook that cuts them may come later: see `latentIndex`.
 */
export const INDEXES = {
  // Before the catalog, which tells it in which session an updated episode was.
  timeline: timelineIndex,
  catalog: catalogIndex,
  postings: wordIndex,
  traits: traitIndex,
  mentions: mentionIndex,
  concepts: conceptIndex,
  conceptNames: conceptNameIndex,
  predicates: predicateIndex,
  attributes: attributeIndex,
  extracted: extractedIndex,
  documents: documentIndex,
  chain: ({ graphs }) => graphs.index('chain'),
  entities: ({ graphs }) => graphs.index('entities'),
  associations: ({ graphs }) => graphs.index('associations'),
} satisfies Record<string, (tools: IndexTools) => Index>

/** What each index keeps, by its name. */
export type RegisteredContents = {
  readonly [Name in keyof typeof INDEXES]: ReturnType<(typeof INDEXES)[Name]>['contents']
}
