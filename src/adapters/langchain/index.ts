export { MemoryChatHistory, type MemoryChatHistoryOptions } from './chat-history.js'
export { MemoryRetriever, type MemoryRetrieverOptions, type RememberedDocument } from './retriever.js'
export { MemoryStore, type MemoryStoreOptions } from './store.js'
