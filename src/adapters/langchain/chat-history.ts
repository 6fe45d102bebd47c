import { BaseListChatMessageHistory } from '@langchain/core/chat_history'
import { type BaseMessage, mapStoredMessagesToChatMessages, type StoredMessage } from '@langchain/core/messages'
import { checkKeys, describe, invalid } from '../../api/check.js'
import { ItemLog, type ItemLogMemory, type NewItem } from '../item-log.js'
import { fromJson, jsonOf } from '../stored-json.js'

/** Options of {@link MemoryChatHistory}. */
export interface MemoryChatHistoryOptions {
  /** The conversation. */
  readonly session: string
  /** The speaker of the messages of a human. Default `user`. */
  readonly user?: string
  /** The speaker of the messages of a model. Default `assistant`. */
  readonly assistant?: string
  /** The source that messages are stored under. Default `chat`. */
  readonly source?: string
}

/** The types of messages that LangChain makes again from what is stored. */
const TYPES = ['human', 'ai', 'system', 'function', 'tool', 'generic']

/**
 * The messages of a conversation, for `RunnableWithMessageHistory` and whatever else takes a chat history. Messages are
 * given back as they were added, and recall finds them by their words.
 *
 *     const history = new MemoryChatHistory(db, { session: 'monday' })
 */
export class MemoryChatHistory extends BaseListChatMessageHistory {
  override lc_namespace: string[] = ['agidb', 'stores', 'message']
  readonly #log: ItemLog
  readonly #user: string
  readonly #assistant: string

  /**
   * @param db the memory, or a scope of it
   * @throws AgidbError `AGIDB_INVALID_ARGUMENT` without a session, `AGIDB_UNKNOWN_OPTION`
   */
  constructor(db: ItemLogMemory, options: MemoryChatHistoryOptions) {
    super()
    checkKeys('MemoryChatHistory', options, ['session', 'user', 'assistant', 'source'])
    const { session, user = 'user', assistant = 'assistant', source = 'chat' } = options ?? {}
    this.#log = new ItemLog(db, { name: 'langchain', session, source })
    this.#user = user
    this.#assistant = assistant
  }

  /** All messages, oldest first. */
  override async getMessages(): Promise<BaseMessage[]> {
    const items = await this.#log.read()
    return mapStoredMessagesToChatMessages(items.map(({ json }) => fromJson(json) as StoredMessage))
  }

  /** Adds a message at the end; see {@link addMessages}. */
  override async addMessage(message: BaseMessage): Promise<void> {
    await this.addMessages([message])
  }

  /**
   * Adds messages at the end, in one write.
   *
   * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for what is no message, and for a message that cannot be made again
   * from JSON: one that holds a function or a map, or that only orders another one to be removed; whatever
   * `observeMany` throws. Then none is added.
   */
  override async addMessages(messages: BaseMessage[]): Promise<void> {
    if (!Array.isArray(messages)) throw invalid('messages must be an array of messages', { what: 'messages' })
    await this.#log.append(messages.map((message) => this.#item(message)))
  }

  /** Forgets all messages of the conversation: none is recalled any more. */
  override async clear(): Promise<void> {
    await this.#log.clear('the chat history was cleared')
  }

  #item(message: BaseMessage): NewItem {
    if (typeof message?.lc_kwargs !== 'object')
      throw invalid(`a message is ${describe(message)}; expected one of LangChain`, { what: 'messages' })
    const { type } = message
    if (!TYPES.includes(type))
      throw invalid(`a message of the type ${type} cannot be stored; expected one of ${TYPES.join(', ')}`, { type })
    const speakers: Readonly<Record<string, string>> = { human: this.#user, ai: this.#assistant }
    const json = jsonOf('the message', { type, data: fieldsOf(message) })
    return { json, text: wordsOf(message), speaker: speakers[type] ?? type }
  }
}

/** The fields that a message is made of, as they are now. */
function fieldsOf(message: BaseMessage): Record<string, unknown> {
  const given = message.lc_kwargs as Readonly<Record<string, unknown>>
  const current = message as unknown as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, name in current ? current[name] : value]),
  )
}

/**
 * What recall finds a message by: its words. Of the results of tools, and of what has no words, it is the kind alone.
 * So what a tool answered is not recalled as if somebody had said it.
 */
function wordsOf({ type, name, text, content }: BaseMessage): string {
  const words = ['tool', 'function'].includes(type) ? '' : text.trim()
  if (words !== '') return words
  const kinds = typeof content === 'string' ? [] : content.map((block) => block.type)
  return `[${[type, name, ...kinds].filter((part) => part !== undefined).join(' ')}]`
}
