/** Two memories of one person exchange what they wrote, over any pair of streams of bytes: docs/sync.md. */
export { sync, type SyncOptions, type SyncReport, type SyncStream } from './sync.js'
