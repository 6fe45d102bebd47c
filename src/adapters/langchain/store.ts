import {
  BaseStore,
  type GetOperation,
  type Item,
  type ListNamespacesOperation,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from '@langchain/langgraph-checkpoint'
import { checkKeys } from '../../api/check.js'
import { AgidbError } from '../../base/errors.js'
import { cueOf } from '../cue.js'
import { retried } from '../retried.js'
import { ItemTable, type ItemTableMemory, type StoredRow } from './item-table.js'
import { fits } from './filter.js'
import { listed } from './namespaces.js'

/** Options of {@link MemoryStore}. */
export interface MemoryStoreOptions {
  /** The source that items are stored under. Default `langgraph`. */
  readonly source?: string
}

/**
 * A long-term memory for LangGraph: `compile({ store: new MemoryStore(db) })`. Items have namespaces and keys; a search
 * takes a namespace prefix, filters by values, and a query, which `recall` answers. What is deleted is forgotten, and
 * nothing recalls it any more.
 */
export class MemoryStore extends BaseStore {
  readonly #table: ItemTable

  /**
   * @param db the memory, or a scope of it
   * @throws AgidbError `AGIDB_UNKNOWN_OPTION`
   */
  constructor(db: ItemTableMemory, options: MemoryStoreOptions = {}) {
    super()
    checkKeys('MemoryStore', options, ['source'])
    this.#table = new ItemTable(db, options.source ?? 'langgraph')
  }

  /**
   * Runs operations: first what reads, then what writes. Of several puts of one item the last counts.
   *
   * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for a wrong operation and for values that JSON cannot say, before
   * anything is written; whatever the memory throws
   */
  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const puts = operations.filter(isPut)
    const writes = this.#table.prepare(puts)
    const answers: unknown[] = []
    for (const operation of operations) answers.push(await this.#answer(operation))
    await retried(writes)
    return answers as OperationResults<Op>
  }

  #answer(operation: Operation): Promise<Item | null | SearchItem[] | string[][]> | undefined {
    if (isPut(operation)) return undefined
    if ('namespacePrefix' in operation) return this.#search(operation)
    if ('key' in operation) return this.#get(operation)
    return this.#list(operation)
  }

  async #get({ namespace, key }: GetOperation): Promise<Item | null> {
    const row = await this.#table.get(namespace, key)
    return row === undefined ? null : itemOf(row)
  }

  async #search(operation: SearchOperation): Promise<SearchItem[]> {
    const { namespacePrefix, filter = {}, limit = 10, offset = 0, query } = operation
    const cue = query === undefined ? '' : cueOf(query)
    const isFiltered = Object.keys(filter).length > 0
    if (cue === '' || isFiltered) {
      const rows: StoredRow[] = []
      for await (const row of this.#table.under(namespacePrefix)) if (fits(row.value, filter)) rows.push(row)
      if (cue === '') return rows.slice(offset, offset + limit).map(itemOf)
      return this.#ranked(cue, { rows: rows.filter(({ indexed }) => indexed) }, rows, operation)
    }
    return this.#ranked(cue, namespacePrefix, this.#table.under(namespacePrefix, false), operation)
  }

  /** Items in the order in which a recall finds them, then those that are not indexed. */
  async #ranked(
    cue: string,
    among: Parameters<ItemTable['found']>[1],
    others: Iterable<StoredRow> | AsyncIterable<StoredRow>,
    { offset = 0, limit = 10 }: SearchOperation,
  ): Promise<SearchItem[]> {
    const found = await this.#table.found(cue, among, offset + limit)
    const ranked = found.map(({ row, score }): SearchItem => ({ ...itemOf(row), score }))
    if (ranked.length < offset + limit) for await (const row of others) if (!row.indexed) ranked.push(itemOf(row))
    return ranked.slice(offset, offset + limit)
  }

  async #list(operation: ListNamespacesOperation): Promise<string[][]> {
    const namespaces: string[][] = []
    for await (const { namespace } of this.#table.under([])) namespaces.push(namespace)
    return listed(namespaces, operation)
  }
}

function isPut(operation: Operation): operation is PutOperation {
  if (typeof operation !== 'object' || operation === null)
    throw new AgidbError('AGIDB_INVALID_ARGUMENT', 'an operation must be an object', { what: 'operations' })
  return 'value' in operation
}

function itemOf({ namespace, key, value, createdAt, updatedAt }: StoredRow): Item {
  return { namespace, key, value, createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) }
}
