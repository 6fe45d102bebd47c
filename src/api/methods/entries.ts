import type { ParsedDocument } from '../document-parser.js'
import type {
  AgingConfig,
  AgingReport,
  BrowseOptions,
  Entry,
  EntryMatch,
  EntryPatch,
  EntrySearchOptions,
  EntrySource,
  EntryTree,
  IngestOptions,
  IngestReport,
  NewEntry,
  Salience,
  VisibilityOptions,
} from '../entry.js'
import type { EntryId, EntryRelationKind, EntryVisibility } from '../entry-facet.js'
import type { Identity, Perspective, Priming, PrimingOptions, SuggestedPerspective } from '../identity.js'
import type { Reflection, ThinkAction, ThinkAnswers, ThinkReport } from '../think.js'
import type { UnlearnReport } from '../forgetting.js'
import type { Registration } from './method.js'

/**
 * The methods of `db.entries`: docs/documents.md. All throw `AGIDB_INVALID_ARGUMENT`, `AGIDB_INVALID_TEXT`,
 * `AGIDB_INVALID_TIME`, `AGIDB_TOO_LARGE` or `AGIDB_UNKNOWN_OPTION` on wrong arguments; then nothing was written.
 */
export interface Entries {
  /**
   * Stores one entry. Content that is there already gets the place as a further one, and the relations, and else stays
   * as it is; `update` changes it. It cannot be put into itself, nor into what is in it.
   *
   * @throws AgidbError `AGIDB_NOT_FOUND` where the parent, a target or what it summarizes is not there,
   * `AGIDB_DUPLICATE_ID` where an episode that is no entry has its id
   */
  add(content: string, entry?: NewEntry): Promise<Entry>
  /**
   * Stores a document as entries: its sections, and the passages in them. When it is stored again, what is in it
   * already stays as it is, whatever the options say, and each entry that is in it no more is superseded by the nearest
   * one that is.
   *
   * @param document its text, its bytes, or what a parser of the caller's own made of it
   * @throws AgidbError `AGIDB_PARSE` for what the parser cannot read; then nothing was written
   */
  ingest(document: string | Uint8Array | ParsedDocument, options: IngestOptions): Promise<IngestReport>
  /** @returns `undefined` where there is no such entry */
  get(id: EntryId): Promise<Entry | undefined>
  /** The entries of a section, in the order of the document; summaries of it come first. None for an unknown id. */
  children(id: EntryId): Promise<Entry[]>
  /** The entries from the root of a document to this one, which is the last. None for an unknown id. */
  pathOf(id: EntryId): Promise<Entry[]>
  /** The outline of a document: its roots, each with what is below it. None for an unknown document. */
  tree(source: string): Promise<EntryTree[]>
  /** All documents, sorted by name. */
  sources(): Promise<EntrySource[]>
  /**
   * Finds entries by what they say, best first. What was found counts as accessed.
   *
   * @param query may be empty where `similarTo` is given
   * @throws AgidbError `AGIDB_NOT_FOUND` where the entry of `similarTo` is not there
   */
  search(query: string, options?: EntrySearchOptions): Promise<EntryMatch[]>
  /** Entries without a query, newest first. */
  browse(options?: BrowseOptions): Promise<Entry[]>
  /**
   * Links an entry to another; a link that is there stays.
   *
   * @throws AgidbError `AGIDB_NOT_FOUND`
   */
  relate(id: EntryId, kind: EntryRelationKind, target: EntryId): Promise<void>
  /** @throws AgidbError `AGIDB_NOT_FOUND` where there is no such link that a caller made */
  unrelate(id: EntryId, kind: EntryRelationKind, target: EntryId): Promise<void>
  /** A step up: from `deep_only` to `normal`, and from there to `always`. */
  promote(id: EntryId): Promise<Entry>
  /** A step down: from `always` to `normal`, and from there to `deep_only`. */
  demote(id: EntryId): Promise<Entry>
  /** Says who sees entries from now on. */
  setVisibility(
    which: EntryId | readonly EntryId[],
    visibility: EntryVisibility,
    options?: VisibilityOptions,
  ): Promise<void>
  /** @throws AgidbError `AGIDB_NOT_FOUND` */
  salience(id: EntryId): Promise<Salience>
  /** How entries that are not used become less visible. */
  readonly aging: EntryAging
  /** Who the agent is by what it knows, worked out without a model. */
  identity(): Promise<Identity>
  /** The briefing that an agent starts with. */
  priming(options?: PrimingOptions): Promise<Priming>
  /** All perspectives, the built-in ones first. */
  perspectives(): Promise<Perspective[]>
  /** Adds a perspective, or gives one of the caller's own another hint. */
  definePerspective(id: string, hint: string): Promise<void>
  /** Entries keep its label. @throws AgidbError `AGIDB_NOT_FOUND` for one that is built in or not there */
  removePerspective(id: string): Promise<void>
  /** The perspectives that an entry is like and is not seen from, the most alike first. None is assigned. */
  suggestPerspectives(id: EntryId): Promise<SuggestedPerspective[]>
  /**
   * Thinks without a model. `discover`: entries of different documents that are alike and not linked. `status`: how
   * much there is. `history`: when it was thought. `consolidate`: writes summaries of groups of three or more that
   * `discover` finds, then lets entries age.
   *
   * @param action Default: `status`.
   */
  think<Action extends ThinkAction = 'status'>(action?: Action): Promise<ThinkAnswers[Action]>
  /** What a model is to be asked to reflect on the memory; `reflect` takes its answer. See `reflect` of `agidb/llm`. */
  reflection(): Promise<Reflection>
  /**
   * Writes what a model answered to a reflection: the narrative and what was learned as `meta` entries, consolidations
   * as `summary` entries; then lets entries age.
   *
   * @param answer the text of the model
   * @param ids those of the reflection
   * @throws AgidbError `AGIDB_LLM` for an answer that is not what was asked for; then nothing was written
   */
  reflect(answer: string, ids: readonly EntryId[]): Promise<ThinkReport>
  /**
   * Changes what is known of an entry. Its content stays: other content is another entry.
   *
   * @throws AgidbError `AGIDB_NOT_FOUND`
   */
  update(id: EntryId, patch: EntryPatch): Promise<Entry>
  /**
   * Forgets entries, or all of a document, as `unlearn` does. Summaries that rest on them go with them. Content that
   * stands in another document, too, stays there.
   *
   * @param reason is kept for good. Default: `removed`.
   * @throws AgidbError `AGIDB_NOT_FOUND` for an id that is not there
   */
  remove(which: EntryId | readonly EntryId[] | { readonly source: string }, reason?: string): Promise<UnlearnReport>
}

/** The methods of `db.entries.aging`. */
export interface EntryAging {
  /** Changes how entries age from now on; what is absent stays. Without an argument it answers how they do. */
  configure(config?: Partial<AgingConfig>): Promise<AgingConfig>
  /** Takes out of sight what was not used for long and is not significant. `promote` takes that back. */
  apply(): Promise<AgingReport>
}

/** The methods of {@link Entries} by the names under which they are registered. */
export type EntryMethods = {
  readonly [M in Exclude<keyof Entries, 'aging'> as `entries.${M}`]: Entries[M]
} & { readonly [M in keyof EntryAging as `entries.aging.${M}`]: EntryAging[M] }

export const entryMethods: Registration<EntryMethods> = {
  'entries.add': { effect: 'writes', repeated: 'resumed' },
  'entries.ingest': { effect: 'writes', repeated: 'resumed' },
  'entries.get': { effect: 'reads' },
  'entries.children': { effect: 'reads' },
  'entries.pathOf': { effect: 'reads' },
  'entries.tree': { effect: 'reads' },
  'entries.sources': { effect: 'reads' },
  'entries.search': { effect: 'reads' },
  'entries.browse': { effect: 'reads' },
  'entries.relate': { effect: 'writes', repeated: 'resumed' },
  'entries.unrelate': { effect: 'writes' },
  'entries.promote': { effect: 'writes', repeated: { reread: 'entries.get' } },
  'entries.demote': { effect: 'writes', repeated: { reread: 'entries.get' } },
  'entries.setVisibility': { effect: 'writes', repeated: 'resumed' },
  'entries.salience': { effect: 'reads' },
  'entries.aging.configure': { effect: ([config]) => (config === undefined ? 'reads' : 'writes'), repeated: 'resumed' },
  'entries.aging.apply': { effect: 'writes', repeated: 'resumed' },
  'entries.identity': { effect: 'reads' },
  'entries.priming': { effect: 'reads' },
  'entries.perspectives': { effect: 'reads' },
  'entries.definePerspective': { effect: 'writes', repeated: 'resumed' },
  'entries.removePerspective': { effect: 'writes' },
  'entries.suggestPerspectives': { effect: 'reads' },
  'entries.think': { effect: ([action]) => (action === 'consolidate' ? 'writes' : 'reads'), repeated: 'resumed' },
  'entries.reflection': { effect: 'reads' },
  'entries.reflect': { effect: 'writes', repeated: 'resumed' },
  'entries.update': { effect: 'writes', repeated: 'resumed' },
  'entries.remove': { effect: 'writes' },
}
