/** Makes the browser's storage fail, as when the worker is killed or IndexedDB does not work. */

type Methods<T> = { [K in keyof T]: T[K] extends (...args: never[]) => unknown ? K : never }[keyof T]

function replace<T extends object, K extends Methods<T>>(
  target: T,
  name: K,
  by: (original: T[K]) => unknown,
): () => void {
  const original = target[name]
  target[name] = by(original) as T[K]
  return () => void (target[name] = original)
}

/**
 * From the `after`-th change to any file or table on, none is made and each throws. Answers the function that ends it.
 */
export function dieAfter(after: number): () => void {
  let changes = 0
  const counted = (original: unknown) =>
    function (this: unknown, ...args: unknown[]): unknown {
      if (changes++ >= after) throw new DOMException('dead', 'AbortError')
      return (original as (...args: unknown[]) => unknown).apply(this, args)
    }
  const ends = [
    ...(['write', 'truncate', 'flush'] as const).map((name) =>
      replace(FileSystemSyncAccessHandle.prototype, name, counted),
    ),
    ...(['put', 'clear', 'delete'] as const).map((name) => replace(IDBObjectStore.prototype, name, counted)),
  ]
  return () => ends.forEach((end) => end())
}

/** Files of the origin private file system are closed, and say that they could not be. */
export function failToClose(): () => void {
  return replace(
    FileSystemSyncAccessHandle.prototype,
    'close',
    (original) =>
      function (this: FileSystemSyncAccessHandle): void {
        original.call(this)
        throw new DOMException('not closed', 'InvalidStateError')
      },
  )
}

/** Nothing is written to IndexedDB. */
export function freezeTables(): () => void {
  return replace(IDBObjectStore.prototype, 'put', () => () => {
    throw new DOMException('frozen', 'AbortError')
  })
}

/** IndexedDB does not open. */
export function closeIndexedDb(): () => void {
  return replace(IDBFactory.prototype, 'open', () => () => {
    throw new DOMException('Internal error opening backing store', 'UnknownError')
  })
}
