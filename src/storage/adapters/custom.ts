// An adapter that an application brings (docs/storage-adapters.md): what it opens is checked before the engine uses it.
import { invalid } from '../../api/check.js'
import { AgidbError } from '../../base/errors.js'
import type { OpenedStorage, StorageAdapter } from '../../api/storage.js'

/** The methods of each part of an open storage; `storage` are those of the storage itself. */
const METHODS = {
  storage: ['flush', 'stats', 'close'],
  rows: ['commit', 'get', 'slots', 'read', 'replace'],
  signatures: ['visitEpisodes', 'visitPacked'],
  checkpoint: ['write'],
  maintenance: ['compact', 'garbage', 'verify', 'repair'],
} as const

/**
 * An adapter of an application.
 *
 * @throws AgidbError from `open`: `AGIDB_INVALID_ARGUMENT` when a part lacks one of its methods, or when the id or the
 * next slot is not what it should be. What was opened is then closed.
 */
export function customStorage(adapter: StorageAdapter): StorageAdapter {
  return {
    async open(...args) {
      const opened: unknown = await adapter.open(...args)
      try {
        checkOpened(opened)
      } catch (error) {
        await (opened as Partial<OpenedStorage> | undefined)?.close?.()
        throw error
      }
      return opened
    },
    searches: adapter.searches,
    ...(typeof adapter.scope === 'function' && { scope: (key: string) => customStorage(adapter.scope!(key)) }),
  }
}

/**
 * The place of a memory within another.
 *
 * @throws AgidbError `AGIDB_UNSUPPORTED` when the adapter has none.
 */
export function scopeOf(storage: StorageAdapter, key: string): StorageAdapter {
  if (storage.scope !== undefined) return storage.scope(key)
  throw new AgidbError(
    'AGIDB_UNSUPPORTED',
    'the storage adapter has no scope method, so it has no place for the memory of a scope: give it one',
    { option: 'storage' },
  )
}

function checkOpened(opened: unknown): asserts opened is OpenedStorage {
  if (typeof opened !== 'object' || opened === null) throw wrong('open must resolve to an object')
  const { databaseId, nextSlot, rows, signatures, checkpoint, maintenance } = opened as Partial<OpenedStorage>
  if (typeof databaseId !== 'string' || !/^[0-9a-f]{32}$/.test(databaseId))
    throw wrong('databaseId must be 32 hexadecimal digits in lower case')
  if (!Number.isSafeInteger(nextSlot) || nextSlot! < 0) throw wrong('nextSlot must be a whole number from 0')
  checkMethods('storage', opened)
  checkMethods('rows', rows)
  for (const [part, value] of Object.entries({ signatures, checkpoint, maintenance }))
    if (value !== undefined) checkMethods(part as keyof typeof METHODS, value)
}

function checkMethods(part: keyof typeof METHODS, value: unknown): void {
  const missing = METHODS[part].find(
    (name) => typeof (value as Record<string, unknown> | undefined)?.[name] !== 'function',
  )
  if (missing !== undefined) throw wrong(`${part === 'storage' ? '' : `${part}.`}${missing} must be a function`)
}

function wrong(what: string): Error {
  return invalid(`the storage that the adapter opened does not fit: ${what}`, { option: 'storage' })
}
