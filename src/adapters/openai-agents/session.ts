import { SerialQueue } from '../../base/serial-queue.js'
import type { AgentInputItem } from '@openai/agents'
import { checkKeys, describe, invalid } from '../../api/check.js'
import { ItemLog, type ItemLogMemory, type NewItem, type StoredItem } from '../item-log.js'
import { isSame } from '../same-json.js'
import { digestOfValue, fromJson, jsonOf } from '../stored-json.js'
import { wordsOf } from './words.js'

/** Options of {@link MemorySession}. */
export interface MemorySessionOptions {
  /** The conversation: its session in the memory. */
  readonly session: string
  /** The speaker of the messages of a user. Default `user`. */
  readonly user?: string
  /** The speaker of the messages of the agent. Default `assistant`. */
  readonly assistant?: string
  /** The source that items are stored under. Default `chat`. */
  readonly source?: string
}

/** A change of the history: more items, or others in the place of the last ones. */
type Transaction =
  | { readonly type: 'append_items'; readonly items: readonly AgentInputItem[] }
  | {
      readonly type: 'replace_suffix'
      readonly expectedSuffix: readonly AgentInputItem[]
      readonly replacement: readonly AgentInputItem[]
    }

/**
 * The session of an agent of the OpenAI Agents SDK. Items are given back as they were added, and recall finds messages
 * by their words, in this session and from any other.
 *
 *     await run(agent, 'Which thai place was it?', { session: new MemorySession(db, { session: 'monday' }) })
 */
export class MemorySession {
  readonly #log: ItemLog
  readonly #options: MemorySessionOptions
  /** Calls that change items by what they have read. */
  readonly #turns = new SerialQueue()

  /**
   * @param db the memory, or a scope of it
   * @throws AgidbError `AGIDB_INVALID_ARGUMENT` without a session, `AGIDB_UNKNOWN_OPTION`
   */
  constructor(db: ItemLogMemory, options: MemorySessionOptions) {
    checkKeys('MemorySession', options, ['session', 'user', 'assistant', 'source'])
    const { session, source = 'chat' } = options ?? {}
    this.#log = new ItemLog(db, { name: 'openaiAgents', session, source })
    this.#options = options
  }

  /** The name of the session. */
  async getSessionId(): Promise<string> {
    return this.#options.session
  }

  /** The items, oldest first; with a limit, the newest of them. */
  async getItems(limit?: number): Promise<AgentInputItem[]> {
    const items = await this.#log.read()
    const from = limit === undefined ? 0 : Math.max(0, items.length - Math.max(0, limit))
    return items.slice(from).map(itemOf)
  }

  /**
   * Adds items at the end, in one write.
   *
   * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for an item that is no object or that JSON cannot say; whatever
   * `observeMany` throws. Then none is added.
   */
  async addItems(items: AgentInputItem[]): Promise<void> {
    if (!Array.isArray(items)) throw invalid('items must be an array of items', { what: 'items' })
    await this.#log.append(items.map((item) => this.#newItem(item)))
  }

  /** Forgets the last item, and gives it back. */
  async popItem(): Promise<AgentInputItem | undefined> {
    return this.#turns.run(async () => {
      const last = (await this.#log.read()).at(-1)
      if (last === undefined) return undefined
      await this.#log.remove([last], 'an item of the session was taken back')
      return itemOf(last)
    })
  }

  /** Forgets all items of the session, and the operations that were applied. */
  async clearSession(): Promise<void> {
    await this.#turns.run(() => this.#log.clear('the session was cleared'))
  }

  /**
   * Changes the history, all of it or nothing, and once: the same operation again does nothing.
   *
   * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for an operation that was applied with another transaction, for a
   * suffix that is not what the session ends with, and for what `addItems` refuses. Then nothing changes.
   */
  async applyHistoryTransaction(operation: {
    readonly operationId: string
    readonly transaction: Transaction
  }): Promise<void> {
    const { operationId, transaction } = checked(operation)
    await this.#turns.run(async () => {
      const digest = digestOfValue('the transaction', transaction)
      const applied = await this.#log.operation(operationId)
      if (applied === digest) return this.#log.sweep()
      if (applied !== undefined)
        throw invalid('operationId was applied with another transaction before; give each its own', {
          what: 'operationId',
        })
      const { replaced, added } = changeOf(await this.#log.read(), transaction)
      const items = added.map((item) => this.#newItem(item))
      await this.#log.apply({ id: operationId, digest }, replaced, items)
    })
  }

  #newItem(item: AgentInputItem): NewItem {
    if (typeof item !== 'object' || item === null)
      throw invalid(`an item of the session is ${describe(item)}; expected an object`, { what: 'items' })
    const { user = 'user', assistant = 'assistant' } = this.#options
    const { role } = item as { role?: string }
    const speaker = role === 'user' ? user : role === 'system' ? 'system' : assistant
    return { json: jsonOf('an item of the session', item), text: wordsOf(item), speaker }
  }
}

/** What a transaction takes away, and what it adds. */
function changeOf(items: readonly StoredItem[], transaction: Transaction) {
  if (transaction.type === 'append_items') return { replaced: [], added: transaction.items }
  const { expectedSuffix, replacement } = transaction
  const replaced = expectedSuffix.length === 0 ? [] : items.slice(-expectedSuffix.length)
  const expected = JSON.parse(jsonOf('expectedSuffix', expectedSuffix)) as readonly unknown[]
  if (
    !isSame(
      replaced.map(({ json }) => JSON.parse(json) as unknown),
      expected,
    )
  )
    throw invalid('expectedSuffix is not what the session ends with', { what: 'expectedSuffix' })
  return { replaced, added: replacement }
}

function checked(operation: { readonly operationId: string; readonly transaction: Transaction }) {
  const { operationId, transaction } = operation
  if (typeof operationId !== 'string' || operationId.trim() === '')
    throw invalid('operationId must be a string that is not blank', { what: 'operationId' })
  const lists =
    transaction?.type === 'append_items'
      ? [transaction.items]
      : transaction?.type === 'replace_suffix'
        ? [transaction.expectedSuffix, transaction.replacement]
        : []
  if (lists.length === 0 || !lists.every(Array.isArray))
    throw invalid(
      'transaction must be append_items with items, or replace_suffix with expectedSuffix and replacement',
      {
        what: 'transaction',
      },
    )
  return operation
}

function itemOf({ json }: StoredItem): AgentInputItem {
  return fromJson(json) as AgentInputItem
}
