import { checkKeys } from '../../api/check.js'
import type { ListOptions, MessageChange, StoredMessage } from './messages.js'
import { Messages } from './messages.js'
import type { PageInfo } from './listing.js'
import { type Resource, type ResourceChange, Resources } from './resources.js'
import { checkedId, Rows, type RowsMemory } from './rows.js'
import { type CopyOptions, type Thread, type ThreadChange, Threads } from './threads.js'

/** Options of {@link memoryStorage}. */
export interface MemoryStorageOptions {
  /** The speaker of the user's messages. Default `user`. */
  readonly user?: string
  /** The speaker of the agent's answers. Default `assistant`. */
  readonly assistant?: string
  /** The source that all is stored under. Default `mastra`. */
  readonly source?: string
}

/** What this adapter has of `MemoryStorage` of Mastra 1, for messages of the type that Mastra has. */
export interface MemoryStorageMethods<M> {
  readonly supportsPartialThreadUpdate: true
  dangerouslyClearAll(): Promise<void>
  getThreadById(which: { threadId: string; resourceId?: string }): Promise<Thread | null>
  saveThread(given: { thread: Thread }): Promise<Thread>
  updateThread(change: ThreadChange): Promise<Thread>
  deleteThread(which: { threadId: string }): Promise<void>
  listThreads(options: Parameters<Threads['list']>[0]): Promise<PageInfo & { threads: Thread[] }>
  copyThread(options: CopyOptions): Promise<{ thread: Thread; messageIdMap: Record<string, string> }>
  listMessages(
    options: ListOptions & { readonly threadId: string | string[]; readonly resourceId?: string },
  ): Promise<PageInfo & { messages: M[] }>
  listMessagesByResourceId(
    options: ListOptions & { readonly resourceId: string },
  ): Promise<PageInfo & { messages: M[] }>
  listMessagesById(which: { messageIds: string[] }): Promise<{ messages: M[] }>
  saveMessages(given: { messages: M[] }): Promise<{ messages: M[] }>
  updateMessages(given: { messages: MessageChange[] }): Promise<M[]>
  deleteMessages(ids: string[]): Promise<void>
  getResourceById(which: { resourceId: string }): Promise<Resource | null>
  saveResource(given: { resource: Resource }): Promise<Resource>
  updateResource(change: ResourceChange): Promise<Resource>
}

/**
 * Stores the threads, the messages and the working memory of agents of Mastra 1 in a memory. A message is an episode,
 * which recall finds by its words, in its thread and from any other; it is given back unchanged. What is deleted is
 * forgotten, and nothing recalls it any more.
 *
 *     const memory = memoryStorage(MemoryStorage, db)
 *     new MastraCompositeStore({ id: 'agidb', default: otherStorage, domains: { memory } })
 *
 * @param MemoryStorage the class of `@mastra/core/storage`, which the storage extends
 * @param db the memory, or a scope of it
 * @throws AgidbError `AGIDB_UNKNOWN_OPTION`; from its methods: `AGIDB_INVALID_ARGUMENT` for what is no message and
 * what JSON cannot say, an empty id, or a page that cannot be; `AGIDB_NOT_FOUND` and `AGIDB_DUPLICATE_ID` of threads;
 * whatever the memory throws
 */
export function memoryStorage<Storage extends abstract new () => object>(
  MemoryStorage: Storage,
  db: RowsMemory,
  options: MemoryStorageOptions = {},
): InstanceType<Storage> {
  checkKeys('memoryStorage', options, ['user', 'assistant', 'source'])
  const { user = 'user', assistant = 'assistant', source = 'mastra' } = options
  const Base = MemoryStorage as unknown as new () => object
  const storage = new (class AgidbMemoryStorage extends Base {})()
  return Object.assign(
    storage,
    methodsOf(new Rows(db, source), { user, assistant }),
  ) as unknown as InstanceType<Storage>
}

function methodsOf(
  rows: Rows,
  speakers: { readonly user: string; readonly assistant: string },
): MemoryStorageMethods<StoredMessage> {
  const messages = new Messages(rows, speakers)
  const threads = new Threads(rows, messages)
  const resources = new Resources(rows)
  return {
    supportsPartialThreadUpdate: true,
    dangerouslyClearAll: () => rows.inTurn(() => rows.clear()),
    getThreadById: async ({ threadId, resourceId }) => (await threads.get(threadId, resourceId)) ?? null,
    saveThread: ({ thread }) => rows.inTurn(() => threads.save(thread)),
    updateThread: (change) => rows.inTurn(() => threads.update(change)),
    deleteThread: ({ threadId }) => rows.inTurn(() => threads.delete(threadId)),
    listThreads: (given) => threads.list(given),
    copyThread: (given) => rows.inTurn(() => threads.copy(given)),
    listMessages: async ({ threadId, resourceId, ...given }) => {
      const ids = (Array.isArray(threadId) ? threadId : [threadId]).map((id) => checkedId('threadId', id))
      return messages.list({ threads: ids, resource: resourceId }, given)
    },
    listMessagesByResourceId: ({ resourceId, ...given }) => messages.list({ resource: resourceId }, given),
    listMessagesById: async ({ messageIds }) => ({ messages: await messages.byIds(messageIds) }),
    saveMessages: (given) =>
      rows.inTurn(async () => {
        await messages.save(given.messages)
        await threads.touch(new Set(given.messages.map(({ threadId }) => threadId)))
        return { messages: [...given.messages] }
      }),
    updateMessages: (given) =>
      rows.inTurn(async () => {
        const changed = await messages.update(given.messages)
        await threads.touch(new Set(changed.flatMap(({ before, after }) => [before.threadId, after.threadId])))
        return changed.map(({ after }) => after)
      }),
    deleteMessages: (ids) =>
      rows.inTurn(async () => {
        const found = await messages.byIds(ids)
        await messages.delete(ids)
        await threads.touch(new Set(found.map(({ threadId }) => threadId)))
      }),
    getResourceById: async ({ resourceId }) => (await resources.get(resourceId)) ?? null,
    saveResource: ({ resource }) => rows.inTurn(() => resources.save(resource)),
    updateResource: (change) => rows.inTurn(() => resources.update(change)),
  }
}
