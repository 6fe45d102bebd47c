import { Document } from '@langchain/core/documents'
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers'
import type { Agidb } from '../../api/agidb.js'
import { checkFlag, checkKeys } from '../../api/check.js'
import type { Match, RecallOptions } from '../../api/recall.js'
import { markedAsData, UNTRUSTED } from '../../mcp/untrusted.js'
import { cueOf } from '../cue.js'

/** Options of {@link MemoryRetriever}. */
export interface MemoryRetrieverOptions extends BaseRetrieverInput {
  /** Options of the recall, such as `k`, `filter`, `session` and `minConfidence`. */
  readonly recall?: Omit<RecallOptions, 'signal' | 'budgetTokens'>
  /**
   * Whether the content of a document stands between the marks of stored data, after a sentence that says so. `false`
   * gives the text alone, where no model reads it. Default `true`.
   */
  readonly marked?: boolean
}

const KEYS = ['recall', 'marked', 'callbacks', 'tags', 'metadata', 'verbose']

/** The metadata of a document that was remembered: what a match of `recall` says beside its text. */
export type RememberedDocument = Pick<
  Match,
  | 'id'
  | 'speaker'
  | 'session'
  | 'source'
  | 'at'
  | 'confidence'
  | 'tier'
  | 'lowConfidence'
  | 'tags'
  | 'metadata'
  | 'provenance'
>

/**
 * A retriever of LangChain over a memory: `invoke(question)` answers the memories that bear on it, best first, as
 * documents with confidence and provenance.
 *
 *     const retriever = new MemoryRetriever(db, { recall: { k: 5 } })
 *
 * @throws AgidbError from `invoke`, whatever `recall` throws
 */
export class MemoryRetriever extends BaseRetriever<RememberedDocument> {
  static override lc_name(): string {
    return 'MemoryRetriever'
  }

  override lc_namespace: string[] = ['agidb', 'retrievers']
  readonly #db: Pick<Agidb, 'recall'>
  readonly #recall: RecallOptions
  readonly #marked: boolean

  /**
   * @param db the memory, or a scope of it
   * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION`
   */
  constructor(db: Pick<Agidb, 'recall'>, options: MemoryRetrieverOptions = {}) {
    checkKeys('MemoryRetriever', options, KEYS)
    const { recall = {}, marked = true, ...input } = options
    checkFlag('marked', marked)
    super(input)
    this.#db = db
    this.#recall = recall
    this.#marked = marked
  }

  /** The memories that bear on a question. A blank question has none. */
  override async _getRelevantDocuments(question: string): Promise<Document<RememberedDocument>[]> {
    const cue = cueOf(question)
    if (cue === '') return []
    const { matches } = await this.#db.recall(cue, this.#recall)
    return matches.map((match) => {
      const { id, text, speaker, session, source, at, confidence, tier, lowConfidence, tags, provenance } = match
      return new Document({
        id,
        pageContent: this.#marked ? `${UNTRUSTED}\n${markedAsData(text)}` : text,
        metadata: {
          ...{ id, speaker, session, source, at, confidence, tier, lowConfidence, tags },
          ...{ metadata: match.metadata, provenance },
        },
      })
    })
  }
}
