import { SerialQueue } from '../../base/serial-queue.js'
import type { Caller } from '../../api/caller.js'
import type { EntrySource } from '../../api/entry.js'
import type { ThinkAction } from '../../api/think.js'
import type { EntryMethods } from '../../api/methods/entries.js'
import type { MemoryContext } from '../context.js'
import type { LearningEvent } from '../../api/learning.js'
import type { Logged } from '../../records/event-log.js'
import { BatchedIds } from '../batched-ids.js'
import { type IsGone, ofEvents, type Service } from '../projection.js'
import type { DocumentContext } from './context.js'
import type { DocumentQueries } from './queries.js'
import { EntryStates } from './states.js'
import { documentEventsWithout } from './without.js'

/** What documents ask of the other floors. */
export type OfOtherFloors = Pick<DocumentContext, 'forget' | 'beside'>

/** Documents as entries: what is known of each beside its content, and the methods of `db.entries`. */
export class DocumentFloor implements Service {
  readonly projections: Service['projections']
  readonly states: EntryStates
  readonly accesses: BatchedIds
  readonly #context: MemoryContext
  readonly #others: OfOtherFloors
  #queries: Promise<DocumentQueries> | undefined
  /** Calls that write by what they have read of the entries. */
  readonly #turns = new SerialQueue()

  constructor(context: MemoryContext, others: OfOtherFloors) {
    this.#context = context
    this.#others = others
    this.states = new EntryStates(context.indexes, () => context.log.all())
    this.projections = [ofEvents(this.states)]
    this.accesses = new BatchedIds(
      context,
      ({ since, ids, notes }) => ({ kind: 'entriesAccessed', since, entries: ids, accesses: notes }),
      { kind: 'access-learning-failed', what: 'which entries searches found' },
    )
  }

  without(events: readonly Logged[], isGone: IsGone): ReadonlyMap<LearningEvent, LearningEvent | undefined> {
    return documentEventsWithout(events, isGone)
  }

  /** The public methods of documents on behalf of a caller. */
  methods(caller: Caller): EntryMethods {
    return {
      'entries.add': (content, entry = {}) => this.#inTurn((queries) => queries.add(content, entry, caller)),
      'entries.ingest': (document, options) => this.#inTurn((queries) => queries.ingest(document, options, caller)),
      'entries.get': (id) => this.#ask((queries) => queries.get(id)),
      'entries.children': (id) => this.#ask((queries) => queries.children(id)),
      'entries.pathOf': (id) => this.#ask((queries) => queries.pathOf(id)),
      'entries.tree': (source) => this.#ask((queries) => queries.tree(source)),
      'entries.sources': async (): Promise<EntrySource[]> => this.#context.indexes.documents.sources(),
      'entries.search': (query, options) => this.#ask((queries) => queries.search(query, options, caller)),
      'entries.browse': (options) => this.#ask((queries) => queries.browse(options)),
      'entries.relate': (id, kind, target) => this.#ask((queries) => queries.relate(id, kind, target, true, caller)),
      'entries.unrelate': (id, kind, target) => this.#ask((queries) => queries.relate(id, kind, target, false, caller)),
      'entries.promote': (id) => this.#ask((queries) => queries.move(id, 1, caller)),
      'entries.demote': (id) => this.#ask((queries) => queries.move(id, -1, caller)),
      'entries.setVisibility': (which, visibility, options) =>
        this.#ask((queries) => queries.setVisibility(which, visibility, options, caller)),
      'entries.salience': (id) => this.#ask((queries) => queries.salience(id)),
      'entries.aging.configure': (config) => this.#ask((queries) => queries.configureAging(config, caller)),
      'entries.aging.apply': () => this.#ask((queries) => queries.age(caller)),
      'entries.identity': () => this.#ask((queries) => queries.identity()),
      'entries.priming': (options) => this.#ask((queries) => queries.priming(options)),
      'entries.perspectives': () => this.#ask((queries) => queries.perspectives()),
      'entries.definePerspective': (id, hint) => this.#ask((queries) => queries.definePerspective(id, hint, caller)),
      'entries.removePerspective': (id) => this.#ask((queries) => queries.removePerspective(id, caller)),
      'entries.suggestPerspectives': (id) => this.#ask((queries) => queries.suggestPerspectives(id)),
      'entries.think': ((action?: ThinkAction) =>
        this.#inTurn((queries) => queries.think(action, caller))) as EntryMethods['entries.think'],
      'entries.reflection': () => this.#ask((queries) => queries.reflection()),
      'entries.reflect': (answer, ids) => this.#inTurn((queries) => queries.reflect(answer, ids, caller)),
      'entries.update': (id, patch) => this.#ask((queries) => queries.update(id, patch, caller)),
      'entries.remove': (which, reason = 'removed') => this.#inTurn((queries) => queries.remove(which, reason, caller)),
    }
  }

  /** Does what reads the entries and writes by what it has read, one call after the other. */
  #inTurn<T>(work: (queries: DocumentQueries) => Promise<T>): Promise<T> {
    return this.#turns.run(() => this.#ask(work))
  }

  async #ask<T>(ask: (queries: DocumentQueries) => Promise<T>): Promise<T> {
    const { parts, options, indexes, limits, clock, fetch, learn, told } = this.#context
    const { storeEntries, prepare, releaseId, restate, recallEntries } = this.#context
    this.#queries ??= parts.documents().then(
      ({ DocumentQueries }) =>
        new DocumentQueries(
          {
            parts,
            indexes,
            limits,
            clock,
            fetch,
            states: this.states,
            store: storeEntries,
            prepare,
            releaseId,
            restate,
            recall: recallEntries,
            learn,
            log: told,
            // Sorted: their order would tell how they ranked beside what may be forgotten later.
            found: (ids) => this.accesses.note([...ids].sort()),
            ...this.#others,
          },
          options.summarizer,
        ),
      (error: unknown) => {
        this.#queries = undefined // it is tried again with the next call
        throw error
      },
    )
    return ask(await this.#queries)
  }
}
