import { describe, invalid } from '../../api/check.js'
import { RECALLED } from '../recalled.js'
import { type DateRange, fits, isWithin, type Order, ordered, type Page, type PageInfo, paged } from './listing.js'
import { checkedId, type NewRow, type Rows, UNSAID } from './rows.js'

/** What is read and changed here of a message of Mastra: `MastraDBMessage`. */
export interface StoredMessage {
  readonly id: string
  readonly role: string
  readonly createdAt: Date
  readonly threadId?: string
  readonly resourceId?: string
  readonly type?: string
  readonly content: Content
}

interface Content {
  readonly parts: readonly { readonly type: string }[]
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** A change of a message: members that are given replace those that are there. */
export type MessageChange = Partial<Omit<StoredMessage, 'content'>> & {
  readonly id: string
  readonly content?: Partial<Content>
}

/** Which messages are wanted beside those of a list, and how many around each. */
interface Include {
  readonly id: string
  readonly withPreviousMessages?: number
  readonly withNextMessages?: number
}

/** What a list of messages takes. */
export interface ListOptions extends Page {
  readonly include?: readonly Include[]
  readonly filter?: { readonly dateRange?: DateRange; readonly metadata?: object }
  readonly orderBy?: Order
}

/** The speakers under which messages are stored. */
export interface Speakers {
  readonly user: string
  readonly assistant: string
}

/** Messages on a page of a list where nobody says how many. */
const PER_PAGE = 40

/** The messages of all threads. Each is an episode, which recall finds by its words. */
export class Messages {
  readonly #rows: Rows
  readonly #speakers: Speakers

  constructor(rows: Rows, speakers: Speakers) {
    this.#rows = rows
    this.#speakers = speakers
  }

  async get(id: string): Promise<StoredMessage | undefined> {
    const json = await this.#rows.get('message', id)
    return json === undefined ? undefined : messageOf(json)
  }

  /** Messages in the order of their ids, as far as they are there. */
  async byIds(ids: readonly string[]): Promise<StoredMessage[]> {
    const found = await Promise.all(ids.map((id) => this.get(id)))
    return found.filter((message) => message !== undefined)
  }

  /** All messages of threads, of a resource, or of both, the oldest first. */
  async all(of: { readonly threads?: readonly string[]; readonly resource?: string }): Promise<StoredMessage[]> {
    return ordered((await this.#rows.list('message', of)).map(messageOf), {})
  }

  /** A page of messages, and those that are to be included with it. */
  async list(
    of: { readonly threads?: readonly string[]; readonly resource?: string },
    options: ListOptions,
  ): Promise<PageInfo & { messages: StoredMessage[] }> {
    const { include = [], filter, orderBy = {} } = options
    const found = (await this.all(of)).filter(
      ({ createdAt, content }) => isWithin(createdAt, filter?.dateRange) && fits(content.metadata, filter?.metadata),
    )
    const { items, ...info } = paged(ordered(found, orderBy), options, PER_PAGE)
    const included = await this.#included(include, of.resource)
    const byId = new Map([...items, ...included].map((message) => [message.id, message]))
    return { messages: ordered([...byId.values()], orderBy), ...info }
  }

  async save(messages: readonly StoredMessage[]): Promise<void> {
    if (!Array.isArray(messages)) throw invalid('messages must be an array of messages', { what: 'messages' })
    await this.#rows.put(messages.map((message) => this.#rowOf(message)))
  }

  /** Changes messages. Those that are not there are left out. Answers what became of the others, and what they were. */
  async update(changes: readonly MessageChange[]): Promise<{ before: StoredMessage; after: StoredMessage }[]> {
    if (!Array.isArray(changes) || changes.some((change) => typeof change !== 'object' || change === null))
      throw invalid('messages must be an array of changes with the ids of messages', { what: 'messages' })
    const changed: { before: StoredMessage; after: StoredMessage }[] = []
    for (const change of changes) {
      const before = changed.findLast(({ after }) => after.id === change.id)?.after ?? (await this.get(change.id))
      if (before !== undefined) changed.push({ before, after: patched(before, change) })
    }
    await this.save(changed.map(({ after }) => after))
    return changed
  }

  async delete(ids: readonly string[]): Promise<void> {
    await this.#rows.remove('message', ids)
  }

  /** Messages by their ids with those around them in their threads, as far as they are of a resource. */
  async #included(include: readonly Include[], resource: string | undefined): Promise<StoredMessage[]> {
    const found: StoredMessage[] = []
    for (const { id, withPreviousMessages = 0, withNextMessages = 0 } of include) {
      const message = await this.get(id)
      if (message === undefined || (resource !== undefined && message.resourceId !== resource)) continue
      const around = await this.all({ threads: [message.threadId ?? ''], ...(resource !== undefined && { resource }) })
      const at = around.findIndex((one) => one.id === id)
      found.push(...around.slice(Math.max(0, at - withPreviousMessages), at + withNextMessages + 1))
    }
    return found
  }

  #rowOf(message: StoredMessage): NewRow {
    if (!Array.isArray(message?.content?.parts) || message.content.parts.some((part) => (part ?? null) === null))
      throw invalid('a message must be an object with content.parts, a list of parts', { what: 'messages' })
    const { id, role, threadId, resourceId } = message
    const createdAt = timeOf(message.createdAt)
    const { user, assistant } = this.#speakers
    return {
      kind: 'message',
      id: checkedId('the id of the message', id),
      value: { ...message, createdAt: createdAt.toISOString() },
      text: wordsOf(message),
      speaker: role === 'user' ? user : role === 'assistant' ? assistant : role,
      session: threadId,
      at: createdAt,
      marks: { thread: threadId ?? '', resource: resourceId },
    }
  }
}

/** A time that may have gone through JSON. */
function timeOf(time: unknown): Date {
  const date = new Date(typeof time === 'string' || time instanceof Date ? time : Number.NaN)
  if (Number.isNaN(date.getTime()))
    throw invalid(`createdAt is ${describe(time)}; expected a Date or its ISO 8601 text`, { what: 'createdAt' })
  return date
}

function messageOf(json: unknown): StoredMessage {
  const message = json as Omit<StoredMessage, 'createdAt'> & { readonly createdAt: string }
  return { ...message, createdAt: new Date(message.createdAt) }
}

function patched(before: StoredMessage, { content, ...change }: MessageChange): StoredMessage {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  const metadata = content?.metadata && { metadata: { ...before.content.metadata, ...content.metadata } }
  if ('createdAt' in given) given['createdAt'] = timeOf(given['createdAt'])
  return { ...before, ...given, content: { ...before.content, ...content, ...metadata } }
}

/**
 * What recall finds a message by: what is said in it. What was recalled into it, and what tools were called with and
 * answered, is not said by anybody.
 */
function wordsOf({ content }: StoredMessage): string {
  const texts = content.parts.map((part) => (part.type === 'text' ? (part as { text?: unknown }).text : undefined))
  const said = texts.filter((text) => typeof text === 'string' && !text.startsWith(RECALLED)).join('\n')
  return said.trim() === '' ? UNSAID : said.trim()
}
