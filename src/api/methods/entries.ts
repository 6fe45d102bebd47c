import type { ParsedDocument } from '../document-parser.js'
import type {
  BrowseOptions,
  Entry,
  EntryId,
  EntryMatch,
  EntryPatch,
  EntrySearchOptions,
  EntrySource,
  EntryTree,
  IngestOptions,
  IngestReport,
  NewEntry,
} from '../entry.js'
import type { UnlearnReport } from '../forgetting.js'
import type { Registration } from './method.js'

/**
 * The methods of `db.entries`: docs/documents.md. All throw `AGIDB_INVALID_ARGUMENT`, `AGIDB_INVALID_TEXT`,
 * `AGIDB_INVALID_TIME`, `AGIDB_TOO_LARGE` or `AGIDB_UNKNOWN_OPTION` on wrong arguments; then nothing was written.
 */
export interface Entries {
  /**
   * Stores one entry. Content that is there already stays as it is, and gets the place as a further one.
   *
   * @throws AgidbError `AGIDB_NOT_FOUND` where the parent, a target or what it summarizes is not there
   */
  add(content: string, entry?: NewEntry): Promise<Entry>
  /**
   * Stores a document as entries: its sections, and the passages in them. When it is stored again, what is in it
   * already stays, and each entry that is in it no more is superseded by the nearest one that is.
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

/** The methods of {@link Entries} by the names under which they are registered. */
export type EntryMethods = { readonly [M in keyof Entries as `entries.${M}`]: Entries[M] }

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
  'entries.update': { effect: 'writes', repeated: 'resumed' },
  'entries.remove': { effect: 'writes' },
}
