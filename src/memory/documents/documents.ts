import type { Caller } from '../../api/caller.js'
import type { EntrySource } from '../../api/entry.js'
import type { EntryMethods } from '../../api/methods/entries.js'
import type { MemoryContext } from '../context.js'
import type { Service } from '../projection.js'
import type { DocumentContext } from './context.js'
import type { DocumentQueries } from './queries.js'
import { EntryStates } from './states.js'

/** Documents as entries: what is known of each beside its content, and the methods of `db.entries`. */
export class DocumentFloor implements Service {
  readonly projections = []
  readonly states: EntryStates
  readonly #context: MemoryContext
  readonly #forget: DocumentContext['forget']
  #queries: Promise<DocumentQueries> | undefined

  constructor(context: MemoryContext, forget: DocumentContext['forget']) {
    this.#context = context
    this.#forget = forget
    this.states = new EntryStates(context.indexes.documents)
  }

  /** The public methods of documents in the name of a caller. */
  methods(caller: Caller): EntryMethods {
    return {
      'entries.add': (content, entry = {}) => this.#ask((queries) => queries.add(content, entry, caller)),
      'entries.ingest': (document, options) => this.#ask((queries) => queries.ingest(document, options, caller)),
      'entries.get': (id) => this.#ask((queries) => queries.get(id)),
      'entries.children': (id) => this.#ask((queries) => queries.children(id)),
      'entries.pathOf': (id) => this.#ask((queries) => queries.pathOf(id)),
      'entries.tree': (source) => this.#ask((queries) => queries.tree(source)),
      'entries.sources': async (): Promise<EntrySource[]> => this.#context.indexes.documents.sources(),
      'entries.search': (query, options) => this.#ask((queries) => queries.search(query, options)),
      'entries.browse': (options) => this.#ask((queries) => queries.browse(options)),
      'entries.update': (id, patch) => this.#ask((queries) => queries.update(id, patch, caller)),
      'entries.remove': (which, reason = 'removed') => this.#ask((queries) => queries.remove(which, reason, caller)),
    }
  }

  async #ask<T>(ask: (queries: DocumentQueries) => Promise<T>): Promise<T> {
    const { parts, indexes, limits, clock, fetch, storeEntries, restate, recallEntries } = this.#context
    this.#queries ??= parts.documents().then(
      ({ DocumentQueries }) =>
        new DocumentQueries({
          parts,
          indexes,
          limits,
          clock,
          fetch,
          states: this.states,
          store: storeEntries,
          restate,
          recall: recallEntries,
          forget: this.#forget,
        }),
      (error: unknown) => {
        this.#queries = undefined // it is tried again with the next call
        throw error
      },
    )
    return ask(await this.#queries)
  }
}
