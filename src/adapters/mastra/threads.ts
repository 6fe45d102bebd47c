import { AgidbError } from '../../base/errors.js'
import { fits, type Order, ordered, type Page, type PageInfo, paged } from './listing.js'
import type { Messages, StoredMessage } from './messages.js'
import { checkedId, type Rows, UNSAID } from './rows.js'

/** A conversation: `StorageThreadType` of Mastra. */
export interface Thread {
  id: string
  title?: string
  resourceId: string
  createdAt: Date
  updatedAt: Date
  metadata?: Record<string, unknown>
}

/** A change of a thread: what is not given stays. */
export interface ThreadChange {
  readonly id: string
  readonly title?: string
  readonly metadata?: Record<string, unknown>
}

/** What a copy of a thread takes. */
export interface CopyOptions {
  readonly sourceThreadId: string
  readonly newThreadId?: string
  readonly resourceId?: string
  readonly title?: string
  readonly metadata?: Record<string, unknown>
  readonly options?: {
    readonly messageLimit?: number
    readonly messageFilter?: { readonly startDate?: Date; readonly endDate?: Date; readonly messageIds?: string[] }
  }
}

/** Threads on a page of a list where nobody says how many. */
const PER_PAGE = 100

/** The conversations, and what is done with all messages of one. */
export class Threads {
  readonly #rows: Rows
  readonly #messages: Messages

  constructor(rows: Rows, messages: Messages) {
    this.#rows = rows
    this.#messages = messages
  }

  /** A thread; `undefined` where there is none, or one of another resource. */
  async get(id: string, resource?: string): Promise<Thread | undefined> {
    const json = await this.#rows.get('thread', id)
    const thread = json === undefined ? undefined : threadOf(json)
    return resource === undefined || thread?.resourceId === resource ? thread : undefined
  }

  async save(thread: Thread): Promise<Thread> {
    const { id, resourceId } = thread
    await this.#rows.put([
      {
        kind: 'thread',
        id: checkedId('the id of the thread', id),
        value: thread,
        text: UNSAID,
        session: id,
        marks: { thread: id, resource: resourceId },
      },
    ])
    return thread
  }

  /** @throws AgidbError `AGIDB_NOT_FOUND` */
  async update({ id, title, metadata }: ThreadChange): Promise<Thread> {
    const before = await this.#expect(id)
    const thread = {
      ...before,
      ...(title !== undefined && { title }),
      metadata: { ...before.metadata, ...metadata },
      updatedAt: new Date(),
    }
    await this.save(thread)
    return thread
  }

  /** Says that threads changed. Those that are not there are left out. */
  async touch(ids: ReadonlySet<string | undefined>): Promise<void> {
    for (const id of ids) {
      const thread = id === undefined || id === '' ? undefined : await this.get(id)
      if (thread === undefined) continue
      // Later than before, also within one millisecond.
      const updatedAt = new Date(Math.max(Date.now(), thread.updatedAt.getTime() + 1))
      await this.save({ ...thread, updatedAt })
    }
  }

  /** Forgets a thread with its messages. */
  async delete(id: string): Promise<void> {
    const messages = await this.#messages.all({ threads: [id] })
    await this.#messages.delete(messages.map((message) => message.id))
    await this.#rows.remove('thread', [id])
  }

  async list({
    filter,
    orderBy,
    ...page
  }: Page & {
    readonly filter?: { readonly resourceId?: string; readonly metadata?: object }
    readonly orderBy?: Order
  }): Promise<PageInfo & { threads: Thread[] }> {
    const resource = filter?.resourceId
    const all = (await this.#rows.list('thread', resource === undefined ? {} : { resource })).map(threadOf)
    const found = all.filter(({ metadata }) => fits(metadata, filter?.metadata))
    const { items, ...info } = paged(ordered(found, { direction: 'DESC', ...orderBy }), page, PER_PAGE)
    return { threads: items, ...info }
  }

  /**
   * Makes a thread with copies of the messages of another.
   *
   * @throws AgidbError `AGIDB_NOT_FOUND`; `AGIDB_DUPLICATE_ID` where the new one is there already
   */
  async copy({ sourceThreadId, newThreadId, resourceId, title, metadata, options }: CopyOptions) {
    const source = await this.#expect(sourceThreadId)
    const id = newThreadId ?? crypto.randomUUID()
    if ((await this.get(id)) !== undefined)
      throw new AgidbError('AGIDB_DUPLICATE_ID', `there is a thread with the id ${JSON.stringify(id)} already`, { id })
    const chosen = (await this.#messages.all({ threads: [sourceThreadId] })).filter((message) =>
      isChosen(message, options?.messageFilter),
    )
    const { messageLimit = 0 } = options ?? {}
    const messages = messageLimit > 0 ? chosen.slice(-messageLimit) : chosen
    const clonedAt = new Date()
    const last = messages.at(-1)
    const thread: Thread = {
      id,
      resourceId: resourceId ?? source.resourceId,
      title: title ?? (source.title === undefined ? undefined : `Clone of ${source.title}`),
      metadata: { ...metadata, clone: { sourceThreadId, clonedAt, ...(last && { lastMessageId: last.id }) } },
      createdAt: clonedAt,
      updatedAt: clonedAt,
    }
    const messageIdMap: Record<string, string> = Object.fromEntries(
      messages.map((message) => [message.id, crypto.randomUUID()]),
    )
    await this.save(thread)
    await this.#messages.save(
      messages.map((message) => ({
        ...message,
        id: messageIdMap[message.id]!,
        threadId: id,
        resourceId: resourceId ?? message.resourceId,
      })),
    )
    return { thread, messageIdMap }
  }

  async #expect(id: string): Promise<Thread> {
    const thread = await this.get(id)
    if (thread !== undefined) return thread
    throw new AgidbError('AGIDB_NOT_FOUND', `there is no thread with the id ${JSON.stringify(id)}`, { id })
  }
}

function threadOf(json: unknown): Thread {
  const thread = json as Omit<Thread, 'createdAt' | 'updatedAt'> & Readonly<Record<'createdAt' | 'updatedAt', string>>
  return { ...thread, createdAt: new Date(thread.createdAt), updatedAt: new Date(thread.updatedAt) }
}

function isChosen(
  { id, createdAt }: StoredMessage,
  { startDate, endDate, messageIds = [] }: NonNullable<NonNullable<CopyOptions['options']>['messageFilter']> = {},
): boolean {
  return (
    (messageIds.length === 0 || messageIds.includes(id)) &&
    (startDate === undefined || createdAt >= startDate) &&
    (endDate === undefined || createdAt <= endDate)
  )
}
